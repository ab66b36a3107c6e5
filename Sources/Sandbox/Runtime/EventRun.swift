import HTTP
import JSON

/// A run of a feature's queries and actions for one event.
struct EventRun {
  let trigger: FiredTrigger
  let event: String
  private(set) var values = IngredientValues()
  /// The steps to run, in order: first the queries, whose ingredients the actions can use.
  let steps: [RunStep]
  private(set) var place = 0
  /// The number of attempts for the current step.
  var attempts = 0

  struct RunStep {
    let kind: StepKind
    let step: SandboxFixtures.Step
    let configured: SandboxFixtures.UserStep
  }

  init(_ found: FoundEvent) {
    (trigger, event) = (found.trigger, found.id)
    values.add(found.ingredients, of: found.trigger.step.slug)
    let feature = found.trigger.feature
    steps = [StepKind.queries, .actions].flatMap { kind in
      zip(feature.feature[keyPath: kind.ofFeature], feature[keyPath: kind.ofUser]).compactMap { step, configured in
        configured.map { RunStep(kind: kind, step: step, configured: $0) }
      }
    }
  }

  var current: RunStep? { place < steps.count ? steps[place] : nil }

  /// Continue with the next step.
  /// - Parameter row: the first row of a query.
  mutating func advance(row: JSONObject? = nil) {
    if let row, let current { values.add(row, of: current.step.slug) }
    place += 1
    attempts = 0
  }

  /// Abandon the remaining steps, because a query that they may depend on failed.
  mutating func end() { place = steps.count }

  /// The request for a step of the partner's own service, and the ingredients in its fields that are unknown.
  func call(_ next: RunStep) -> (call: PartnerCall, unknown: [String]) {
    var unknown: [String] = []
    let fill: (String) -> String = {
      IngredientTemplate($0).filled(values.value) { name in if !unknown.contains(name) { unknown.append(name) } }
    }
    let fields = next.step.fieldValues(next.configured, filling: fill)
    let call = PartnerCall(
      method: .post, path: [next.kind.rawValue, next.step.slug],
      body: PartnerBody.step(next.kind, fields: fields, connection: trigger.connection.id), user: trigger.user.id,
      connection: trigger.connection.id)
    return (call, unknown)
  }
}

/// The bodies of requests to triggers, queries and actions (reference: service-api.md, sections 4 to 6).
enum PartnerBody {
  static func step(
    _ kind: StepKind, fields: JSONObject, connection: String, identity: String? = nil
  ) -> JSONObject {
    var body: JSONObject = [:]
    if let identity { body["trigger_identity"] = .string(identity) }
    body["\(kind.word)Fields"] = .object(fields)
    if kind != .actions { body["limit"] = 50 }
    body["user"] = ["timezone": "America/Los_Angeles"]
    // The page of the personal Applet, which only its user can see.
    body["ifttt_source"] = ["id": .string(connection), "url": .string("https://ifttt.com/applets/\(connection)")]
    return body
  }
}
