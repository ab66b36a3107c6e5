import Arguments
import Pages
import World

enum ManCommand: Command {
  struct Options: Sendable {
    var path: [String] = []
  }

  static let name = "man"
  static let summary = "Show a command's man page; in a pipe, its source"
  static let group: String? = "Help"
  static var positionals: [Positional<Options>] {
    [.commandPath(into: \.path, help: "The command; the program itself without one")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("man connections list", "one page"),
      ExampleSchema("man token exchange", "of which a pipe or a file gets the mdoc source"),
    ]
  }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let source = ManPage.text(root: session.schema, path: options.path, facts: .program) ?? ""
    guard session.world.terminal.outputIsTerminal else { return .text(source) }
    let page = formatted(source, session)
    return .text(page ?? Root.helpPage(path: options.path, isFull: true, in: session.root, world: session.world))
  }

  /// By whichever formatter is installed; nil where there is none.
  private static func formatted(_ source: String, _ session: Session) -> String? {
    let width = session.world.terminal.columns ?? 80
    for formatter in [["mandoc", "-T", "utf8", "-O", "width=\(width)"], ["groff", "-m", "mdoc", "-T", "utf8"]] {
      let result = try? session.world.processes.run(formatter, input: Array(source.utf8), limit: .seconds(10))
      if let result, result.status == 0 { return String(decoding: result.output, as: UTF8.self) }
    }
    return nil
  }
}
