/// One option of a command: its schema, and what its value does to the typed `Options`.
package struct Flag<Options>: Sendable {
  package let schema: OptionSchema
  /// Puts the given value into the options; throws ``ValueProblem`` for one that is not accepted.
  package let apply: @Sendable (inout Options, Given) throws -> Void
}

/// One positional argument of a command.
package struct Positional<Options>: Sendable {
  package let schema: ArgumentSchema
  package let apply: @Sendable (inout Options, [Given]) throws -> Void
}

/// A value that was given, and by what.
package struct Given: Sendable, Equatable {
  /// Nil for a switch; false in `isOn` for its `--no-` form.
  package var value: String?
  package var isOn: Bool
  package var source: Source
  package init(value: String?, isOn: Bool = true, source: Source) {
    (self.value, self.isOn, self.source) = (value, isOn, source)
  }
}

/// Where a value came from, for `--verbose` and for the caret under a wrong one.
package enum Source: Sendable, Equatable {
  /// The word's place in the argument vector, and the range of UTF-8 bytes inside it.
  case commandLine(word: Int, bytes: Range<Int>)
  case environment(String)
}

/// Why a value is not accepted, in words that follow "--status: ", and what would be.
package struct ValueProblem: Error, Equatable {
  package var message: String
  /// The values that would do, for the nearest-name search. Empty when there are too many to list.
  package var accepted: [String]
  package init(_ message: String, accepted: [String] = []) { (self.message, self.accepted) = (message, accepted) }
}

/// Joins the parsing, placeholder and completion of one kind of value.
package struct ValueKind<Value>: Sendable {
  package let schema: ValueSchema
  package let parse: @Sendable (String) throws(ValueProblem) -> Value
  package init(_ schema: ValueSchema, parse: @escaping @Sendable (String) throws(ValueProblem) -> Value) {
    (self.schema, self.parse) = (schema, parse)
  }
}
