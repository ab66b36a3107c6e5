/// An endpoint that a test with a service definition requests; without a definition, its form.
package struct ListedEndpoint {
  package let part: ServicePart
  package let path: ServicePath
  /// Whether one request validates the values of all fields.
  private var isContextual = false

  /// The checks made there, in the order of the report.
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
