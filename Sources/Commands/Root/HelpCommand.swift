import Arguments
import Display
import Pages

enum HelpCommand: Command {
  struct Options: Sendable {
    var path: [String] = []
  }

  static let name = "help"
  static let summary = "Explain a command in full; with --json, the whole tree as data"
  static let group: String? = "Help"
  static var positionals: [Positional<Options>] {
    [.commandPath(into: \.path, help: "The command; the program itself without one")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("help connections list", "one command in full"),
      ExampleSchema("help --json", "every command and option, for programs"),
    ]
  }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    guard session.options.format == .json else {
      return .text(Root.helpPage(path: options.path, isFull: true, in: session.root, world: session.world))
    }
    return Output(body: .document(HelpJSON.bytes(root: session.schema, path: options.path) ?? []))
  }
}
