/// One option of a command: its schema, and the effect of its value on the typed `Options`.
package struct Flag<Options>: Sendable {
  package private(set) var schema: OptionSchema
  /// Applies one occurrence to the options. Values from the environment come first, then occurrences in the order
  /// typed. The last one wins, but an earlier invalid one is still reported.
  package let apply: @Sendable (inout Options, ParsedValue) throws(ValueError) -> Void

  package init(
    _ schema: OptionSchema, apply: @escaping @Sendable (inout Options, ParsedValue) throws(ValueError) -> Void
  ) {
    self.schema = schema
    self.apply = { (options: inout Options, given: ParsedValue) throws(ValueError) in
      try given.checkEncoding()
      try apply(&options, given)
    }
  }
}

/// The property of a command's options that stores a value.
///
/// It is evaluated only if there is a value: creating a key path takes longer at run time than everything else about
/// a flag.
package typealias OptionKeyPath<Options, Value> = @Sendable () -> any WritableKeyPath<Options, Value> & Sendable

extension Array {
  /// The flags as a group with this heading, which help pages fold to one line.
  package func grouped<Options>(under heading: String) -> Self where Element == Flag<Options> {
    map { $0.grouped(under: heading) }
  }
}

extension Flag {
  fileprivate func grouped(under heading: String) -> Flag {
    var flag = self
    flag.schema.group = heading
    return flag
  }
}

// MARK: Switches

extension Flag {
  /// A switch that sets a Boolean to true or, with `negatable`, to false through `--no-NAME`.
  ///
  /// Its environment variable accepts 1, true, yes, on, 0, false, no and off, regardless of case.
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

  /// A switch that distinguishes off (`--no-NAME`) from absent.
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
}

// Options with values: a single value, one value per occurrence, or a comma-separated list.

extension Flag {
  /// An option with one value. If it is given more than once, the last value wins.
  package static func value<Value>(
    _ name: String, short: Character? = nil, _ kind: ValueKind<Value>,
    into path: @autoclosure @escaping OptionKeyPath<Options, Value>, environment: String? = nil,
    defaultText: String? = nil,
    isAdvanced: Bool = false, help: String
  ) -> Flag {
    Flag(
      OptionSchema(
        name: name, short: short, help: help, value: kind.schema, environment: environment, defaultText: defaultText,
        isAdvanced: isAdvanced)
    ) { (options: inout Options, given: ParsedValue) throws(ValueError) in
      options[keyPath: path()] = try kind.parse(given.text)
    }
  }

  /// An option with one value that is nil by default. If it is given more than once, the last value wins.
  package static func value<Value>(
    _ name: String, short: Character? = nil, _ kind: ValueKind<Value>,
    into path: @autoclosure @escaping OptionKeyPath<Options, Value?>, environment: String? = nil,
    defaultText: String? = nil,
    isAdvanced: Bool = false, help: String
  ) -> Flag {
    Flag(
      OptionSchema(
        name: name, short: short, help: help, value: kind.schema, environment: environment, defaultText: defaultText,
        isAdvanced: isAdvanced)
    ) { (options: inout Options, given: ParsedValue) throws(ValueError) in
      options[keyPath: path()] = try kind.parse(given.text)
    }
  }

  /// An option to which each occurrence adds one value.
  package static func repeated<Value>(
    _ name: String, short: Character? = nil, _ kind: ValueKind<Value>,
    into path: @autoclosure @escaping OptionKeyPath<Options, [Value]>, environment: String? = nil,
    defaultText: String? = nil,
    isAdvanced: Bool = false, help: String
  ) -> Flag {
    Flag(
      OptionSchema(
        name: name, short: short, help: help, value: kind.schema, isRepeatable: true, environment: environment,
        defaultText: defaultText, isAdvanced: isAdvanced)
    ) { (options: inout Options, given: ParsedValue) throws(ValueError) in
      options[keyPath: path()].append(try kind.parse(given.text))
    }
  }

  /// An option to which each occurrence adds a comma-separated list of one or more non-empty values.
  package static func repeatedList<Value>(
    _ name: String, _ kind: ValueKind<Value>, into path: @autoclosure @escaping OptionKeyPath<Options, [Value]>,
    environment: String? = nil, isAdvanced: Bool = false, help: String
  ) -> Flag {
    Flag(
      OptionSchema(
        name: name, help: help, value: kind.schema, isRepeatable: true, environment: environment,
        isAdvanced: isAdvanced)
    ) { (options: inout Options, given: ParsedValue) throws(ValueError) in
      options[keyPath: path()] += try kind.parseList(given.text)
    }
  }

  /// An option with a comma-separated list of non-empty values. The list counts as one value: a later list replaces
  /// an earlier one.
  package static func list<Value>(
    _ name: String, short: Character? = nil, _ kind: ValueKind<Value>,
    into path: @autoclosure @escaping OptionKeyPath<Options, [Value]>, environment: String? = nil,
    defaultText: String? = nil,
    isAdvanced: Bool = false, help: String
  ) -> Flag {
    Flag(
      listSchema(name, short, kind, environment, defaultText, isAdvanced, help)
    ) { (options: inout Options, given: ParsedValue) throws(ValueError) in
      options[keyPath: path()] = try kind.parseList(given.text)
    }
  }

  /// An option with a list that is nil by default.
  package static func list<Value>(
    _ name: String, short: Character? = nil, _ kind: ValueKind<Value>,
    into path: @autoclosure @escaping OptionKeyPath<Options, [Value]?>, environment: String? = nil,
    defaultText: String? = nil,
    isAdvanced: Bool = false, help: String
  ) -> Flag {
    Flag(
      listSchema(name, short, kind, environment, defaultText, isAdvanced, help)
    ) { (options: inout Options, given: ParsedValue) throws(ValueError) in
      options[keyPath: path()] = try kind.parseList(given.text)
    }
  }

  private static func listSchema<Value>(
    _ name: String, _ short: Character?, _ kind: ValueKind<Value>, _ environment: String?, _ defaultText: String?,
    _ isAdvanced: Bool, _ help: String
  ) -> OptionSchema {
    var value = kind.schema
    if case .dynamic(let candidates) = value.completion { value.completion = .dynamicList(candidates) }
    return OptionSchema(
      name: name, short: short, help: help, value: value, environment: environment, defaultText: defaultText,
      isAdvanced: isAdvanced)
  }
}
