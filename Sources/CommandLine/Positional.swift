/// One positional argument of a command: its schema, and the effect of each operand on the typed `Options`.
package struct Positional<Options>: Sendable {
  package let schema: ArgumentSchema
  /// Applies one operand to the options; called once per operand, in order.
  package let apply: @Sendable (inout Options, ParsedValue) throws(ValueError) -> Void
  /// Whether the operands form the path of a command, which the parser then looks up.
  let isCommandPath: Bool
  /// The topics that are accepted instead of such a path.
  let topics: [String]

  package init(
    _ schema: ArgumentSchema, apply: @escaping @Sendable (inout Options, ParsedValue) throws(ValueError) -> Void
  ) {
    self.init(schema, isCommandPath: false, apply: apply)
  }

  private init(
    _ schema: ArgumentSchema, isCommandPath: Bool, topics: [String] = [],
    apply: @escaping @Sendable (inout Options, ParsedValue) throws(ValueError) -> Void
  ) {
    (self.schema, self.isCommandPath, self.topics, self.apply) = (schema, isCommandPath, topics, apply)
  }

  /// The same argument for another type of options.
  package func applied<Other>(
    by apply: @escaping @Sendable (inout Other, ParsedValue) throws(ValueError) -> Void
  ) -> Positional<Other> {
    Positional<Other>(schema, isCommandPath: isCommandPath, topics: topics, apply: apply)
  }

  /// A required argument.
  package static func required<Value>(
    _ kind: ValueKind<Value>, into path: @autoclosure @escaping OptionKeyPath<Options, Value>, help: String
  ) -> Positional {
    Positional(ArgumentSchema(value: kind.schema, help: help)) {
      (options: inout Options, given: ParsedValue) throws(ValueError) in
      options[keyPath: path()] = try kind.parse(given.text)
    }
  }

  /// A required argument, for `Options` without a default value for it.
  package static func required<Value>(
    _ kind: ValueKind<Value>, into path: @autoclosure @escaping OptionKeyPath<Options, Required<Value>>, help: String
  ) -> Positional {
    Positional(ArgumentSchema(value: kind.schema, help: help)) {
      (options: inout Options, given: ParsedValue) throws(ValueError) in
      options[keyPath: path()] = Required(try kind.parse(given.text))
    }
  }

  /// An optional argument.
  package static func optional<Value>(
    _ kind: ValueKind<Value>, into path: @autoclosure @escaping OptionKeyPath<Options, Value?>, help: String
  ) -> Positional {
    Positional(ArgumentSchema(value: kind.schema, help: help, isRequired: false)) {
      (options: inout Options, given: ParsedValue) throws(ValueError) in
      options[keyPath: path()] = try kind.parse(given.text)
    }
  }

  /// Any number of arguments, of which `minimum` (none or one) are required.
  package static func many<Value>(
    _ kind: ValueKind<Value>, atLeast minimum: Minimum = .zero,
    into path: @autoclosure @escaping OptionKeyPath<Options, [Value]>,
    help: String
  ) -> Positional {
    Positional(ArgumentSchema(value: kind.schema, help: help, isRequired: minimum == .one, isRepeatable: true)) {
      (options: inout Options, given: ParsedValue) throws(ValueError) in
      options[keyPath: path()].append(try kind.parse(given.text))
    }
  }

  /// Any number of arguments. After the `--` that ends the options, the arguments belong to the command line of
  /// another program if `takesRest` returns true. Options are applied first, so that it can inspect them.
  package static func many<Value>(
    _ kind: ValueKind<Value>, into path: @autoclosure @escaping OptionKeyPath<Options, [Value]>,
    restInto rest: @autoclosure @escaping OptionKeyPath<Options, [String]>,
    where takesRest: @escaping @Sendable (Options) -> Bool, help: String
  ) -> Positional {
    Positional(ArgumentSchema(value: kind.schema, help: help, isRequired: false, isRepeatable: true)) {
      (options: inout Options, given: ParsedValue) throws(ValueError) in
      if given.isAfterTerminator, takesRest(options) {
        options[keyPath: rest()].append(given.text)
      } else {
        options[keyPath: path()].append(try kind.parse(given.text))
      }
    }
  }

  /// The path of a command of this program, as in `help connections list`. An unknown path is a usage error with the
  /// nearest names, as it is without `help`.
  /// - Parameter topics: topics that are accepted on their own, in addition to the commands.
  package static func commandPath(
    orTopic topics: [String] = [], into path: @autoclosure @escaping OptionKeyPath<Options, [String]>, help: String
  ) -> Positional {
    let value = ValueSchema(placeholder: "COMMAND", completion: .commandPath(or: topics.map { Choice($0) }))
    return Positional(
      ArgumentSchema(value: value, help: help, isRequired: false, isRepeatable: true), isCommandPath: true,
      topics: topics
    ) { options, given in options[keyPath: path()].append(given.text) }
  }
}

/// The minimum number of operands of a repeatable argument.
package enum Minimum: Sendable {
  case zero, one
}

/// The value of a required argument.
///
/// Use it in `Options` if no default value makes sense. The parser rejects a command line without
/// a required argument before it checks the combination of options or passes them to the command.
package struct Required<Value: Sendable>: Sendable {
  private var given: Value?

  package init() {}

  package init(_ value: Value) { given = value }

  /// The value. Traps if the command does not declare the argument with `Positional.required`, so that any run of the
  /// command reveals the mistake.
  package var value: Value {
    get {
      guard let given else { preconditionFailure("the command does not declare this argument") }
      return given
    }
    set { given = newValue }
  }
}

extension Required: Equatable where Value: Equatable {}
