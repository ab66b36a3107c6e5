/// One positional argument of a command: its schema, and what each of its words does to the typed `Options`.
package struct Positional<Options>: Sendable {
  package let schema: ArgumentSchema
  /// Puts one word into the options; called once for each word, in order.
  package let apply: @Sendable (inout Options, ParsedValue) throws(ValueError) -> Void
  /// Whether the words together name a command of the tree, which the parser then looks up.
  let isCommandPath: Bool
  /// Words that may stand in the place of such a path.
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

  /// An argument that must be given. Its placeholder is the kind's.
  package static func required<Value>(
    _ kind: ValueKind<Value>, into path: @autoclosure @escaping OptionKeyPath<Options, Value>, help: String
  ) -> Positional {
    Positional(ArgumentSchema(value: kind.schema, help: help)) {
      (options: inout Options, given: ParsedValue) throws(ValueError) in
      options[keyPath: path()] = try kind.parse(given.text)
    }
  }

  /// An argument that must be given, for `Options` that start without a value for it.
  package static func required<Value>(
    _ kind: ValueKind<Value>, into path: @autoclosure @escaping OptionKeyPath<Options, Required<Value>>, help: String
  ) -> Positional {
    Positional(ArgumentSchema(value: kind.schema, help: help)) {
      (options: inout Options, given: ParsedValue) throws(ValueError) in
      options[keyPath: path()] = Required(try kind.parse(given.text))
    }
  }

  /// An argument that may be left out.
  package static func optional<Value>(
    _ kind: ValueKind<Value>, into path: @autoclosure @escaping OptionKeyPath<Options, Value?>, help: String
  ) -> Positional {
    Positional(ArgumentSchema(value: kind.schema, help: help, isRequired: false)) {
      (options: inout Options, given: ParsedValue) throws(ValueError) in
      options[keyPath: path()] = try kind.parse(given.text)
    }
  }

  /// Any number of arguments, `minimum` of which (none or one) must be given.
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

  /// Any number of arguments, and after the `--` that ends the options the words of another program's command line,
  /// where `takesRest` says that one was begun. Options are applied first, so that they can tell.
  package static func many<Value>(
    _ kind: ValueKind<Value>, into path: @autoclosure @escaping OptionKeyPath<Options, [Value]>,
    restInto rest: @autoclosure @escaping OptionKeyPath<Options, [String]>,
    where takesRest: @escaping @Sendable (Options) -> Bool, help: String
  ) -> Positional {
    Positional(ArgumentSchema(value: kind.schema, help: help, isRequired: false, isRepeatable: true)) {
      (options: inout Options, given: ParsedValue) throws(ValueError) in
      if given.isBehindDashes, takesRest(options) {
        options[keyPath: rest()].append(given.text)
      } else {
        options[keyPath: path()].append(try kind.parse(given.text))
      }
    }
  }

  /// The words of a command of this program, as `help connections list` takes them. Words that name none are a usage
  /// error with the nearest names, as they would be without `help` before them.
  /// - Parameter topics: words that may stand there alone, whatever commands there are.
  package static func commandPath(
    orTopic topics: [String] = [], into path: @autoclosure @escaping OptionKeyPath<Options, [String]>, help: String
  ) -> Positional {
    let value = ValueSchema(placeholder: "COMMAND", completion: .dynamic("command"))
    return Positional(
      ArgumentSchema(value: value, help: help, isRequired: false, isRepeatable: true), isCommandPath: true,
      topics: topics
    ) { options, given in options[keyPath: path()].append(given.text) }
  }
}

/// How many words an argument that takes any number of them needs.
package enum Minimum: Sendable {
  case zero, one
}
