import CommandLine
import Support
import Testing

/// A small program for parser tests, with the same forms of options and arguments as the real one.
enum Sample {
  enum Status: String, CaseIterable, Sendable {
    case enabled, disabled
    case neverEnabled = "never_enabled"
  }

  enum Format: String, CaseIterable, Sendable {
    case table, json, jsonl, csv, tsv
  }

  struct Globals: Sendable, Equatable {
    var profile: String?
    var output = Format.table
    var fields: [String]?
    var maxAge = Duration.seconds(60)
    var retries = 3
    var noPlugins = false
    var exitCode = false
    var quiet = false
    var verbose = false

    static var flags: [Flag<Globals>] {
      [
        .value("profile", .nonEmpty("NAME"), into: \.profile, environment: "IFTTT_PROFILE", help: "The profile"),
        .value(
          "output", short: "o", .oneOf(Format.self, placeholder: "FORMAT"), into: \.output, environment: "IFTTT_OUTPUT",
          defaultText: "table", help: "How to print"),
        .constant("json", Format.json, into: \.output, help: "Same as --output json"),
        .list("fields", .nonEmpty("A,B", completion: .dynamic("field")), into: \.fields, help: "Only these"),
        .value("max-age", .duration, into: \.maxAge, defaultText: "60s", help: "How old a row may be"),
        .value("retries", .integer(in: 0...10), into: \.retries, environment: "IFTTT_RETRIES", help: "Tries"),
        .toggle("no-plugins", into: \.noPlugins, environment: "IFTTT_NO_PLUGINS", help: "Built-in alone"),
        .toggle("exit-code", into: \.exitCode, isAdvanced: true, help: "Exit 8 on a difference"),
        .toggle("quiet", short: "q", into: \.quiet, help: "No notes"),
        .toggle("verbose", short: "v", into: \.verbose, help: "Requests on stderr"),
      ]
    }
  }

  enum Action: Sendable, Equatable {
    case list(List.Options)
    case show(Show.Options)
    case run(Run.Options)
    case fields(Fields.Options)
    case exchange(Exchange.Options)
    case help(Help.Options)
    case trap
  }

  enum List: CommandDefinition {
    struct Options: CommandOptions, Equatable {
      var status: Status?
      var limit = 0
      var header = true
      var wait: Bool?
      var sets: [String] = []
      var ids: [Int] = []
      var sort: Format?
    }
    static let name = "list"
    static let summary = "List the connections"
    static var flags: [Flag<Options>] {
      [
        .value("status", short: "s", .oneOf(Status.self), into: \.status, help: "Only these"),
        .value("limit", short: "n", .integer(in: 0...Int.max), into: \.limit, help: "At most so many"),
        .toggle("header", negatable: true, into: \.header, help: "The heading line"),
        .toggle("wait", short: "w", into: \.wait, environment: "IFTTT_WAIT", help: "Wait for it"),
        .repeated("set", short: "S", .text("FIELD=VALUE"), into: \.sets, help: "Set a field"),
        .list("ids", .integer(in: 1...99, placeholder: "IDS"), into: \.ids, help: "Numbers"),
        .constant("as-csv", Format.csv, into: \.sort, help: "A switch for one value"),
      ]
    }
    static var examples: [ExampleSchema] { [ExampleSchema("connections list --status enabled", "What is on")] }
  }

  enum Show: CommandDefinition {
    struct Options: CommandOptions, Equatable {
      var ids: [String] = []
      var all = false
      var keyFile: String?
      var invite: String?
    }
    static let name = "show"
    static let summary = "Show one or more connections"
    static var flags: [Flag<Options>] {
      [
        .toggle("all", into: \.all, help: "All of them"),
        .value("service-key-file", .file, into: \.keyFile, help: "Where the service key is"),
        .value(
          "invite-code", .parsed("CODE", expected: "five letters") { $0.utf8.count == 5 ? $0 : nil },
          into: \.invite, environment: "IFTTT_INVITE_CODE", help: "An invite code"),
      ]
    }
    static var positionals: [Positional<Options>] {
      [.many(.nonEmpty("ID", completion: .dynamic("connection-id")), into: \.ids, help: "The connections")]
    }
    static func check(_ options: Options) throws(Conflict) {
      if options.all, !options.ids.isEmpty { throw Conflict("give ids or --all, not both", options: ["all"]) }
      if options.all, options.invite != nil { throw Conflict("an invite is for one", options: ["invite-code", "all"]) }
      if !options.all, options.ids.isEmpty { throw Conflict("give an id, or --all", options: ["all"]) }
    }
  }

  enum Run: CommandDefinition {
    struct Options: CommandOptions, Equatable {
      var id = Required<Int>()
      var action = ""
    }
    static let name = "run"
    static let summary = "Run an action"
    static var discussion: [String] { ["Sends the action at once."] }
    static var group: String? { "Actions" }
    static var positionals: [Positional<Options>] {
      [
        .required(.integer(in: 0...99, placeholder: "ID"), into: \.id, help: "The connection"),
        .required(
          .choice([Choice("log"), Choice("mail", "Sends a mail")], placeholder: "ACTION"), into: \.action,
          help: "The action"),
      ]
    }
  }

  enum Fields: CommandDefinition {
    struct Options: CommandOptions, Equatable {
      var first: String?
      var middle: [String] = []
      var last = ""
    }
    static let name = "fields"
    static let summary = "One that may be given, some, and one that must be"
    static var positionals: [Positional<Options>] {
      [
        .optional(.text("FIRST"), into: \.first, help: "May be left out"),
        .many(.text("MIDDLE"), atLeast: .one, into: \.middle, help: "One or more"),
        .required(.directory, into: \.last, help: "Must be there"),
      ]
    }
  }

  enum Exchange: CommandDefinition {
    struct Options: CommandOptions, Equatable {
      var reveal = false
      var tokenFile: String?
    }
    static let name = "exchange"
    static let summary = "Exchange a token"
    static var flags: [Flag<Options>] {
      [
        .toggle("reveal", into: \.reveal, help: "Show it"),
        .value("user-token-file", .file, into: \.tokenFile, help: "Where the token is"),
      ]
    }
  }

  enum Help: CommandDefinition {
    struct Options: CommandOptions, Equatable { var path: [String] = [] }
    static let name = "help"
    static let summary = "Show help on a command"
    static var positionals: [Positional<Options>] { [.commandPath(into: \.path, help: "The command")] }
  }

  static let parser = Parser(root: root, globals: Globals.flags, defaults: Globals())

  static let root = CommandGroup<Action, Void>("ifttt", summary: "IFTTT from the shell") {
    [
      .group("connections", summary: "Connections", discussion: ["What IFTTT calls a Connection."], heading: "Main") {
        [
          .command(List.self, facts: ()) { .list($0) }, .command(Show.self, facts: ()) { .show($0) },
          .command(Run.self, facts: ()) { .run($0) },
          .command(Fields.self, facts: ()) { .fields($0) },
        ]
      },
      .group("token", summary: "User tokens") { [.command(Exchange.self, facts: ()) { .exchange($0) }] },
      .command(Help.self, facts: ()) { .help($0) },
    ]
  }

  // MARK: Parsing

  static func read(_ words: [RawArgument], _ environment: [String: String] = [:]) -> ParseResult<Globals, Action> {
    parser.parse(words) { environment[$0] }
  }

  /// Parses a line as a shell would pass it.
  static func read(_ line: String, _ environment: [String: String] = [:]) throws -> ParseResult<Globals, Action> {
    read(try #require(ShellWords.split(line)), environment)
  }

  /// The action of a line that must be valid.
  static func action(
    _ line: String, _ environment: [String: String] = [:], sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Action {
    let outcome = try read(line, environment).outcome
    guard case .run(let action, _, _) = outcome else {
      Issue.record("expected a run: \(outcome)", sourceLocation: sourceLocation)
      throw NoRun()
    }
    return action
  }

  /// The error of a line that must be invalid.
  static func error(
    _ words: [RawArgument], _ environment: [String: String] = [:], sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> UsageError {
    let outcome = read(words, environment).outcome
    guard case .usage(let error) = outcome else {
      Issue.record("expected a usage error: \(outcome)", sourceLocation: sourceLocation)
      throw NoRun()
    }
    return error
  }

  static func error(
    _ line: String, _ environment: [String: String] = [:], sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> UsageError {
    try error(try #require(ShellWords.split(line)), environment, sourceLocation: sourceLocation)
  }

  struct NoRun: Error {}
}
