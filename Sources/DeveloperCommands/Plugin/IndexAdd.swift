import CommandLine
import HTTP
import Plugins
import Session
import Store
import Text
import World

enum IndexAdd: Command {
  struct Options: CommandOptions {
    var name = Required<String>()
    var location = Required<String>()
    var headerFile: String?
    var usesCommand = false
    var command: [String] = []
  }

  static let name = "add"
  static let summary = "Add an index of plugins"
  static var discussion: [String] {
    [
      """
      An index is a JSON file that lists plugins with their versions, platforms and checksums. It is fetched at once \
      and stored, so that 'plugin search' and 'plugin outdated' need no network. Adding an index installs \
      nothing. Its publisher decides which versions you are offered, so add only indexes that you trust.
      """,
      """
      If the server needs a header, such as 'Authorization: Bearer TOKEN', a file or the output of a command has it on \
      its first line. The store keeps the path or the command, never the header. It is sent only to the server of the \
      index, with requests for the index and its archives.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .value("header-file", .file, into: \.headerFile, help: "Read the header for requests from this file"),
      .toggle(
        "header-command", into: \.usesCommand,
        help: "A program that prints the header; pass it and its arguments after LOCATION"),
    ]
  }
  static var positionals: [Positional<Options>] {
    [
      .required(.pluginIndexName, into: \.name, help: "Name for the index"),
      .required(.nonEmpty("LOCATION", completion: .file), into: \.location, help: "URL or path of the index"),
      .many(
        .text("ARG"), into: \.command,
        help: """
          With --header-command: the program and its arguments, run without a shell; pass -- before arguments that \
          begin with a dash
          """),
    ]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("plugin index add local ./index.json", "add an index in a file")
    ]
  }
  static var shape: OutputSchema? { .one(IndexRow.self) }

  static func check(_ options: Options) throws(Conflict) {
    guard options.headerFile == nil || !options.usesCommand else {
      throw Conflict("the header comes from a file or a command, not from both", options: ["header-file"])
    }
    guard options.usesCommand == !options.command.isEmpty else {
      throw options.usesCommand
        ? Conflict("--header-command needs a program to run", options: ["header-command"])
        : Conflict("arguments after LOCATION are accepted only with --header-command")
    }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let (name, text) = (options.name.value, options.location.value)
    _ = try session.plugins.registry
    if let other = try PluginRecords(session.store).indexes().first(where: { $0.name == name }) {
      throw Problem(
        .refused, "there is already an index '\(name)'", reason: "it is fetched from \(other.location)",
        hint: "Choose another name, or remove it: \(ifttt: "plugin index remove \(name)")")
    }
    var location: IndexLocation
    do throws(WebURLError) { location = try IndexLocation(parsing: text) } catch {
      throw Problem(.usage, "'\(text)' is not the URL of an index", reason: error.description)
    }
    if case .file(let path) = location { location = .file(try session.world.absolutePath(path)) }
    var header: SecretSource?
    if options.usesCommand { header = .command(try session.storableCommand(options.command, of: "header-command")) }
    if let path = options.headerFile { header = .file(try session.world.absolutePath(path)) }
    if header != nil, case .file = location {
      throw Problem(.usage, "a header is for an index at a URL", reason: "'\(text)' is a path")
    }
    if session.options.isDryRun { return session.dryRun(change: "Would add index '\(name)'.") }
    let index = try IndexFetch(session: session).index(named: name, at: location, header: header)
    try PluginRecords(session.store).save(index)
    return .one(IndexRow(index))
  }
}

extension ValueKind<String> {
  static var pluginIndexName: ValueKind {
    .parsed(
      "NAME", completion: .dynamic(CompletionCandidates.pluginIndex.rawValue),
      expected: "at most 32 lowercase letters, digits and hyphens"
    ) { text in
      let isName =
        !text.isEmpty && text.utf8.count <= 32 && text.utf8.first != UInt8(ascii: "-")
        && text.utf8.allSatisfy { $0.isLowercase || $0.isDigit || $0 == UInt8(ascii: "-") }
      return isName ? text : nil
    }
  }
}
