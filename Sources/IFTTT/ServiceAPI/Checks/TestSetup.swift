package import JSON
package import Text

/// The response of `test/setup`: a user's access token, and values for the fields (docs/api/service.md §8).
package struct TestSetup: Sendable {
  /// Nil for a service without sign-in. A missing key, null and an empty string mean the same.
  package var accessToken: Secret?
  /// The fields of each trigger, query and action, by slug.
  package var fields: [ServiceStepKind: [(slug: String, fields: JSONObject)]] = [:]
  /// A valid and an invalid value of each trigger field that is validated.
  package var validations: [Validation] = []
  /// Fields with which an action must be skipped.
  package var skipped: [(slug: String, fields: JSONObject)] = []
  /// The parts that have an unexpected form, such as `samples.triggers.lamp_switched_on`.
  package var malformed: [String] = []
  /// The parts that are one level too deep: their paths, and the paths that IFTTT reads.
  package var misplaced: [(found: String, expected: String)] = []

  package struct Validation: Sendable {
    package let trigger: String
    package let field: String
    package let valid: JSONValue?
    package let invalid: JSONValue?
  }

  package init() {}

  /// - Parameter data: the member `data` of the response.
  package init(_ data: JSONObject) {
    switch data["accessToken"] {
    case nil, .null, .string(""): break
    case .string(let text)?:
      accessToken = Secret(parsing: text)
      if accessToken == nil { malformed.append("accessToken") }
    default: malformed.append("accessToken")
    }
    guard case .object(let samples)? = data["samples"] else {
      malformed.append("samples")
      return
    }
    for kind in ServiceStepKind.allCases { fields[kind] = objects(samples, kind.rawValue, orEmpty: true) }
    skipped = objects(samples, "actionRecordSkipping")
    for (trigger, fields) in objects(samples, "triggerFieldValidations") {
      for (field, values) in fields.members {
        guard case .object(let values) = values else {
          malformed.append("samples.triggerFieldValidations.\(trigger).\(field)")
          continue
        }
        validations.append(
          Validation(trigger: trigger, field: field, valid: values["valid"], invalid: values["invalid"]))
      }
    }
  }

  /// The members of `samples` that services nest in `triggers` or `actions` by mistake.
  private static let parts = ["triggerFieldValidations", "actionRecordSkipping"]

  package func sample(_ kind: ServiceStepKind, _ slug: String) -> JSONObject? {
    fields[kind]?.first { $0.slug == slug }?.fields
  }

  /// - Parameter orEmpty: Whether a value of an unexpected form counts as no fields: its endpoint exists, so the
  ///   other checks can be made.
  private mutating func objects(
    _ samples: JSONObject, _ key: String, orEmpty: Bool = false
  ) -> [(slug: String, fields: JSONObject)] {
    // Ruby and PHP write an empty map as an empty array.
    guard let value = samples[key], !value.isNull, value != .array([]) else { return [] }
    guard case .object(let members) = value else {
      malformed.append("samples.\(key)")
      return []
    }
    return members.members.compactMap { slug, fields in
      if Self.parts.contains(slug) {
        misplaced.append(("samples.\(key).\(slug)", "samples.\(slug)"))
        return nil
      }
      for part in Self.parts where fields[part]?.object != nil {
        misplaced.append(("samples.\(key).\(slug).\(part)", "samples.\(part).\(slug)"))
      }
      switch fields {
      case .object(let fields): return (slug, fields)
      case .null, .array([]): return (slug, [:])
      default:
        malformed.append("samples.\(key).\(slug)")
        return orEmpty ? (slug, [:]) : nil
      }
    }
  }
}

/// The rules for the samples that `test/setup` returns.
struct SampleRules {
  private let setup: TestSetup
  private let plan: ServiceTestPlan
  private var definition: ServiceDefinition? { plan.definition }

  init(_ setup: TestSetup, of plan: ServiceTestPlan) { (self.setup, self.plan) = (setup, plan) }

  var finding: Finding {
    let (problems, deviations) = (faults + gaps, missingActions)
    let text = distinct(problems + deviations).joined(separator: "; ")
    return text.isEmpty ? .passed : problems.isEmpty ? .warning(text) : .failed(text)
  }

  private func distinct(_ problems: [String]) -> [String] {
    var seen: Set<String> = []
    return problems.filter { seen.insert($0).inserted }
  }

  /// The errors in the samples that are visible without the definition.
  private var faults: [String] {
    var problems = setup.malformed.map { "\($0) has an unexpected form" }
    problems += setup.misplaced.map { "\($0.found) must be \($0.expected)" }
    problems += setup.validations.filter { $0.valid == nil || $0.invalid == nil }.map {
      "samples.triggerFieldValidations.\($0.trigger).\($0.field) needs \"valid\" and \"invalid\""
    }
    for trigger in setup.validations.map(\.trigger) where setup.sample(.triggers, trigger) == nil {
      problems.append("samples.triggers.\(trigger) is missing")
    }
    return problems
  }

  /// The missing samples of actions. The documentation requires samples of all actions, but IFTTT's own sample services
  /// have some of them only in `actionRecordSkipping`, or not at all if they have no fields.
  private var missingActions: [String] {
    let known = setup.skipped.map(\.slug) + (definition?.steps[.actions] ?? []).filter(\.fields.isEmpty).map(\.slug)
    return known.filter { setup.sample(.actions, $0) == nil }.map { "samples.actions.\($0) is missing" }
  }

  /// The parts of the definition for which samples are missing.
  private var gaps: [String] {
    guard let definition else { return [] }
    var problems: [String] = []
    if definition.usesSignIn == true, setup.accessToken == nil, plan.givenToken == nil {
      problems.append("accessToken is missing, but users sign in to the service")
    }
    // IFTTT's documentation does not mention samples of queries (docs/api/service.md C37).
    for kind in [ServiceStepKind.triggers, .actions] {
      for step in definition.steps[kind] ?? [] where !step.fields.isEmpty && setup.sample(kind, step.slug) == nil {
        problems.append("samples.\(kind).\(step.slug) is missing")
      }
    }
    for step in definition.steps[.triggers] ?? [] {
      for field in step.fields where field.isValidated {
        if !setup.validations.contains(where: { $0.trigger == step.slug && $0.field == field.slug }) {
          problems.append("samples.triggerFieldValidations.\(step.slug).\(field.slug) is missing")
        }
      }
    }
    return problems
  }
}
