import JSON
import World

extension ConnectionRuntime {
  /// Run the queries and actions of the event's feature.
  mutating func start(_ found: FoundEvent, at now: Timestamp) {
    let id = makeID()
    runs[id] = EventRun(found)
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
          next, of: run, next.kind == .queries ? .queried : .ran, nil, "simulated: a step of another service", at: now)
        run.advance(row: next.kind == .queries ? next.step.rows.all.first : nil)
        runs[id] = run
        continue
      }
      // One event after the other, so that a later one cannot overtake an earlier one.
      let (call, unknown) = run.call(next)
      if run.attempts == 0, !unknown.isEmpty {
        let names = unknown.map { "{{\($0)}}" }.joined(separator: ", ")
        note(next, of: run, .warning, nil, "sent as it is, because no step has this ingredient: \(names)", at: now)
      }
      plan(call, for: .run(id), lane: run.trigger.configured.id, notBefore: later(now, by: pause))
      return
    }
  }

  /// Evaluate the response of a query or an action.
  mutating func finishStep(_ id: Int, _ response: PartnerResponse, at now: Timestamp) {
    guard var run = runs[id], let step = run.current else { return }
    run.attempts += 1
    var pause = Duration.zero
    if let rows = response.rows, step.kind == .queries || !rows.isEmpty {
      let detail: String?
      if step.kind == .queries {
        detail = rows.count == 1 ? "1 row" : "\(rows.count) rows"
      } else {
        detail = rows.first?["id"]?.string
      }
      note(step, of: run, step.kind == .queries ? .queried : .ran, response.status, detail, at: now)
      run.advance(row: rows.first)
    } else if step.kind == .actions, let message = response.skip {
      note(step, of: run, .skipped, response.status, message.isEmpty ? nil : message, at: now)
      run.advance()
    } else {
      note(step, of: run, .failed, response.status, response.problem, at: now)
      if run.attempts < rules.attempts {
        pause = rules.retryPause * (1 << (run.attempts - 1))
      } else {
        note(step, of: run, .givenUp, response.status, "after \(run.attempts) attempts", at: now)
        if step.kind == .queries { run.end() } else { run.advance() }
      }
    }
    runs[id] = run
    proceed(id, at: now, after: pause)
  }

  private mutating func note(
    _ next: EventRun.RunStep, of run: EventRun, _ step: ActivityRecord.Step, _ status: Int?, _ detail: String?,
    at now: Timestamp
  ) {
    var record = ActivityRecord(step, .event, at: now)
    (record.connection, record.user) = (run.trigger.connection.id, run.trigger.user.id)
    let isOwn = next.step.service.slug == service
    record.endpoint = isOwn ? "\(next.kind.rawValue)/\(next.step.slug)" : next.step.name
    (record.event, record.status, record.detail) = (run.event, status, detail)
    add(record)
  }
}
