import CBuild
import CommandLine
import HTTP
import Output
import PluginProtocol
import Plugins
import Session
import Store
import World

enum HelpCommand: Command {
  struct Options: CommandOptions {
    var path: [String] = []
    var showsAll = false
  }

  static let name = "help"
  static let summary = "Show a command's help; with --json, print the command tree"
  static let group: String? = "Help"
  static var flags: [Flag<Options>] {
    [
      .toggle(
        "all", into: \.showsAll, help: "Describe every option, including groups that --help shows by name only")
    ]
  }
  static var positionals: [Positional<Options>] {
    [
      .commandPath(
        orTopic: topics, into: \.path,
        help: "Command or topic; default: an overview. Topics: \(topics.joined(separator: ", "))")
    ]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("help connections list", "show the help of a command"),
      ExampleSchema("help connections list --all", "show it with the text of every option"),
      ExampleSchema("help exit-codes", "list the exit codes"),
      ExampleSchema("help --json", "print every command and option as JSON"),
    ]
  }

  /// The help topics; their texts are also in the man page.
  static let topics = ["options", "exit-codes", "environment", "formats", "files", "plugins", "tracks"]

  static func run(_ options: Options, in session: Session) throws -> Output {
    if options.path.count == 1, topics.contains(options.path[0]) { return topic(options.path[0], in: session) }
    let path = session.tree.root.ownPath(of: options.path)
    guard session.options.format == .json else {
      let detail: HelpDetail = options.showsAll ? .complete : .full
      return .text(Root.helpPage(path: path, detail, in: session.tree.root, world: session.world))
    }
    return Output(body: .document(HelpJSON.bytes(root: session.tree.schema, path: path) ?? []))
  }

  private static func topic(_ name: String, in session: Session) -> Output {
    var program = CommandSchema(name: session.tree.root.name, summary: "")
    program.options = session.tree.ownParser.globalOptions
    let page = TopicPage(name, root: program, contents: .program, columns: session.world.terminal.columns ?? 80)
    return .text(page?.text ?? "")
  }
}

enum ManCommand: Command {
  struct Options: CommandOptions {
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

  static func run(_ options: Options, in session: Session) throws -> Output {
    let path = session.tree.root.ownPath(of: options.path)
    let source = ManPage.text(root: session.tree.schema, path: path, contents: .program) ?? ""
    guard session.world.terminal.outputIsTerminal else { return .text(source) }
    let page =
      formatted(source, session)
      ?? Root.helpPage(path: path, .complete, in: session.tree.root, world: session.world)
    return try openPager(page, in: session) ? .nothing : .text(page)
  }

  /// Replaces this process with the user's pager. The page is an argument of the shell that starts the pager, so that
  /// no file needs cleanup.
  /// - Returns: false if the page cannot be shown in a pager, such as on a terminal that is not interactive.
  private static func openPager(_ page: String, in session: Session) throws -> Bool {
    let world = session.world
    // The longest argument that a system accepts (Linux: MAX_ARG_STRLEN).
    guard session.console.mayPrompt, page.utf8.count < 128 * 1024 else { return false }
    var environment = EnvironmentVariable.inherited(by: .pager).compactMap { variable in
      world.environment[variable].map { "\(variable.name)=\($0)" }
    }
    // As in Git, a page that fits is printed directly, and the text stays on the screen afterwards.
    if world.environment[.lessOptions] == nil {
      environment.append("\(EnvironmentVariable.lessOptions.name)=FRX")
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
  struct Options: CommandOptions {
    var folder = Required<String>()
  }

  static let name = "__pages"
  static let summary = "Write completions, man pages and docs/commands.md"
  static var positionals: [Positional<Options>] {
    [.required(.directory, into: \.folder, help: "The checkout")]
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let files = session.world.files
    let folder = options.folder.value
    let manifest = try Manifest(parsing: files.read("\(folder)/\(bundledManifest)", limit: Manifest.sizeLimit))
    let bundle = PagesBundle(root: session.tree.ownSchema.with([manifest]), contents: .program)
    for part in ["completions", "docs", "man/man1"] { try files.makeFolder("\(folder)/\(part)") }
    for file in bundle.files {
      try files.replace("\(folder)/\(file.path)", with: Array(file.text.utf8), mode: 0o644)
    }
    return .nothing
  }

  /// The manifest of the bundled plugin in the checkout.
  static let bundledManifest = "Sources/ifttt-grab/plugin.json"
}

/// The versions of this program and its components.
private struct Versions: OutputRecord {
  let swift: String

  static let fields: Fields = [
    Field("name", "The program's name", column: "NAME") { _ in "ifttt" },
    Field("version", "The program's version", column: "VERSION") { _ in programVersion },
    Field("commit", "The commit of a release build") { _ in cbuild_commit().map { String(cString: $0) } },
    Field("build_date", "The date of a release build") { _ in cbuild_date().map { String(cString: $0) } },
    Field("swift", "The version of the Swift compiler") { $0.swift },
    Field("sqlite", "The version of SQLite") { _ in Store.sqliteVersion },
    Field("libcurl", "The version of libcurl; null if it is missing") { _ in CurlLibrary.version },
  ]
}

enum VersionCommand: Command {
  static let name = "version"
  static let summary = "Print the program's version"
  static let group: String? = "Help"
  static var discussion: [String] {
    [
      """
      JSON output also includes the commit and date of the build, and the versions of the Swift compiler, SQLite and \
      libcurl. A value is null if it is unknown: only release builds have a commit and a date, and libcurl may be \
      missing.
      """
    ]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("version", "print the version"),
      ExampleSchema("version --json", "print it with the versions of the libraries as JSON"),
    ]
  }
  static var shape: OutputSchema? { .one(Versions.self) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    guard session.options.format != .table || session.options.fields != nil else {
      return .text("ifttt \(programVersion)\n")
    }
    return .one(Versions(swift: swiftVersion))
  }

  /// The version of the compiler, found by checks for minimum versions, which are all that the compiler offers.
  private static var swiftVersion: String {
    #if compiler(>=7.0)
      "7"
    #elseif compiler(>=6.5)
      "6.5"
    #elseif compiler(>=6.4)
      "6.4"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }
}
