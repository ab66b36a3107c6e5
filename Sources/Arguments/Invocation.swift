/// What was given to a command that is known only as data, such as a plugin's.
package struct Invocation: Sendable, Equatable {
  package enum Value: Sendable, Equatable {
    /// Of a switch; false for its `--no-` form.
    case flag(Bool)
    case text(String)
    /// Of an option that may be given more than once, in the order in which it was.
    case texts([String])
  }

  package struct Option: Sendable, Equatable {
    /// The long name without dashes.
    package let name: String
    package internal(set) var value: Value
    package init(name: String, value: Value) { (self.name, self.value) = (name, value) }
  }

  /// The words of the command behind the first, which names the one who owns it: `["login"]` of `ifttt grab login`.
  package let command: [String]
  /// In the order in which they were first given, what a variable gave before what was typed.
  package let options: [Option]
  package let arguments: [String]
  /// Everything typed behind the first word of the command, less the program's own global options.
  package let words: [Word]

  package init(command: [String], options: [Option] = [], arguments: [String] = [], words: [Word]) {
    (self.command, self.options, self.arguments, self.words) = (command, options, arguments, words)
  }

  package subscript(option: String) -> Value? { options.first { $0.name == option }?.value }
}
