import Changes
import CommandLine
import ConnectionCommands
import DeveloperCommands
import IFTTT
import JSON
import Output
import Plugins
import Sandbox
import Session
import Text

enum SchemaCommand: Command {
  struct Options: CommandOptions {
    var nameParts: [String] = []
    var isOfService = false
    var definition: String?
  }

  static let name = "schema"
  static let summary = "Print the JSON Schema of a command's output, or an OpenAPI description"
  static let group: String? = "Help"
  static var discussion: [String] {
    [
      """
      Without a name, lists the schemas, including those of plugins whose manifests declare the output of their \
      commands. In the name of a subcommand, a hyphen is equivalent to a space. The '$id' of a schema ends in the version \
      of the program.
      """,
      """
      The name 'openapi' prints an OpenAPI 3.1 description of the HTTP API that the sandbox serves: the Connect API, \
      the Applets API, location and usage events, the Realtime API and Webhooks. Generate clients from it, or pass it \
      to tools that test an API. Its examples are responses of the sandbox. The member 'x-certainty' of each operation \
      states what is known about the operation at IFTTT: SDK, DOC (documentation), REPO (published code), 3P (others) \
      or DECISION. A running sandbox serves the description of its own seed at /openapi.json.
      """,
      """
      With --service, 'openapi' describes what the server of your own service must offer to IFTTT. With --definition, \
      each trigger, query, action and field of the service has a path and schemas of its own. \
      'schema service-definition' prints the schema of that file.
      """,
    ]
  }
  static var positionals: [Positional<Options>] {
    [.many(.nonEmpty("NAME", completion: .dynamic("schema")), into: \.nameParts, help: "Name of the schema")]
  }
  static var flags: [Flag<Options>] {
    [
      .toggle("service", into: \.isOfService, help: "With 'openapi': describe what the server of a service must offer"),
      .value(
        "definition", .file, into: \.definition,
        help: "With --service: describe the service in this service definition"),
    ]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("schema connections list", "print the JSON Schema (2020-12) of a command"),
      ExampleSchema("schema error", "print the schema of errors on stderr"),
      ExampleSchema("schema openapi", "describe the HTTP API of the sandbox"),
      ExampleSchema("schema openapi --service --definition definition.json", "describe the API of your own service"),
    ]
  }
  static var shape: OutputSchema? { .many(SchemaDocument.self) }

  static func check(_ options: Options) throws(Conflict) {
    if options.isOfService, options.nameParts != [SchemaDocument.openAPI.name] {
      throw Conflict("--service needs the name 'openapi'", options: ["service"])
    }
    if options.definition != nil, !options.isOfService {
      throw Conflict("--definition needs --service", options: ["definition"])
    }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    if options.isOfService {
      let definition = try options.definition.map { try session.serviceDefinition(in: $0) }
      return Output(body: .document(ServiceDescription(definition, version: programVersion).json.bytes))
    }
    let own = SchemaDocument.all + [SchemaDocument.openAPI]
    let name = options.nameParts.joined(separator: "-")
    if let document = own.first(where: { $0.name == name }) {
      return Output(body: .document(document.identified.bytes))
    }
    let documents = own + SchemaDocument.all(ofPluginsIn: session.tree.root)
    guard !options.nameParts.isEmpty else {
      return .rows(documents)
    }
    guard let document = documents.first(where: { $0.name == name }) else {
      let names = NearestNames.of(name, among: documents.map(\.name)).map { "'\($0)'" }
      throw Problem(
        .notFound, "no schema '\(name)'",
        hint: (names.isEmpty ? Hint("") : "Did you mean \(names.listed(with: "or"))? ")
          + "List them with \(ifttt: "schema").")
    }
    return Output(body: .document(document.identified.bytes))
  }
}

/// A JSON Schema, or another description in JSON, that `ifttt schema` prints.
struct SchemaDocument: OutputRecord {
  let name: String
  /// A description of what it applies to, for the list of names.
  let summary: String
  let schema: () -> JSONValue

  /// The schema with an identifier that contains the version of the program: a later version may have further members.
  var identified: JSONValue {
    guard case .object(let object) = schema(), object["$schema"] != nil else { return schema() }
    let identifier = JSONValue.string("urn:ifttt-cli:schema:\(name):\(programVersion)")
    let first = object.members.prefix { $0.key == "$schema" }
    return .object(
      JSONObject(members: first + [("$id", identifier)] + object.members.dropFirst(first.count)))
  }

  static let fields: Fields = [
    Field("name", "The name of the schema", column: "NAME", overflow: .keep) { $0.name },
    Field("describes", "What it applies to", column: "DESCRIBES") { $0.summary },
  ]

  /// The description of the sandbox, which is not a JSON Schema.
  static var openAPI: SchemaDocument {
    SchemaDocument(name: "openapi", summary: "the HTTP API of the sandbox, as OpenAPI 3.1") {
      Emulator(state: SandboxState()).description(version: programVersion)
    }
  }

  /// One schema for each command that prints JSON, named after it, followed by the schemas without a command.
  static var all: [SchemaDocument] {
    commands(below: .group(Root.group), []) + [
      SchemaDocument(name: "connection", summary: "one connection") {
        OutputSchema.connection.document(named: "connection")
      },
      SchemaDocument(name: "applet", summary: "one Applet") {
        OutputSchema.applets.single.document(named: "applet")
      },
      SchemaDocument(name: "planned-changes", summary: "the output of --dry-run of a change of connections or Applets")
      {
        OutputSchema.many(PlannedChange.self).document(named: "planned-changes")
      },
      SchemaDocument(name: "connections-history-run", summary: "the output of 'connections history RUN'") {
        OutputSchema.historyChanges(ofUsers: false).document(named: "connections-history-run")
      },
      SchemaDocument(name: "dry-run", summary: "the output of --dry-run of other commands") {
        OutputSchema.many(PlannedRequest.self).document(named: "dry-run")
      },
      SchemaDocument(name: "error", summary: "an error on stderr") {
        OutputSchema.one(ErrorLine.self).document(named: "error")
      },
      SchemaDocument(name: "token-exchange-users", summary: "the output of 'token exchange --users'") {
        OutputSchema.many(ExchangedUser.self).document(named: "token-exchange-users")
      },
      SchemaDocument(
        name: "connections-changes-users",
        summary: "the output of 'connections enable', 'disable' and 'apply' with --users"
      ) { OutputSchema.usersChanges.document(named: "connections-changes-users") },
      SchemaDocument(name: "connections-diff-users", summary: "the output of 'connections diff --users'") {
        OutputSchema.usersDifferences.document(named: "connections-diff-users")
      },
      SchemaDocument(name: "connections-export-users", summary: "the output of 'connections export --users'") {
        OutputSchema.usersExports.document(named: "connections-export-users")
      },
      SchemaDocument(name: "run-summary", summary: "the file of '--report summary=FILE'") {
        OutputSchema.one(RunSummary.self).document(named: "run-summary")
      },
      SchemaDocument(name: "connections-file", summary: "the file of 'connections export', 'diff' and 'apply'") {
        .written(ConnectionsFileSchema.document)
      },
      SchemaDocument(name: "connections-plan", summary: "the plan of 'connections diff' and 'apply'") {
        .written(PlanFileSchema.document)
      },
      SchemaDocument(name: "service-definition", summary: "the file of 'service test --definition'") {
        .written(ServiceDefinitionSchema.document)
      },
      SchemaDocument(name: "plugin-manifest", summary: "the plugin.json of a plugin") {
        .written(ManifestSchema.document)
      },
      SchemaDocument(name: "help", summary: "the output of 'help --json'") { .written(HelpSchema.text) },
    ]
  }

  /// The schemas of the plugins' commands whose manifests declare their output.
  static func all(ofPluginsIn root: CommandGroup<Action, OutputSchema?>) -> [SchemaDocument] {
    root.external?.all().flatMap { commands(below: $0, [$0.name]) } ?? []
  }

  private static func commands(below node: Node, _ path: [String]) -> [SchemaDocument] {
    switch node {
    case .group(let group): return group.children().flatMap { commands(below: $0, path + [$0.name]) }
    case .command(let command):
      guard let shape = command.facts() else { return [] }
      let name = path.joined(separator: "-")
      return [
        SchemaDocument(name: name, summary: "the output of '\(path.joined(separator: " "))'") {
          shape.document(named: name)
        }
      ]
    }
  }
}
