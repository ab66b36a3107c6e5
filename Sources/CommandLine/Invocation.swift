/// The options and arguments of a command that is known only as data, such as a plugin's.
package struct Invocation: Sendable, Equatable {
  package enum Value: Sendable, Equatable {
    /// The value of a switch; false for its `--no-` form.
    case flag(Bool)
    case text(String)
    /// The values of a repeatable option, in the order given.
    case texts([String])
  }

  package struct Option: Sendable, Equatable {
    /// The long name without dashes.
    package let name: String
    package internal(set) var value: Value
    package init(name: String, value: Value) { (self.name, self.value) = (name, value) }
  }

  /// The names of the command after the first one, which identifies its owner: `["login"]` of `ifttt grab login`.
  package let command: [String]
  /// The options in the order of their first occurrence; values from the environment come first.
  package let options: [Option]
  package let arguments: [String]
  /// Everything typed after the first name of the command, without the program's own global options.
  package let words: [Word]

  package init(command: [String], options: [Option] = [], arguments: [String] = [], words: [Word]) {
    (self.command, self.options, self.arguments, self.words) = (command, options, arguments, words)
  }

  package subscript(option: String) -> Value? { options.first { $0.name == option }?.value }
}
