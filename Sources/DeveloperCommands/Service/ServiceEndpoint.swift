import CommandLine
import HTTP
package import IFTTT
import JSON
import Session
import Text

/// An endpoint of a partner's server, named by its path below `/ifttt/v1` (docs/api/service.md §1 to §10).
package enum ServiceEndpoint: Sendable, Equatable {
  case status
  case setup
  case user
  case step(ServiceStepKind, String)
  case options(ServiceStepKind, String, field: String)
  /// The validation of one field, or of all fields together.
  case validation(trigger: String, field: String?)
  /// The end of the last use of a trigger identity.
  case identity(trigger: String, String)
  case webhook(type: String, event: String)

  static let forms = """
    status, test/setup, user/info, triggers/SLUG, queries/SLUG, actions/SLUG, …/SLUG/fields/FIELD/options, \
    triggers/SLUG/fields/FIELD/validate, triggers/SLUG/validate, triggers/SLUG/trigger_identity/ID, \
    webhooks/connection/enabled, …/updated, …/disabled or webhooks/trigger_subscription/fired
    """

  /// The endpoints that a server with this definition has, except for trigger identities.
  package static func all(in definition: ServiceDefinition?) -> [(endpoint: ServiceEndpoint, name: String?)] {
    let steps = ServiceStepKind.allCases.flatMap { kind in
      (definition?.steps[kind] ?? []).flatMap { step -> [(endpoint: ServiceEndpoint, name: String?)] in
        let fields = step.fields.flatMap { field -> [ServiceEndpoint] in
          (field.hasOptions ? [.options(kind, step.slug, field: field.slug)] : [])
            + (field.isValidated && !step.isContextual ? [.validation(trigger: step.slug, field: field.slug)] : [])
        }
        let contextual = step.isContextual ? [ServiceEndpoint.validation(trigger: step.slug, field: nil)] : []
        return ([.step(kind, step.slug)] + contextual + fields).map { ($0, step.name) }
      }
    }
    let webhooks = ServiceWebhook.samples.compactMap { ServiceEndpoint(parsing: $0.path.description) }
    return [.status, .setup, .user].map { ($0, nil) } + steps + webhooks.map { ($0, nil) }
  }

  /// Returns nil for any other path.
  init?(parsing text: String) {
    let path = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard !path.contains("") else { return nil }
    let kind = path.first.flatMap(ServiceStepKind.init)
    switch (path.count, kind, path.last) {
    case (1, nil, "status"): self = .status
    case (2, nil, "setup") where path[0] == "test": self = .setup
    case (2, nil, "info") where path[0] == "user": self = .user
    case (2, let kind?, _): self = .step(kind, path[1])
    case (3, .triggers, "validate"): self = .validation(trigger: path[1], field: nil)
    case (4, .triggers, _) where path[2] == "trigger_identity": self = .identity(trigger: path[1], path[3])
    case (5, let kind?, "options") where path[2] == "fields": self = .options(kind, path[1], field: path[3])
    case (5, .triggers, "validate") where path[2] == "fields": self = .validation(trigger: path[1], field: path[3])
    case (3, nil, _) where path[0] == "webhooks":
      guard ServiceWebhook.samples.contains(where: { $0.path == ServicePath(path) }) else { return nil }
      self = .webhook(type: path[1], event: path[2])
    default: return nil
    }
  }

  package var path: ServicePath {
    switch self {
    case .status: .status
    case .setup: .testSetup
    case .user: .userInfo
    case .step(let kind, let slug): kind.path(slug)
    case .options(let kind, let slug, let field): kind.path(slug).appending("fields", field, "options")
    case .validation(let slug, let field?): ServiceStepKind.triggers.path(slug).appending("fields", field, "validate")
    case .validation(let slug, nil): ServiceStepKind.triggers.path(slug).appending("validate")
    case .identity(let slug, let id): ServiceStepKind.triggers.path(slug).appending("trigger_identity", id)
    case .webhook(let type, let event): ServicePath("webhooks", type, event)
    }
  }

  var method: HTTP.Method {
    switch self {
    case .status, .user: .get
    case .identity: .delete
    case .setup, .step, .options, .validation, .webhook: .post
    }
  }

  /// Whether IFTTT calls it on behalf of a user, with that user's access token if users sign in.
  var isForUser: Bool {
    switch self {
    case .status, .setup, .webhook: false
    case .user, .step, .options, .validation, .identity: true
    }
  }

  /// Whether a request has a lasting effect, so that it is not repeated after an unclear failure.
  var hasEffect: Bool {
    switch self {
    case .step(.actions, _), .webhook, .identity: true
    default: false
    }
  }

  /// The form of `data` in a response, for an error.
  var dataForm: String {
    switch self {
    case .setup, .user, .validation: "{…}"
    case .status, .step, .options, .identity, .webhook: "[…]"
    }
  }

  /// The rows to print for `data`; nil if it has another form.
  func rows(of data: JSONValue) -> [JSONObject]? {
    switch self {
    case .status, .webhook, .identity: return nil
    case .setup, .user, .validation(_, .some): return data.object.map { [$0] }
    case .step: return data.array.flatMap { $0.allSatisfy { $0.object != nil } ? $0.compactMap(\.object) : nil }
    case .validation(_, nil):
      return data.object?.members.map { field, result in
        JSONObject(members: [("field", .string(field))] + (result.object?.members ?? []))
      }
    case .options:
      guard let items = data.array else { return nil }
      return items.flatMap { item -> [JSONObject] in
        guard let group = item["values"]?.array else { return [item.object].compactMap(\.self) }
        return group.compactMap(\.object).map { option in
          JSONObject(members: [("group", item["label"] ?? .null)] + option.members)
        }
      }
    }
  }
}

extension ValueKind<ServiceEndpoint> {
  static var serviceEndpoint: ValueKind {
    .parsed(
      "ENDPOINT", completion: .dynamic(CompletionCandidates.serviceEndpoint.rawValue),
      expected: "one of: \(ServiceEndpoint.forms)"
    ) { ServiceEndpoint(parsing: $0) }
  }
}
