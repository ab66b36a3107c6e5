import HTTP
import JSON
import Text

/// The probes of the triggers, queries and actions that `test/setup` and the service definition name.
struct EndpointPlan {
  let plan: ServiceTestPlan
  let setup: TestSetup
  /// Nil for a service without sign-in.
  let token: Secret?

  var requests: ServiceRequests { plan.requests }
  var credential: ServiceCredential { token.map(ServiceCredential.accessToken) ?? .serviceKey(plan.serviceKey) }
  var wrongCredential: ServiceCredential {
    token == nil ? .serviceKey(ServiceTestPlan.wrongCredential) : .accessToken(ServiceTestPlan.wrongCredential)
  }
  var wrongCredentialCheck: ServiceCheck { token == nil ? .wrongKey : .wrongToken }

  /// A trigger, query or action, and its field options.
  var steps: [Probe] {
    ServiceStepKind.allCases.flatMap { kind in
      slugs(kind).flatMap { slug in
        StepProbes(endpoints: self, kind: kind, slug: slug).probes + options(kind, slug)
      }
    }
  }

  /// In the order of the definition, then of the samples.
  private func slugs(_ kind: ServiceStepKind) -> [String] {
    let defined = (plan.definition?.steps[kind] ?? []).map(\.slug)
    var samples = (setup.fields[kind] ?? []).map(\.slug)
    if kind == .actions { samples += setup.skipped.map(\.slug).filter { !samples.contains($0) } }
    return defined + samples.filter { !defined.contains($0) }
  }

  private func options(_ kind: ServiceStepKind, _ slug: String) -> [Probe] {
    let fields: [(name: String, isDefined: Bool)] =
      if let step = plan.definition?.step(kind, slug) {
        step.fields.filter(\.hasOptions).map { ($0.slug, true) }
      } else {
        (setup.sample(kind, slug) ?? [:]).members.map { ($0.key, false) }
      }
    return fields.flatMap { field in
      let path = kind.path(slug).field(field.name, "options")
      return ExtraDataProbes(self, .options, path, body: [:], checks: [.response, .contentType, .optionsList]) {
        exchange in
        if exchange.status == 404, !field.isDefined {
          return [.response, .contentType, .optionsList].map { ($0, .skipped("the field has no options")) }
        }
        switch exchange.data {
        case .failure(let error):
          return [
            (.response, .failed(error.message)), (.contentType, .noData), (.optionsList, .noData),
          ]
        case .success(let data):
          return [
            (.response, .passed), (.contentType, exchange.contentType),
            (.optionsList, Finding(problem: FieldOptionsRule.problem(of: data))),
          ]
        }
      } next: { exchange, adapt in
        exchange.isSuccess ? rejection(.options, path, adapt([:])) : []
      }.probes
    }
  }

  var validations: [Probe] {
    let triggers = setup.validations.map(\.trigger).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    return triggers.flatMap { ValidationProbes(endpoints: self, trigger: $0).probes }
  }

  /// The probe with a wrong credential.
  /// - Parameter body: the body as sent, with the random key only if the endpoint tolerates it.
  func rejection(
    _ part: ServicePart, _ path: ServicePath, _ body: JSONObject, isRepeatable: Bool = true
  ) -> [Probe] {
    guard plan.selects([wrongCredentialCheck], part, path) else { return [] }
    let request = requests.request(
      .post, path, wrongCredential, body: body, isRepeatable: isRepeatable)
    return [Probe(part, path, request, wrongCredentialCheck) { $0.isRejected(with: 401) }]
  }
}

/// The form of field options.
enum FieldOptionsRule {
  /// The first deviation from the form; nil if there is none.
  static func problem(of data: JSONValue) -> String? {
    guard case .array(let options) = data else { return "\"data\" is not an array" }
    for (index, option) in options.enumerated() {
      if let problem = problem(of: option, mayBeGroup: true) { return "data[\(index)]\(problem)" }
    }
    return nil
  }

  private static func problem(of option: JSONValue, mayBeGroup: Bool) -> String? {
    guard case .object(let option) = option else { return " is not an object" }
    guard case .string? = option["label"] else { return ".label is not a string" }
    guard let values = option["values"] else {
      guard case .string? = option["value"] else { return ".value is not a string" }
      return nil
    }
    guard mayBeGroup else { return " is a group within a group" }
    guard case .array(let members) = values else { return ".values is not an array" }
    for (index, member) in members.enumerated() {
      if let problem = problem(of: member, mayBeGroup: false) { return ".values[\(index)]\(problem)" }
    }
    return nil
  }
}

/// An endpoint that a test with a service definition requests; without a definition, its form.
package struct ListedEndpoint {
  package let part: ServicePart
  package let path: ServicePath
  /// Whether one request validates the values of all fields.
  private var isContextual = false

  /// The checks at this endpoint, in the order of the report.
  package var checks: [ServiceCheck] {
    ServiceCheck.checks(of: part).filter { $0 != .fieldResults || isContextual }
  }

  package static func all(of part: ServicePart, _ definition: ServiceDefinition?) -> [ListedEndpoint] {
    switch part {
    case .status: listed(part, [.status])
    case .setup: listed(part, [.testSetup])
    case .user: listed(part, [.userInfo])
    case .triggers: listed(part, steps(.triggers, definition))
    case .queries: listed(part, steps(.queries, definition))
    case .actions: listed(part, steps(.actions, definition))
    case .options: listed(part, options(definition))
    case .validation: validations(definition)
    case .webhooks: listed(part, ServiceWebhook.samples.map(\.path))
    case .signIn: listed(part, [SignInPlan.token])
    }
  }

  private static func listed(_ part: ServicePart, _ paths: [ServicePath]) -> [ListedEndpoint] {
    paths.map { ListedEndpoint(part: part, path: $0) }
  }

  private static func steps(_ kind: ServiceStepKind, _ definition: ServiceDefinition?) -> [ServicePath] {
    definition.map { ($0.steps[kind] ?? []).map { kind.path($0.slug) } } ?? [kind.path("SLUG")]
  }

  private static func options(_ definition: ServiceDefinition?) -> [ServicePath] {
    ServiceStepKind.allCases.flatMap { kind in
      guard let definition else { return [kind.path("SLUG").field("FIELD", "options")] }
      return (definition.steps[kind] ?? []).flatMap { step in
        step.fields.filter(\.hasOptions).map { kind.path(step.slug).field($0.slug, "options") }
      }
    }
  }

  private static func validations(_ definition: ServiceDefinition?) -> [ListedEndpoint] {
    func contextual(_ slug: String) -> ListedEndpoint {
      ListedEndpoint(part: .validation, path: .contextualValidation(of: slug), isContextual: true)
    }
    guard let definition else {
      return listed(.validation, [.validation(of: "FIELD", in: "SLUG")]) + [contextual("SLUG")]
    }
    return (definition.steps[.triggers] ?? []).flatMap { trigger in
      trigger.isContextual
        ? [contextual(trigger.slug)]
        : listed(
          .validation,
          trigger.fields.filter(\.isValidated).map { .validation(of: $0.slug, in: trigger.slug) })
    }
  }
}
