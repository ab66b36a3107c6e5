import API
package import Batch
package import CommandContext
import Connect
import HTTP
import Hints
import Phrases
package import Store
import World

/// Restores the configurations that a run replaced. `connections undo` does this after `configure`, and after an undo
/// of `configure`.
package struct ConfigurationUndo {
  let session: Session
  let credentials: CredentialOptions
  let isForced: Bool
  var report: BatchReport?

  package init(session: Session, credentials: CredentialOptions, isForced: Bool, report: BatchReport? = nil) {
    (self.session, self.credentials, self.isForced, self.report) = (session, credentials, isForced, report)
  }

  /// A connection and its target configuration.
  private struct Aim {
    var id: ConnectionID
    /// The configuration before the run; nil if unknown.
    var target: UserConnection?
    /// The configuration after the run.
    var expected: UserConnection?

    /// - Parameter isOwn: whether the item belongs to an undo that is resumed, not to the run that is undone.
    init?(_ item: JournalItem, isOwn: Bool) {
      guard let id = ConnectionID(parsing: item.id) else { return nil }
      self.id = id
      let (before, after) = (
        item.before.flatMap(UserConnection.init(journaled:)), item.after.flatMap(UserConnection.init(journaled:))
      )
      (target, expected) = isOwn ? (after, before) : (before, after)
    }
  }

  /// Undoes the changes of a run, as a new run.
  /// - Parameter items: the items of the run to undo.
  package func undo(_ items: [JournalItem]) throws -> Output {
    let aims = items.filter(\.mayHaveChanged).compactMap { Aim($0, isOwn: false) }
    if session.options.isDryRun { return try dryRun(aims) }
    let new = aims.map {
      JournalItem(id: $0.id.description, action: JournalItem.configure, after: $0.target?.journaled)
    }
    let (journal, lock) = try BatchJournal(session: session).begun(new, isForced: isForced)
    return output(aims, lock) { journal }
  }

  /// Resumes an undo that was interrupted or failed.
  package func resume(_ run: JournalRun) throws -> Output {
    let (store, profile) = (try session.store, try session.profile.name)
    let items = try store.journalItems(of: run.number)
    let aims = items.filter(\.isUnfinished).compactMap { Aim($0, isOwn: true) }
    if session.options.isDryRun { return try dryRun(aims) }
    return output(aims, run.lock) { try Journal(resuming: run, profile: profile, items: items, in: store) }
  }

  private func output(_ aims: [Aim], _ lock: String, _ journal: @escaping () throws -> Journal) -> Output {
    var many = BatchRun(aims.map(\.id), in: session)
    many.report = report
    return many.output(as: .many(ChangeRow<ConnectionID>.self)) { [session] told in
      try BatchJournal(session: session).alone(on: lock) {
        let journal = try journal()
        try journal.finishing {
          for aim in aims {
            guard !session.world.interruption.isInterrupted else { throw Problem.interrupted }
            told.starting(aim.id)
            guard let place = journal.items.firstIndex(where: { $0.id == aim.id.description }) else { continue }
            try told(aim.id, execute(aim, journal, place).result)
          }
        }
      }
    }
  }

  private func execute(_ aim: Aim, _ journal: Journal, _ place: Int) throws -> ChangeRow<ConnectionID> {
    var row = ChangeRow(id: aim.id, status: .unknown, previous: .unknown, isChanged: false)
    do {
      let plan = try plan(aim)
      (row.status, row.previous) = (plan.change.connection.status, plan.change.connection.status)
      let before = journal.items[place].before ?? plan.present
      switch plan.verdict {
      case .nothingToDo: try journal.note(place, .done, before: before, after: plan.present)
      case .leaveAlone: try journal.note(place, .refused, before: before, after: plan.present)
      case .send:
        try confirm(plan)
        plan.change.show(plan.differences, always: true)
        try plan.change.send(journal, at: place)
        row.isChanged = true
      }
    } catch {
      let problem = Problem(error)
      if problem.code == .interrupted { throw problem }
      // An unsent item must not be resumed unchanged.
      if journal.items[place].state == .planned { try journal.note(place, .refused) }
      row.problem = problem
    }
    return row
  }

  // MARK: The plan

  private enum Verdict { case send, nothingToDo, leaveAlone }

  private struct Plan {
    var change: ConfigurationChange
    var differences: [ConfigurationDifference]
    /// Whether the connection has been configured again since the run.
    var isChangedSince: Bool
    var verdict: Verdict
    var present: String { change.stored.journaled }
  }

  private func plan(_ aim: Aim) throws -> Plan {
    guard let target = aim.target else {
      throw Problem(
        .refused, "the previous settings of connection '\(aim.id)' are unknown",
        reason: "IFTTT did not return them before they were replaced",
        hint: "Set them with \(ifttt: "configure \(aim.id)").")
    }
    let access = try ConnectionAccess(aim.id, credentials, for: "'connections undo'", in: session)
    let connection: Connection
    if try session.network.isCutOff {
      connection = try access.cachedOrFail()
    } else {
      connection = try access.read()
    }
    try access.checkUsable(connection)
    let stored = connection.userConnection ?? UserConnection()
    let change = ConfigurationChange(access: access, connection: connection, wanted: stored.merged(with: target))
    let differences = change.old.differences(to: change.wanted)
    let isAsLeft = aim.expected.map { change.old.differences(to: stored.merged(with: $0)).allSatisfy(\.isOnlyWords) }
    var plan = Plan(
      change: change, differences: differences, isChangedSince: isAsLeft == false, verdict: .send)
    if differences.isEmpty {
      plan.verdict = .nothingToDo
    } else if plan.isChangedSince, !isForced {
      session.console.note("Connection '\(aim.id)' was configured again; it is skipped.")
      plan.verdict = .leaveAlone
    }
    if plan.verdict == .send { try access.requireServiceKey() }
    return plan
  }

  /// Confirms removals, since the undo would also remove settings that were added after the run.
  private func confirm(_ plan: Plan) throws {
    let removed = plan.differences.filter { $0.change == .removed }
    guard plan.isChangedSince, !removed.isEmpty else { return }
    try session.console.confirm(.removeSettings(removed.count), details: removed.map(\.words))
  }

  private func dryRun(_ aims: [Aim]) throws -> Output {
    let failures = BatchFailures(of: aims.count)
    let requests = try aims.compactMap { aim -> Request? in
      do {
        let plan = try plan(aim)
        guard plan.verdict == .send else { return nil }
        plan.change.show(plan.differences)
        return plan.change.access.client.configureRequest(aim.id, plan.change.wanted.requestBody)
      } catch {
        let problem = Problem(error)
        if problem.code == .interrupted { throw problem }
        failures.add(problem, of: aim.id)
        return nil
      }
    }
    if aims.count == 1 { try failures.evaluate() }
    return session.dryRun(requests).judging(failures)
  }
}
