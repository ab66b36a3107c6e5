import CommandLine
import Testing

/// How the command is found, and when a page is shown instead.
@Suite struct CommandPathTests {
  /// The outcome of a line in one word, with the path.
  private func kind(_ line: String) throws -> String {
    switch try Sample.read(line).outcome {
    case .run(_, let path, _): "run \(path.joined(separator: " "))"
    case .help(let path, let isFull): "\(isFull ? "help" : "h") \(path.joined(separator: " "))"
    case .version: "version"
    case .usage(let error): "usage \(error.kind)"
    }
  }

  @Test(arguments: [
    ("", "h "), ("-q", "h "), ("connections", "h connections"), ("connections -q", "h connections"),
    ("connections list", "run connections list"), ("-- connections", "h connections"),
    ("-- connections --", "usage unknownCommand"),
    ("-h", "h "), ("--help", "help "), ("--help -h", "help "), ("-h --help", "h "), ("-qh", "h "),
    ("connections -h", "h connections"), ("--help connections list", "help connections list"),
    ("connections --help list", "help connections list"), ("connections list -h", "h connections list"),
    ("help", "run help"), ("help connections list", "run help"), ("help token", "run help"),
    ("help --help", "help help"),
    ("connections help", "help connections"), ("connections help list", "help connections list"),
    ("connections help lisst", "usage unknownCommand"), ("-h connections help", "h connections"),
    ("connections show help", "run connections show"),
    ("-V", "version"), ("--version", "version"), ("connections list --version", "version"), ("-V --help", "version"),
    ("--help -V", "help "), ("connections list --set -V", "run connections list"),
    ("connections show -- --help", "run connections show"), ("connections show -- -V", "run connections show"),
  ])
  func findsTheCommandOrThePage(_ line: String, _ expected: String) throws {
    #expect(try kind(line) == expected)
  }

  @Test(
    "help and version take precedence over errors once the command is known",
    arguments: [
      ("connections list --bogus --help", "help connections list"),
      ("--bogus connections list -h", "h connections list"),
      ("connections list extra words -h", "h connections list"), ("connections list --limit x -V", "version"),
      ("connections list -h --limit", "h connections list"), ("connections list --json=1 -V", "version"),
      ("connections run -h", "h connections run"), ("--output bogus -h", "h "),
      ("connections list -xh", "usage unknownOption"),
      ("conections --help", "usage unknownCommand"), ("conections -V", "usage unknownCommand"),
      ("connections bogus list --help", "usage unknownCommand"), ("--bogus what connections -h", "usage unknownOption"),
    ])
  func helpAndVersionTakePrecedence(_ line: String, _ expected: String) throws {
    #expect(try kind(line) == expected)
  }

  @Test func anInvalidVariableDoesNotHideHelp() {
    guard case .help = Sample.read([RawArgument("-h")], ["IFTTT_OUTPUT": "bogus"]).outcome else {
      Issue.record("expected help")
      return
    }
  }

  @Test func commandsAreNotAbbreviated() throws {
    #expect(try kind("connection list") == "usage unknownCommand")
    #expect(try kind("Connections list") == "usage unknownCommand")
    #expect(try kind("''") == "usage unknownCommand")
  }

  @Test func globalOptionsAreParsedAfterAnError() throws {
    let reading = try Sample.read("--bogus --output csv connections lst -q --max-age=x --json --bogus --retries 5 -o")
    #expect(reading.globals.output == .json)
    #expect(reading.globals.quiet)
    #expect(reading.globals.retries == 5)
    #expect(reading.globals.maxAge == .seconds(60))
    guard case .usage(let error) = reading.outcome else {
      Issue.record("expected a usage error")
      return
    }
    #expect(error.message == "unknown option '--bogus'")
  }

  @Test func theFirstErrorOnTheLineIsReported() throws {
    #expect(try Sample.error("--max-age x connections list --bogus").kind == .invalidValue)
    #expect(try Sample.error("connections list --bogus --limit x").kind == .unknownOption)
    #expect(try Sample.error("connections list --limit x --bogus").kind == .invalidValue)
    #expect(try Sample.error("connections list --limit x --max-age y").message.contains("--limit"))
    #expect(try Sample.error("connections list --max-age y --limit x").message.contains("--max-age"))
    #expect(try Sample.error("connections list extra --limit x").kind == .unexpectedArgument)
    #expect(try Sample.error("connections run --bogus").kind == .unknownOption)
    #expect(try Sample.error("connections run x --max-age y").message.contains("ID"))
    #expect(try Sample.error("connections list --limit x", ["IFTTT_OUTPUT": "y"]).message.contains("--limit"))
    #expect(try Sample.error("connections list", ["IFTTT_OUTPUT": "y", "IFTTT_WAIT": "z"]).message.contains("OUTPUT"))
  }

  @Test func onlyTheNamedCommandIsBuilt() {
    enum Trap: CommandDefinition {
      struct Options: CommandOptions { init() { Issue.record("evaluated unnecessarily") } }
      static let name = "trap"
      static var summary: String { fail("") }
      static var flags: [Flag<Options>] { fail([]) }
      static var positionals: [Positional<Options>] { fail([]) }
      static var examples: [ExampleSchema] { fail([]) }
      private static func fail<Value>(_ value: Value) -> Value {
        Issue.record("evaluated unnecessarily")
        return value
      }
    }
    let root = CommandGroup<Sample.Action, Void>("ifttt", summary: "") {
      [
        .command(Trap.self, facts: ()) { _ in .trap },
        .group("noun", summary: "") {
          Issue.record("opened unnecessarily")
          return []
        },
        .command(Sample.List.self, facts: ()) { .list($0) },
      ]
    }
    let parser = Parser(root: root, globals: Sample.Globals.flags, defaults: Sample.Globals())
    guard case .run(.list, _, _) = parser.parse([RawArgument("list")], environment: { _ in nil }).outcome else {
      Issue.record("expected a run")
      return
    }
  }

  /// A group can have a default subcommand; its page and its other subcommands remain available.
  @Test func aGroupCanHaveADefaultSubcommand() {
    let root = CommandGroup<Sample.Action, Void>("ifttt", summary: "") {
      [
        .group("events", summary: "", defaultCommand: "list") {
          [.command(Sample.List.self, facts: ()) { .list($0) }, .command(Sample.Show.self, facts: ()) { .show($0) }]
        }
      ]
    }
    let parser = Parser(root: root, globals: Sample.Globals.flags, defaults: Sample.Globals())
    func outcome(_ words: String...) -> ParseOutcome<Sample.Action> {
      parser.parse(words.map { RawArgument($0) }, environment: { _ in nil }).outcome
    }
    guard case .run(.list, path: ["events", "list"], _) = outcome("events") else { return record(outcome("events")) }
    guard case .run(.list, path: ["events", "list"], _) = outcome("events", "list") else { return record("list") }
    guard case .help(path: ["events"], isFull: true) = outcome("events", "--help") else { return record("--help") }
    guard case .help(path: ["events"], isFull: true) = outcome("events", "help") else { return record("help") }
    guard case .usage = outcome("events", "lisst") else { return record("lisst") }
    guard case .run(.show, _, _) = outcome("events", "show", "a") else { return record("show") }
    func record(_ what: Any) { Issue.record("\(what)") }
  }
}
