import CommandLine
import Output
import Session
import World

enum HelpCommand: Command {
  struct Options: Sendable {
    var path: [String] = []
  }

  static let name = "help"
  static let summary = "Show a command's help; with --json, print the command tree"
  static let group: String? = "Help"
  static var positionals: [Positional<Options>] {
    [
      .commandPath(
        orTopic: topics, into: \.path,
        help: "Command or topic; default: an overview. Topics: \(topics.joined(separator: ", "))")
    ]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("help connections list", "show the full help of a command"),
      ExampleSchema("help exit-codes", "list the exit codes"),
      ExampleSchema("help --json", "print every command and option as JSON"),
    ]
  }
  static func defaults() -> Options { Options() }

  /// The help topics; their texts are also in the man page.
  static let topics = ["options", "exit-codes", "environment", "formats", "files", "plugins"]

  static func run(_ options: Options, in session: Session) throws -> Output {
    if options.path.count == 1, topics.contains(options.path[0]) { return topic(options.path[0], in: session) }
    guard session.options.format == .json else {
      return .text(Root.helpPage(path: options.path, isFull: true, in: session.tree.root, world: session.world))
    }
    return Output(body: .document(HelpJSON.bytes(root: session.tree.schema, path: options.path) ?? []))
  }

  private static func topic(_ name: String, in session: Session) -> Output {
    var program = CommandSchema(name: session.tree.root.name, summary: "")
    program.options = session.tree.ownParser.globalOptions
    let page = TopicPage(name, root: program, contents: .program, columns: session.world.terminal.columns ?? 80)
    return .text(page?.text ?? "")
  }
}
