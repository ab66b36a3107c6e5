import CommandLine
import HTTP
package import IFTTT
package import JSON
import Sandbox
import Session
import Text
import World

enum SandboxSeedCommand: Command {
  struct Options: CommandOptions {
    var seed: BuiltInSeed?
    var definition: String?
    var isRunning = false
    var server = ServerChoice()

    /// Whether to print the state of a running server. Its URL alone selects it too.
    var printsState: Bool { isRunning || server.url != nil }
  }

  static let name = "seed"
  static let summary = "Print the sandbox's fixtures as a file to edit"
  static var discussion: [String] {
    [
      "Edit the output and pass it to 'ifttt sandbox start --seed FILE'. ifttt-sandbox(7) describes the format.",
      """
      The built-in seeds have the same ids, credentials and fields. The texts of 'unusual' test how a program handles \
      other scripts, emoji, markup and escapes.
      """,
      """
      With --definition, prints fixtures for the service in a service definition: one connection for each trigger, \
      with one feature for each action. The first feature also has the queries. Nothing is enabled at first. \
      'schema service-definition' prints the schema of the file.
      """,
      """
      With --running, prints the present state of the running server, with the users that it created, their tokens and \
      what they enabled and configured. 'sandbox start --seed' and 'sandbox reset --seed' continue from this file. \
      Keep it private: it has the tokens that a partner's server issued.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .value(
        "seed", .oneOf(BuiltInSeed.self, placeholder: "SEED", help: \.summary), into: \.seed, defaultText: "plain",
        help: "Print this built-in seed"),
      .value("definition", .file, into: \.definition, help: "Generate the fixtures from this service definition"),
      .toggle("running", into: \.isRunning, help: "Print the present state of the running server"),
    ] + .lifted(ServerChoice.flags, into: \.server)
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("sandbox seed", "print fixtures to edit"),
      ExampleSchema("sandbox seed --seed unusual", "print the fixtures with unusual texts"),
      ExampleSchema("sandbox seed --definition definition.json", "print fixtures for your own service"),
      ExampleSchema("sandbox seed --running", "print the present state, to continue from it later"),
    ]
  }

  static func check(_ options: Options) throws(Conflict) {
    if options.seed != nil, options.definition != nil {
      throw Conflict("--seed cannot be combined with --definition", options: ["seed", "definition"])
    }
    if options.printsState, let other = options.seed != nil ? "seed" : options.definition.map({ _ in "definition" }) {
      throw Conflict(
        "--\(other) cannot be combined with the state of a running server",
        options: [other, options.isRunning ? "running" : "url"])
    }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let seed: JSONValue
    if options.printsState {
      seed = try ServerControl(options.server, in: session).send(.get, "/seed")
    } else {
      seed = try options.definition.map { try definedSeed(in: $0, session) } ?? SandboxSeed(options.seed ?? .plain).json
    }
    // The seed is a file to edit, so it is indented in a pipe too. On a terminal, control characters are also escaped.
    if session.world.terminal.outputIsTerminal { return Output(body: .document(seed.bytes)) }
    return Output.bytes(seed.indented)
  }

  private static func definedSeed(in path: String, _ session: Session) throws -> JSONValue {
    let bytes = try session.console.contents(of: path, for: "--definition", limit: SandboxSeed.sizeLimit)
    var reason: String
    do throws(ServiceDefinitionError) {
      let json = DefinedSeed(try ServiceDefinition(parsing: bytes)).json
      // Report an id that a seed cannot have now, not only when the seed is used.
      do throws(SeedError) {
        _ = try SandboxSeed(parsing: json.bytes)
        return json
      } catch { reason = "its seed would be rejected: \(error)" }
    } catch { reason = error.description }
    throw Problem(
      .refused, "'\(path)' is not a service definition", reason: reason,
      hint: "Compare it with the output of \(ifttt: "schema service-definition").")
  }
}

/// A seed made from a service definition, with connections that use every trigger, query and action of the service.
///
/// There is one connection for each trigger, and in it one feature for each action. The queries are in the first
/// feature of each connection. The default value of an action's text fields is the trigger's first ingredient.
package struct DefinedSeed {
  private let definition: ServiceDefinition
  private let service: String

  package init(_ definition: ServiceDefinition) {
    self.definition = definition
    service = definition.id ?? "my_service"
  }

  private var name: String { definition.name ?? service }
  /// The id of the service's user, who has not enabled any connection.
  private static let user = "user-1"

  package var json: JSONValue {
    let triggers = definition.steps[.triggers] ?? []
    let connections = triggers.enumerated().map { connection($0 + 1, $1) }
    return [
      "format": 1,
      "services": [
        [
          "id": .string(service), "name": .string(name), "color": "#3a7d44",
          "key": .string("sandbox-key-\(service)"),
          "authentication": .string(definition.usesSignIn == false ? "none" : "oauth2"),
        ]
      ],
      "users": [
        [
          "id": .string(Self.user), "service": .string(service), "login": "user_1", "email": "user-1@mail.test",
          "user_token": .string("sandbox-user-token-\(service)"),
          "access_token": .string("sandbox-access-token-\(service)"),
        ]
      ],
      "accounts": ["user-1@mail.test"],
      // Without triggers, the actions and queries can still be run by requests.
      "connections": .array(triggers.isEmpty ? [connection(1, nil)] : connections),
    ]
  }

  private func connection(_ number: Int, _ trigger: ServiceDefinition.Step?) -> JSONValue {
    let id = "\(service)-\(number)"
    let title = trigger.map { $0.name ?? $0.slug } ?? name
    let actions = definition.steps[.actions] ?? []
    let features = actions.enumerated().map { index, action in
      feature("\(id)-f\(index + 1)", trigger, action, hasQueries: index == 0)
    }
    return [
      "id": .string(id), "name": .string(title), "description": .string("Generated from a service definition."),
      "services": [.string(service)], "published_at": "2026-01-31T12:00:00+00:00",
      "features": .array(features.isEmpty ? [feature("\(id)-f1", trigger, nil, hasQueries: true)] : features),
    ]
  }

  private func feature(
    _ id: String, _ trigger: ServiceDefinition.Step?, _ action: ServiceDefinition.Step?, hasQueries: Bool
  ) -> JSONValue {
    let queries = hasQueries ? definition.steps[.queries] ?? [] : []
    let ingredient = trigger?.ingredients?.first
    return [
      "id": .string(id), "title": .string(action.map { $0.name ?? $0.slug } ?? name),
      "triggers": .array([trigger].compactMap { $0 }.map { step("\(id)-t", $0, examples: $0.ingredients ?? []) }),
      "queries": .array(queries.enumerated().map { step("\(id)-q\($0 + 1)", $1) }),
      "actions": .array([action].compactMap { $0 }.map { step("\(id)-a", $0, filledWith: ingredient) }),
    ]
  }

  /// - Parameter ingredient: the ingredient for the default value of text fields; nil for no default value.
  /// - Parameter names: the ingredients of a trigger, with which a person can fire it before the server has an event.
  private func step(
    _ id: String, _ step: ServiceDefinition.Step, filledWith ingredient: String? = nil, examples names: [String] = []
  ) -> JSONValue {
    var json: JSONObject = [
      "id": .string(id), "service": .string(service), "slug": .string(step.slug),
      "label": .string(step.name ?? step.slug), "fields": .array(step.fields.map { field($0, ingredient) }),
    ]
    if step.isContextual { json["validation"] = "contextual" }
    var row: JSONObject = [:]
    for name in names { row[name] = .string("Example of \(name)") }
    if !row.members.isEmpty { json["rows"] = [.object(row)] }
    return .object(json)
  }

  private func field(_ field: ServiceDefinition.Field, _ ingredient: String?) -> JSONValue {
    let type = Self.types[field.type ?? ""] ?? (field.hasOptions ? "COLLECTION_SELECT" : "TEXT_FIELD")
    var json: JSONObject = [
      "id": .string(field.slug), "label": .string(field.label ?? field.slug), "type": .string(type),
      "required": .bool(field.isRequired),
    ]
    // A server rejects a value that is not among its options.
    if let ingredient, !field.hasOptions, type == "TEXT_FIELD" || type == "TEXT_AREA" {
      json["preset"] = .string("{{\(ingredient)}}")
    }
    return .object(json)
  }

  /// The names in the Connect API of the types of a definition's fields.
  private static let types = [
    "TEXT_FIELD": "TEXT_FIELD", "TEXT_AREA": "TEXT_AREA", "DROPDOWN_MENU": "COLLECTION_SELECT",
    "COLLECTION_SELECT": "COLLECTION_SELECT", "DOUBLE_COLLECTION_SELECT": "DOUBLE_COLLECTION_SELECT",
    "CHECKBOX": "CHECKBOX_MULTI", "CHECKBOX_MULTI": "CHECKBOX_MULTI", "LOCATION_POINT": "LOCATION_POINT",
    "LOCATION_RADIUS": "LOCATION_RADIUS", "LOCATION_ENTER": "LOCATION_ENTER", "LOCATION_EXIT": "LOCATION_EXIT",
    "LOCATION_ENTER_OR_EXIT": "LOCATION_ENTER_OR_EXIT", "LOCATION_ENTER_AND_EXIT": "LOCATION_ENTER_OR_EXIT",
  ]
}
