package import Arguments

/// A command: what its file says about it, and what it does.
///
/// `run` returns what it found. It writes nothing itself: one renderer prints the result and one place turns a thrown
/// error into words and an exit code.
package protocol Command: CommandDefinition {
  /// What it prints as JSON; nil for a command that prints text or nothing.
  static var shape: OutputSchema? { get }
  /// Replaces the beginnings of ids and the names among the options by the ids that they stand for.
  static func resolve(_ options: inout Options, in session: Session) throws
  static func run(_ options: Options, in session: Session) throws -> Output
}

extension Command {
  package static var shape: OutputSchema? { nil }
  package static func resolve(_ options: inout Options, in session: Session) throws {}
}

/// A parsed command line, ready to run.
package typealias Action = @Sendable (Session) throws -> Output

/// The program's commands; of each is known what it prints.
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
