import HTTP
import JSON
import Text
import World

/// A run of a feature's queries and actions for one event.
struct EventRun {
  let trigger: FiredTrigger
  let event: String
  /// The key of the event's entry in the log.
  let causeKey: Int
  private(set) var values = IngredientValues()
  /// The steps to run, in order: first the queries, whose ingredients the actions can use.
  let steps: [SandboxFixtures.ConfiguredStep]
  private(set) var stepIndex = 0
  /// The number of attempts for the current step.
  var attempts = 0

  init(_ found: FoundEvent, causeKey: Int) {
    (trigger, event, self.causeKey) = (found.trigger, found.id, causeKey)
    values.add(found.ingredients, of: found.trigger.step.slug)
    steps = [StepKind.queries, .actions].flatMap(found.trigger.feature.configuredSteps)
  }

  var current: SandboxFixtures.ConfiguredStep? { stepIndex < steps.count ? steps[stepIndex] : nil }

  /// Continue with the next step.
  /// - Parameter row: the first row of a query.
  mutating func advance(row: JSONObject? = nil) {
    if let row, let current { values.add(row, of: current.step.slug) }
    stepIndex += 1
    attempts = 0
  }

  /// Abandon the remaining steps, because a query that they may depend on failed.
  mutating func end() { stepIndex = steps.count }

  /// The request for a step of the partner's own service, and the ingredients in its fields that are unknown.
  func call(_ next: SandboxFixtures.ConfiguredStep) -> (call: PartnerCall, unknown: [String]) {
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

/// The bodies of requests to triggers, queries and actions (docs/api/service.md §4 to §6).
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

extension ConnectionRuntime {
  /// Run the queries and actions of the event's feature.
  ///
  /// - Parameter causeKey: The key of the event's entry in the log.
  mutating func start(_ found: FoundEvent, causeKey: Int, at now: Timestamp) {
    let id = makeID()
    runs[id] = EventRun(found, causeKey: causeKey)
    proceed(id, at: now)
  }

  /// Plan the request of the current step. Steps of other services are simulated.
  private mutating func proceed(_ id: Int, at now: Timestamp, after pause: Duration = .zero) {
    while var run = runs[id] {
      guard let next = run.current else {
        runs[id] = nil
        return
      }
      guard next.step.service.slug == service else {
        note(
          next, of: run, next.kind == .queries ? .queried : .ran, "simulated: a step of another service", at: now)
        run.advance(row: next.kind == .queries ? next.step.rows.all.first : nil)
        runs[id] = run
        continue
      }
      // The steps of one event run after those of the event before, so that a later event cannot overtake an earlier
      // one.
      let (call, unknown) = run.call(next)
      if run.attempts == 0, !unknown.isEmpty {
        let names = unknown.map { "{{\($0)}}" }.joined(separator: ", ")
        note(next, of: run, .warning, "sent as it is, because no step has this ingredient: \(names)", at: now)
      }
      plan(
        call, for: .run(id), lane: run.trigger.configured.id, notBefore: now + pause, causedBy: run.causeKey,
        attempt: run.attempts + 1, in: run)
      return
    }
  }

  /// Evaluate the response of a query or an action.
  mutating func finishStep(_ id: Int, _ completed: CompletedCall, at now: Timestamp) {
    // The connection may have been disabled since.
    guard var run = runs[id], let step = run.current else { return addRequest(of: completed, at: now) }
    let response = completed.response
    run.attempts += 1
    var pause = Duration.zero
    if let rows = response.rows, step.kind == .queries || !rows.isEmpty {
      let detail: String?
      if step.kind == .queries {
        detail = rows.count == 1 ? "1 row" : "\(rows.count) rows"
      } else {
        detail = rows.first?["id"]?.string
      }
      note(step, of: run, step.kind == .queries ? .queried : .ran, detail, completed, at: now)
      run.advance(row: rows.first)
    } else if step.kind == .actions, let message = response.skip {
      note(step, of: run, .skipped, message.isEmpty ? nil : message, completed, at: now)
      run.advance()
    } else {
      note(step, of: run, .failed, response.problem, completed, at: now)
      if run.attempts < rules.attempts {
        pause = rules.retryPause * (1 << (run.attempts - 1))
      } else {
        note(step, of: run, .givenUp, "after \(run.attempts) attempts", status: response.status, at: now)
        if step.kind == .queries { run.end() } else { run.advance() }
      }
    }
    runs[id] = run
    proceed(id, at: now, after: pause)
  }

  /// - Parameter completed: The request of the step; nil for a step without one.
  private mutating func note(
    _ next: SandboxFixtures.ConfiguredStep, of run: EventRun, _ step: ActivityRecord.Step, _ detail: String?,
    _ completed: CompletedCall? = nil, status: Int? = nil, at now: Timestamp
  ) {
    var record = ActivityRecord(step, .event, at: now)
    (record.connection, record.user) = (run.trigger.connection.id, run.trigger.user.id)
    let isOwn = next.step.service.slug == service
    record.endpoint = isOwn ? "\(next.kind.rawValue)/\(next.step.slug)" : next.step.name
    (record.event, record.status, record.detail) = (run.event, completed?.response.status ?? status, detail)
    if let completed { add(record, for: completed) } else { add(record, causedBy: run.causeKey) }
  }
}

/// A text of a field with ingredients in double braces, such as `{{SwitchedAt}}` or `{{list_lamps.name}}`.
struct IngredientTemplate {
  private let text: String

  init(_ text: String) { self.text = text }

  /// Replace each ingredient with its value. A name that is unknown stays, so that a mistake is visible in the result.
  /// - Parameter unknown: Called with each name that has no value.
  func filled(_ value: (String) -> String?, unknown: (String) -> Void = { _ in }) -> String {
    var (filled, rest) = ("", text[...])
    while let start = rest.firstRange(ofText: "{{"), let end = rest[start.upperBound...].firstRange(ofText: "}}") {
      let name = rest[start.upperBound..<end.lowerBound]
      filled += rest[..<start.lowerBound]
      if let value = value(Self.trimmed(name)) {
        filled += value
      } else {
        unknown(Self.trimmed(name))
        filled += rest[start.lowerBound..<end.upperBound]
      }
      rest = rest[end.upperBound...]
    }
    return filled + rest
  }

  private static func trimmed(_ name: Substring) -> String {
    var name = name.drop { $0 == " " }
    while name.last == " " { name.removeLast() }
    return String(name)
  }
}

/// The ingredients of an event and of the queries that ran for it.
struct IngredientValues {
  private var rows: [(step: String, row: JSONObject)] = []

  /// - Parameter step: the slug of the trigger or query.
  mutating func add(_ row: JSONObject, of step: String) { rows.append((step, row)) }

  /// The value of an ingredient. Its name may be prefixed with its step's slug and a dot. Ingredients of the trigger
  /// take precedence.
  func value(of name: String) -> String? {
    for (step, row) in rows {
      let member = name.hasPrefix("\(step).") ? String(name.dropFirst(step.count + 1)) : name
      if let value = row[member] ?? row.members.first(where: { Self.isSame($0.key, member) })?.value {
        return value.string ?? (value.isNull ? "" : value.text)
      }
    }
    return nil
  }

  /// Whether two spellings name the same ingredient: services define `switched_at`, and users see `SwitchedAt`.
  private static func isSame(_ first: String, _ second: String) -> Bool {
    first.lowercased().filter { $0 != "_" } == second.lowercased().filter { $0 != "_" }
  }
}
