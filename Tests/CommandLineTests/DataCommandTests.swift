import CommandLine
import Support
import Testing

/// Commands known only as data: options are reported in order, and foreign arguments are passed on.
@Suite struct DataCommandTests {
  typealias Node = CommandNode<Invocation, Void>

  static let scope = OptionSchema(
    name: "scope", short: "s", help: "A scope", value: ValueSchema(placeholder: "SCOPE"), isRepeatable: true)
  static let login = CommandSchema(
    name: "login", summary: "Sign in",
    options: [
      scope,
      OptionSchema(name: "browser", help: "Open it", isNegatable: true, environment: "GRAB_BROWSER"),
      OptionSchema(
        name: "prompt", short: "p", help: "What is asked",
        value: ValueSchema(placeholder: "P", completion: .choices([Choice("none"), Choice("login")])),
        environment: "GRAB_PROMPT"),
    ],
    arguments: [
      ArgumentSchema(value: ValueSchema(placeholder: "ACCOUNT"), help: "Whose", isRequired: false, isRepeatable: true)
    ])

  static func node(_ schema: CommandSchema, forwardsArguments: Bool = false) -> Node {
    .command(CommandLeaf(schema, forwardsArguments: forwardsArguments, facts: {}) { $0 })
  }

  static func parser(_ external: [Node]) -> Parser<Sample.Globals, Invocation, Void> {
    let external = ExternalCommands<Invocation, Void>(
      named: { name in external.first { $0.name == name } }, all: { external },
      outlines: { external.map { $0.outline() } })
    let root = CommandGroup<Invocation, Void>("ifttt", summary: "", external: external) { [] }
    return Parser(root: root, globals: Sample.Globals.flags, defaults: Sample.Globals())
  }

  static let tree = parser([
    .group("grab", summary: "Grab") { [node(login)] },
    node(CommandSchema(name: "raw", summary: "Raw"), forwardsArguments: true),
  ])

  private func outcome(_ line: String, _ environment: [String: String] = [:]) throws -> ParseOutcome<Invocation> {
    Self.tree.parse(try #require(ShellWords.split(line))) { environment[$0] }.outcome
  }

  private func invocation(_ line: String, _ environment: [String: String] = [:]) throws -> Invocation {
    let outcome = try outcome(line, environment)
    guard case .run(let invocation, _, _) = outcome else {
      Issue.record("expected a run: \(outcome)")
      throw Sample.NoRun()
    }
    return invocation
  }

  private func error(_ line: String, _ environment: [String: String] = [:]) throws -> UsageError {
    guard case .usage(let error) = try outcome(line, environment) else { throw Sample.NoRun() }
    return error
  }

  @Test func optionsAreReportedInOrder() throws {
    let given = try invocation("grab login --no-browser ann -s a --prompt none --scope=b bob --browser")
    #expect(
      given.options == [
        .init(name: "browser", value: .flag(true)), .init(name: "scope", value: .texts(["a", "b"])),
        .init(name: "prompt", value: .text("none")),
      ])
    #expect(given.arguments == ["ann", "bob"])
    #expect(given.command == ["login"])
    #expect(given["scope"] == .texts(["a", "b"]))
    #expect(given["state"] == nil)
  }

  @Test func closedSetsAreEnforced() throws {
    let wrong = try error("grab login --prompt nine")
    #expect(wrong.message == "invalid value 'nine' for '--prompt'")
    #expect(wrong.accepted == ["none", "login"])
    #expect(try error("grab login --promt none").suggestions == ["ifttt grab login --prompt none"])
    #expect(try error("grab login --browser=no").kind == .unwantedValue)
    #expect(try error("grab logon").suggestions == ["ifttt grab login"])
  }

  @Test func variablesProvideMissingValues() throws {
    let variables = ["GRAB_BROWSER": "no", "GRAB_PROMPT": "login"]
    let given = try invocation("grab login --prompt none", variables)
    #expect(given["browser"] == .flag(false))
    #expect(given["prompt"] == .text("none"))
    #expect(try error("grab login", ["GRAB_PROMPT": "x"]).message == "invalid value 'x' for '--prompt' in GRAB_PROMPT")
  }

  @Test(arguments: [
    ("grab login -s a ann", "login -s a ann"),
    ("--profile work grab login --json", "login"),
    ("grab --output json login --output=csv -otsv -o json ann", "login ann"),
    ("-q grab login -qsa -vq -qp none", "login -sa -p none"),
    ("grab -v login -vosx -- --json -q", "login -- --json -q"),
    ("grab login --scope --json x", "login --scope --json x"),
    ("grab login --profile= ann", "login ann"),
  ])
  func argumentsExcludeGlobalOptions(_ line: String, _ expected: String) throws {
    // A global option takes the next argument as its value, whatever it is.
    let words = line == "grab -v login -vosx -- --json -q" ? "grab -v login -vojson -- --json -q" : line
    let reading = Self.tree.parse(try #require(ShellWords.split(words))) { _ in nil }
    let given =
      switch reading.outcome {
      case .run(let invocation, _, _): invocation.rawArguments.map(\.text).joined(separator: " ")
      case .usage(let error): error.message
      default: ""
      }
    #expect(
      given == (line.hasSuffix("--profile= ann") ? "invalid value '' for '--profile': it must not be empty" : expected))
  }

  @Test(arguments: [
    ("raw a --unknown -x --json b", "a --unknown -x b"),
    ("raw -qx -q -vq", "-qx"),
    ("raw -- --json --help", "-- --json --help"),
    ("--json raw", ""),
    ("raw --output=json -", "-"),
  ])
  func undescribedArgumentsArePassedOn(_ line: String, _ expected: String) throws {
    #expect(try invocation(line).rawArguments.map(\.text).joined(separator: " ") == expected)
  }

  @Test func invalidUTF8IsPassedOn() throws {
    let reading = Self.tree.parse([RawArgument("raw"), RawArgument(bytes: [0xff, 0x2f, 0xfe])]) { _ in nil }
    guard case .run(let given, _, _) = reading.outcome else { throw Sample.NoRun() }
    #expect(given.rawArguments == [RawArgument(bytes: [0xff, 0x2f, 0xfe])])
  }

  @Test func helpIsHandledByTheProgram() throws {
    for line in ["raw --help", "grab login --help", "raw -h x"] {
      guard case .help = try outcome(line) else {
        Issue.record("\(line)")
        continue
      }
    }
  }

  @Test func aMissingRequiredArgumentIsReported() throws {
    let schema = CommandSchema(
      name: "add", summary: "Add", arguments: [ArgumentSchema(value: ValueSchema(placeholder: "TITLE"), help: "What")])
    let reading = Self.parser([Self.node(schema)]).parse([RawArgument("add")]) { _ in nil }
    guard case .usage(let error) = reading.outcome else { throw Sample.NoRun() }
    #expect(error.message == "missing argument TITLE")
  }
}
