import HTTP
package import JSON
import Text

/// The description of what a partner's server must offer to IFTTT, in OpenAPI 3.1 (docs/api/service.md §3 to §6 and
/// §10). A service definition makes it specific: each trigger, query, action and field then has a path of its own.
package struct ServiceDescription {
  private let definition: ServiceDefinition?
  private let version: String
  /// The operations of triggers, queries and actions, and their schemas.
  private var steps: [ServiceStepKind: [APIPath]] = [:]
  private var schemas: JSONObject

  /// - Parameters:
  ///   - definition: Nil for the description of any service.
  ///   - version: The version of the program.
  package init(_ definition: ServiceDefinition?, version: String) {
    (self.definition, self.version) = (definition, version)
    schemas = APIDocument.parsed(ServiceMessageSchemas.document).object ?? [:]
    for kind in ServiceStepKind.allCases {
      guard let definition else {
        steps[kind] = paths(of: .any(kind), kind, name: kind.word)
        continue
      }
      let (request, response) = (schemas["\(kind.word)_request"] ?? [:], schemas["\(kind.word)_response"] ?? [:])
      (schemas["\(kind.word)_request"], schemas["\(kind.word)_response"]) = (nil, nil)
      for step in definition.steps[kind] ?? [] {
        let name = unused("\(kind.word)_\(step.slug.asName)")
        schemas["\(name)_request"] = ServiceSchemas.request(of: kind, step.fields, from: request)
        schemas["\(name)_response"] = ServiceSchemas.response(of: kind, step, from: response)
        if step.isContextual {
          schemas["\(name)_validities"] = ServiceSchemas.validities(
            of: step.fields, from: schemas["trigger_validities"] ?? [:])
        }
        steps[kind, default: []] += paths(of: step, kind, name: name)
      }
    }
  }

  package var json: JSONValue {
    var examples = APIDocument.Examples()
    for webhook in ServiceWebhook.samples { examples.bodies["\(webhook.event)Webhook"] = .object(webhook.body) }
    func group(_ name: String, _ summary: String, _ paths: [APIPath]) -> APIDocument.Group? {
      paths.isEmpty ? nil : APIDocument.Group(name, summary, server: nil, paths)
    }
    let groups = [
      group("Service", "The service and its users", servicePaths),
      group("Triggers", "Events that start an Applet", steps[.triggers] ?? []),
      group("Queries", "Data that an Applet reads", steps[.queries] ?? []),
      group("Actions", "Effects of an Applet", steps[.actions] ?? []),
      group("Webhooks", "Changes of connections, and fired triggers", webhookPaths),
    ]
    return APIDocument(
      title: definition.map { $0.name ?? $0.id ?? "A service" } ?? "A service of IFTTT",
      description: Self.notes, version: version, groups.compactMap(\.self),
      components: [
        "securitySchemes": APIDocument.parsed(ServiceMessageSchemas.credentials),
        "parameters": APIParameter.components(ServiceMessageSchemas.parameters),
        "responses": APIDocument.parsed(ServiceMessageSchemas.serverResponses), "schemas": .object(schemas),
      ], examples: examples
    ).json
  }

  private static let notes = """
    The endpoints that IFTTT calls on the server of a service. Ignore members of a request that you do not know: IFTTT \
    adds random ones to find out. Each request has an `X-Request-ID`; a check of a trigger after a notification has \
    `X-IFTTT-Realtime: 1`. Each operation has its certainty in `x-certainty`: DOC (IFTTT's documentation), REPO (code \
    that IFTTT published), or 3P (other sources).
    """

  /// The credentials of requests on behalf of a user.
  private var credentials: [APIOperation.Credential] {
    switch definition?.usesSignIn {
    case true?: [.accessToken]
    case false?: [.serviceKey]
    case nil: [.accessToken, .serviceKey]
    }
  }

  // MARK: The service and its webhooks

  private var servicePaths: [APIPath] {
    let status = APIOperation(
      .get, "showStatus", "Respond if the service works", [.documented, .published], [.serviceKey],
      [
        APIResponse(200, "The service works"), APIResponse(401, "The key is wrong"),
        APIResponse(503, "The service is down"),
      ])
    let setup = APIOperation(
      .post, "setUpTest", "Prepare data for the endpoint tests", [.documented, .published], [.serviceKey],
      [APIResponse(200, "OK", schema: "TestSetup"), .error(401)])
    let paths = [APIPath("/ifttt/v1/status", [status]), APIPath("/ifttt/v1/test/setup", [setup])]
    guard credentials.contains(.accessToken) else { return paths }
    let user = APIOperation(
      .get, "showUser", "Show the user of the access token", [.documented, .published], [.accessToken],
      [APIResponse(200, "OK", schema: "UserInfo"), .error(401)]
        // A service without sign-in has no users.
        + (definition?.usesSignIn == true ? [] : [.error(404)]))
    return paths + [APIPath("/ifttt/v1/user/info", [user])]
  }

  private var webhookPaths: [APIPath] {
    ServiceWebhook.samples.map { webhook in
      APIPath(
        "/ifttt/v1/\(webhook.path)",
        [
          APIOperation(
            .post, "\(webhook.event)Webhook", "Receive a webhook", [.documented], [.serviceKey],
            body: .required("\(webhook.event)Webhook"),
            [
              APIResponse(200, "The webhook is accepted"), APIResponse(204, "The webhook is accepted"), .error(400),
              .error(401),
            ])
        ])
    }
  }

  // MARK: Triggers, queries and actions

  /// The paths of a step.
  /// - Parameter name: The beginning of the names of its operations and schemas.
  private func paths(of step: ServiceDefinition.Step, _ kind: ServiceStepKind, name: String) -> [APIPath] {
    let base = "/ifttt/v1/\(kind.rawValue)/\(segment(step.slug))"
    var paths: [APIPath] = []
    func add(_ path: String, _ id: String, _ summary: String, _ request: String, _ response: String) {
      let invalid = APIResponse.error(400, path.isEmpty && kind == .actions ? "ActionErrors" : "Errors")
      let operation = APIOperation(
        .post, name + id, summary, [.documented, .published], credentials, body: .required(request),
        [APIResponse(200, "OK", schema: response), invalid] + rejections)
      paths.append(APIPath(base + path, [operation]))
    }
    add("", "", step.name ?? kind.summary, "\(name)_request", "\(name)_response")
    for field in step.fields {
      let (path, id) = ("/fields/\(segment(field.slug))", "_\(field.slug.asName)")
      if field.hasOptions { add("\(path)/options", "\(id)_options", "List the options of a field", "Empty", "Options") }
      if kind == .triggers, field.isValidated, !step.isContextual {
        add("\(path)/validate", "\(id)_validate", "Validate a value", "FieldValidation", "Validity")
      }
    }
    guard kind == .triggers else { return paths }
    if step.isContextual || definition == nil {
      add(
        "/validate", "_validate", "Validate values that depend on each other", "Validation",
        "\(name)_validities")
    }
    let deletion = APIOperation(
      .delete, "\(name)_delete_identity", "Forget a trigger identity that no Applet uses", [.documented, .published],
      credentials, [APIResponse(200, "It is forgotten"), APIResponse(204, "It is forgotten")] + rejections)
    return paths + [APIPath("\(base)/trigger_identity/{trigger_identity}", [deletion])]
  }

  /// The segment of a path for a slug: a parameter if it stands for any.
  private func segment(_ slug: String) -> String { definition == nil ? "{\(slug)}" : Percent.encode(slug) }

  /// A path with parameters may name something that does not exist.
  private var rejections: [APIResponse] { definition == nil ? [.error(401), .error(404)] : [.error(401)] }

  /// The name, with a number if another step has it.
  private func unused(_ name: String) -> String {
    var (candidate, number) = (name, 2)
    while schemas["\(candidate)_request"] != nil { (candidate, number) = ("\(name)_\(number)", number + 1) }
    return candidate
  }
}

extension ServiceDefinition.Step {
  /// The step that stands for any of its kind.
  fileprivate static func any(_ kind: ServiceStepKind) -> Self {
    let field = ServiceDefinition.Field(
      slug: "field", label: nil, type: nil, isRequired: true, hasOptions: true, isValidated: true)
    return Self(slug: kind.word, name: nil, fields: [field], ingredients: nil, isContextual: false)
  }
}

extension APIResponse {
  fileprivate static func error(_ status: Int, _ schema: String = "Errors") -> APIResponse {
    let summary =
      switch status {
      case 400: schema == "Errors" ? "The request is invalid" : "The request is invalid, or IFTTT must skip the event"
      case 401: "The credential is missing or invalid"
      default: "The endpoint does not exist"
      }
    return APIResponse(status, summary, schema: schema)
  }
}

extension ServiceStepKind {
  /// The singular.
  fileprivate var word: String {
    switch self {
    case .triggers: "trigger"
    case .queries: "query"
    case .actions: "action"
    }
  }

  fileprivate var summary: String {
    switch self {
    case .triggers: "List the latest events, newest first"
    case .queries: "List the rows of a page"
    case .actions: "Run the action"
    }
  }
}

extension String {
  /// The text with `_` in place of characters that a name of a schema cannot have.
  fileprivate var asName: String {
    String(decoding: utf8.map { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
  }
}
