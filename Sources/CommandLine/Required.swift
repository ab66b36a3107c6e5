/// The value of a required argument.
///
/// It lets `Options` begin without a value if no default makes sense. The parser rejects a command line without
/// a required argument before it checks the combination of options or passes them to the command.
package struct Required<Value: Sendable>: Sendable {
  private var given: Value?

  package init() {}

  package init(_ value: Value) { given = value }

  /// The value. Traps if the command does not declare the argument with `Positional.required`. This mistake in the
  /// command's file shows on its first run, whatever is typed.
  package var value: Value {
    get {
      guard let given else { preconditionFailure("the command does not declare this argument") }
      return given
    }
    set { given = newValue }
  }
}

extension Required: Equatable where Value: Equatable {}
