/// One option of a command: its schema, and what its value does to the typed `Options`.
package struct Flag<Options>: Sendable {
  package let schema: OptionSchema
  /// Puts one occurrence into the options. Occurrences come in the order in which they were typed, after what the
  /// environment gave, so that the last one wins and yet an earlier wrong one is still reported.
  package let apply: @Sendable (inout Options, ParsedValue) throws(ValueError) -> Void

  package init(
    _ schema: OptionSchema, apply: @escaping @Sendable (inout Options, ParsedValue) throws(ValueError) -> Void
  ) {
    (self.schema, self.apply) = (schema, apply)
  }
}

/// Where in a command's options a value goes.
///
/// It is asked for only where there is a value: making a key path takes the runtime longer than all else about a flag.
package typealias OptionKeyPath<Options, Value> = @Sendable () -> any WritableKeyPath<Options, Value> & Sendable

// MARK: Switches

extension Flag {
  /// A switch that turns a Boolean on, and with `negatable` off again by `--no-NAME`.
  ///
  /// Its environment variable takes 1, true, yes, on, 0, false, no and off, in any case of letters.
  package static func toggle(
    _ name: String, short: Character? = nil, negatable: Bool = false,
    into path: @autoclosure @escaping OptionKeyPath<Options, Bool>,
    environment: String? = nil, defaultText: String? = nil, isAdvanced: Bool = false, help: String
  ) -> Flag {
    Flag(
      OptionSchema(
        name: name, short: short, help: help, isNegatable: negatable, environment: environment,
        defaultText: defaultText, isAdvanced: isAdvanced)
    ) { (options: inout Options, given: ParsedValue) throws(ValueError) in
      options[keyPath: path()] = try given.state()
    }
  }

  /// A switch whose off (`--no-NAME`) differs from not having been given.
  package static func toggle(
    _ name: String, short: Character? = nil, negatable: Bool = true,
    into path: @autoclosure @escaping OptionKeyPath<Options, Bool?>,
    environment: String? = nil, defaultText: String? = nil, isAdvanced: Bool = false, help: String
  ) -> Flag {
    Flag(
      OptionSchema(
        name: name, short: short, help: help, isNegatable: negatable, environment: environment,
        defaultText: defaultText, isAdvanced: isAdvanced)
    ) { (options: inout Options, given: ParsedValue) throws(ValueError) in
      options[keyPath: path()] = try given.state()
    }
  }

  /// A switch that stands for one value of another option, as `--json` does for `--output json`.
  package static func constant<Value: Sendable>(
    _ name: String, short: Character? = nil, _ value: Value,
    into path: @autoclosure @escaping OptionKeyPath<Options, Value>,
    isAdvanced: Bool = false, help: String
  ) -> Flag {
    Flag(OptionSchema(name: name, short: short, help: help, isAdvanced: isAdvanced)) { options, _ in
      options[keyPath: path()] = value
    }
  }

  /// A switch that stands for one value of an option that may be absent.
  package static func constant<Value: Sendable>(
    _ name: String, short: Character? = nil, _ value: Value,
    into path: @autoclosure @escaping OptionKeyPath<Options, Value?>,
    isAdvanced: Bool = false, help: String
  ) -> Flag {
    Flag(OptionSchema(name: name, short: short, help: help, isAdvanced: isAdvanced)) { options, _ in
      options[keyPath: path()] = value
    }
  }
}
