import Arguments

/// A command: what its file says about it, and what it does.
///
/// `run` returns what it found. It writes nothing itself: one renderer prints the result and one place turns a thrown
/// error into words and an exit code.
protocol Command: CommandDefinition {
  static func run(_ options: Options, in session: Session) throws -> Output
}

/// A parsed command line, ready to run.
typealias Action = @Sendable (Session) throws -> Output

extension CommandNode where Action == Commands.Action {
  static func verb<C: Command>(_ command: C.Type) -> CommandNode {
    .command(command) { options in { session in try C.run(options, in: session) } }
  }
}
