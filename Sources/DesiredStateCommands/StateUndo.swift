import API
package import Batch
package import CommandContext
import Connect
import DesiredState
import Hints
import Phrases
package import Store

/// Returns connections to the states before a run of `connections apply`, or before an undo of one.
package struct StateUndo {
  let session: Session
  let credentials: CredentialOptions
  /// Whether connections that were changed again since are reverted too.
  let isForced: Bool
  var report: BatchReport?

  package init(session: Session, credentials: CredentialOptions, isForced: Bool, report: BatchReport? = nil) {
    (self.session, self.credentials, self.isForced, self.report) = (session, credentials, isForced, report)
  }

  /// The return of one connection.
  private struct Aim {
    var id: ConnectionID
    var target: RecordedState
    /// The state after the run; nil if it is unknown.
    var expected: RecordedState?

    /// - Parameter isOwn: whether the item belongs to an undo that is resumed, not to the run that is undone.
    init?(_ item: JournalItem, isOwn: Bool) {
      let (from, to) = isOwn ? (item.before, item.after) : (item.after, item.before)
      guard let id = ConnectionID(parsing: item.id), let target = RecordedState(journaled: to) else { return nil }
      (self.id, self.target, expected) = (id, target, RecordedState(journaled: from))
    }
  }

  /// Undoes the changes of a run, as a new run.
  /// - Parameter items: the items of the run to undo.
  package func undo(_ items: [JournalItem]) throws -> Output {
    let change = try prepare(items.filter(\.mayHaveChanged).compactMap { Aim($0, isOwn: false) })
    let client = try change.statusClient(credentials)
    if session.options.isDryRun { return try dryRun(change, client) }
    try change.confirmDisabling()
    return change.output(try change.begun(), client)
  }

  /// Resumes an undo that was interrupted or failed.
  package func resume(_ run: JournalRun) throws -> Output {
    let (store, profile) = (try session.store, try session.profile.name)
    let items = try store.journalItems(of: run.number)
    let change = try prepare(items.filter(\.isUnfinished).compactMap { Aim($0, isOwn: true) })
    let client = try change.statusClient(credentials)
    if session.options.isDryRun { return try dryRun(change, client) }
    return change.output(
      ({ try Journal(resuming: run, profile: profile, items: items, in: store) }, run.lock), client)
  }

  private func dryRun(_ change: PreparedStateChange, _ client: ConnectClient?) throws -> Output {
    PlanText(session: session).show(change.plans)
    return try change.dryRun(client)
  }

  private func prepare(_ aims: [Aim]) throws -> PreparedStateChange {
    let state = try PresentState(credentials, for: "'connections undo'", trustsCache: false, in: session)
    var result = try StatePlanning(state: state).plan(aims.map { .earlier($0.id, $0.target) })
    let expected = Dictionary(uniqueKeysWithValues: aims.map { ($0.id, $0.expected) })
    var skipped: Set<ConnectionID> = []
    for plan in result.plans where !plan.isEmpty {
      guard let left = expected[plan.id] ?? nil, !left.isStill(plan.present) else { continue }
      if isForced {
        try confirm(plan)
      } else {
        session.console.note("Connection '\(plan.id)' was changed again; it is skipped.")
        skipped.insert(plan.id)
      }
    }
    result.plans.removeAll { skipped.contains($0.id) }
    return PreparedStateChange(
      state: state, purpose: "'connections undo'", ids: aims.map(\.id).filter { !skipped.contains($0) },
      plans: result.plans, problems: result.problems, allowsRemoval: true, report: report)
  }

  /// Confirms removals, since the undo would also remove settings that were added after the run.
  private func confirm(_ plan: ConnectionPlan) throws {
    let removed = plan.differences.filter { $0.change == .removed }
    guard !removed.isEmpty, !session.options.isDryRun else { return }
    try session.console.confirm(.removeSettings(removed.count), details: removed.map { $0.field ?? "" })
  }
}

extension RecordedState {
  /// Whether a connection is still in this state.
  func isStill(_ connection: Connection) -> Bool {
    guard status == connection.status else { return false }
    guard let configuration, let stored = connection.userConnection else { return true }
    return ConfigurationForm(connection, stored).differences(to: stored.merged(with: configuration))
      .allSatisfy(\.isOnlyWords)
  }
}
