package import CommandLine

/// A command: its definition and its implementation.
///
/// `run` returns the result and writes nothing itself: one renderer prints the result, and one place converts a
/// thrown error to a message and an exit code.
package protocol Command: CommandDefinition {
  /// The schema of the JSON output; nil for a command that prints text or nothing.
  static var shape: OutputSchema? { get }
  /// Replaces id prefixes and names among the options with the ids that they stand for.
  static func resolve(_ options: inout Options, in session: Session) throws
  static func run(_ options: Options, in session: Session) throws -> Output
}

extension Command {
  package static var shape: OutputSchema? { nil }
  package static func resolve(_ options: inout Options, in session: Session) throws {}
}

/// A parsed command line, ready to run.
package typealias Action = @Sendable (Session) throws -> Output

/// The program's commands, each with its output schema.
package typealias Node = CommandNode<Action, OutputSchema?>

extension Node {
  package static func verb<C: Command>(_ command: C.Type) -> Node {
    .command(command, facts: C.shape) { options in
      { session in
        var options = options
        try C.resolve(&options, in: session)
        return try C.run(options, in: session)
      }
    }
  }
}
