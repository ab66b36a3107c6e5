import CommandLine
import PluginProtocol
import Plugins
import Session
import World

enum ManCommand: Command {
  struct Options: Sendable {
    var path: [String] = []
  }

  static let name = "man"
  static let summary = "Show a command's man page; in a pipe, print its mdoc source"
  static var discussion: [String] {
    ["On a terminal, the page opens in a pager: $MANPAGER, $PAGER or 'less'. With --no-input, it is printed."]
  }
  static let group: String? = "Help"
  static var positionals: [Positional<Options>] {
    [.commandPath(into: \.path, help: "Command; default: the page of ifttt itself")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("man connections list", "show a page"),
      ExampleSchema("man token exchange", "show a page; if stdout is a pipe or a file, print its mdoc source"),
    ]
  }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let source = ManPage.text(root: session.tree.schema, path: options.path, contents: .program) ?? ""
    guard session.world.terminal.outputIsTerminal else { return .text(source) }
    let page =
      formatted(source, session)
      ?? Root.helpPage(path: options.path, isFull: true, in: session.tree.root, world: session.world)
    return try isPaged(page, in: session) ? .nothing : .text(page)
  }

  /// Replaces this process with the user's pager. The page is an argument of the shell that starts the pager, so that no
  /// file needs cleanup.
  /// - Returns: false if the terminal is not interactive, or there is no shell.
  private static func isPaged(_ page: String, in session: Session) throws -> Bool {
    let world = session.world
    // The longest argument that a system accepts (Linux: MAX_ARG_STRLEN).
    guard session.console.mayPrompt, page.utf8.count < 128 * 1024 else { return false }
    var environment = EnvironmentVariable.inherited(by: .pager).compactMap { variable in
      world.environment[variable].map { (name: variable.name, value: $0) }
    }
    // As in Git, a page that fits is printed directly, and the text stays on the screen afterwards.
    if world.environment[.lessOptions] == nil {
      environment.append((name: EnvironmentVariable.lessOptions.name, value: "FRX"))
    }
    let shell = ReplacementProgram(
      path: "/bin/sh", arguments: ["sh", "-c", pagerScript, "sh", page].map { Array($0.utf8) },
      environment: environment)
    do throws(SystemError) { try world.processes.become(shell) } catch { return false }
    return true
  }

  private static let pagerScript = """
    pager=${MANPAGER:-$PAGER}
    if [ -z "$pager" ]; then if command -v less >/dev/null; then pager=less; else pager=cat; fi; fi
    printf '%s' "$1" | eval "$pager"
    """

  /// The page as formatted by the first available formatter; nil if none is installed.
  private static func formatted(_ source: String, _ session: Session) -> String? {
    let width = session.world.terminal.columns ?? 80
    for formatter in [["mandoc", "-T", "utf8", "-O", "width=\(width)"], ["groff", "-m", "mdoc", "-T", "utf8"]] {
      let result = try? session.world.processes.run(formatter, input: Array(source.utf8), limit: .seconds(10))
      if let result, result.status == 0 { return String(decoding: result.output, as: UTF8.self) }
    }
    return nil
  }
}

/// Writes every committed file that is generated from the tree; run by `script/pages`.
enum PagesCommand: Command {
  struct Options: Sendable {
    var folder = Required<String>()
  }

  static let name = "__pages"
  static let summary = "Write completions, man pages and the README's table"
  static var positionals: [Positional<Options>] {
    [.required(.directory, into: \.folder, help: "The checkout")]
  }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let files = session.world.files
    let folder = options.folder.value
    let readme = try String(decoding: files.read(folder + "/README.md", limit: 1 << 20), as: UTF8.self)
    let manifest = try Manifest(parsing: files.read("\(folder)/\(bundledManifest)", limit: Manifest.sizeLimit))
    let bundle = try PagesBundle(root: session.tree.ownSchema.with([manifest]), contents: .program, readme: readme)
    for part in ["completions", "man/man1"] { try files.makeFolder("\(folder)/\(part)") }
    for file in bundle.files {
      try files.replace("\(folder)/\(file.path)", with: Array(file.text.utf8), mode: 0o644)
    }
    return .nothing
  }

  /// The manifest of the bundled plugin in the checkout.
  static let bundledManifest = "Sources/ifttt-grab/plugin.json"
}
