/// The value of an argument without which no command runs.
///
/// It lets `Options` begin without a value where no value would be a sensible default. The parser refuses a command line
/// that lacks a required argument before it looks at the options together or hands them to the command.
package struct Required<Value: Sendable>: Sendable {
  private var given: Value?

  package init() {}

  package init(_ value: Value) { given = value }

  /// Traps for a command that does not declare the argument with `Positional.required`: a mistake in its file that shows
  /// the first time it is run, whatever is typed.
  package var value: Value {
    get {
      guard let given else { preconditionFailure("no positional argument fills this") }
      return given
    }
    set { given = newValue }
  }
}

extension Required: Equatable where Value: Equatable {}
