import API
import ActivationCommands
import Batch
import CommandContext
import Connect
import DesiredState
import HTTP
import Hints
import JSON
import Store

/// Plans that are confirmed, and the run that executes them.
struct PreparedStateChange {
  let state: PresentState
  /// The command, for errors: such as `'connections apply'`.
  let purpose: String
  /// The connections in the order of the output.
  var ids: [ConnectionID]
  /// The plans, also those that change nothing.
  var plans: [ConnectionPlan]
  var problems: [(id: ConnectionID, problem: Problem)]
  var allowsRemoval: Bool
  var report: BatchReport?

  private var session: Session { state.session }
  private var changing: [ConnectionPlan] { plans.filter { !$0.isEmpty } }

  /// The journal of a new run. Connections that do not change have no item.
  func begun() throws -> (journal: () throws -> Journal, lock: String) {
    let items = changing.map { plan in
      JournalItem(
        id: plan.id.description, action: JournalItem.apply, before: RecordedState(plan.present).json.text,
        after: plan.target.json.text)
    }
    let (journal, lock) = try BatchJournal(session: session).begun(items, isForced: allowsRemoval)
    return ({ journal }, lock)
  }

  /// The client that changes the status; nil if no plan changes one.
  /// - Throws: `credentials_missing` if the credentials are not those for all changes.
  func statusClient(_ given: CredentialOptions) throws -> ConnectClient? {
    if plans.contains(where: { $0.configuration != nil || $0.isComparedLater }) {
      try session.credentials.requireServiceKey(given, for: purpose)
    }
    guard plans.contains(where: { $0.change != nil }) else { return nil }
    return try session.network.connect(given, as: session.credentials.changing(given, for: purpose))
  }

  func dryRun(_ client: ConnectClient?) throws -> Output {
    let failures = BatchFailures(of: ids.count)
    for (id, problem) in problems { failures.add(problem, of: id) }
    let requests = try changing.flatMap { plan -> [Request] in
      let status = try plan.change.flatMap { try client?.changeRequest($0, plan.id) }
      let settings = plan.configuration.map { state.client.configureRequest(plan.id, $0.requestBody) }
      return (plan.change == .enable ? [status, settings] : [settings, status]).compactMap { $0 }
    }
    if ids.count == 1 { try failures.evaluate() }
    return session.dryRun(requests).judging(failures)
  }

  /// Warns before pending connections are disabled.
  func confirmDisabling() throws {
    let memory = try session.pendingConnections
    try session.confirmDisabling(
      pending: changing.filter { $0.change == .disable && memory.isPending($0.present) }.map(\.id))
  }

  func output(_ run: (journal: () throws -> Journal, lock: String), _ client: ConnectClient?) -> Output {
    var batch = BatchRun(ids, in: session)
    (batch.report, batch.isChange) = (report, true)
    let journals = BatchJournal(session: session)
    var opened: Journal?
    let count = changing.count
    func advised(_ error: any Error) -> any Error { journals.advised(error, opened, count: count) }
    var output = batch.output(as: .many(ChangeRow<ConnectionID>.self)) { told in
      do {
        for (id, problem) in problems {
          let row = ChangeRow(
            id: id, status: .unknown, previous: .unknown, problem: problem.completed(with: session.suggestions),
            isChanged: false)
          try told(id, row.result)
        }
        try journals.alone(on: run.lock) {
          let journal = try run.journal()
          opened = journal
          try execute(StateJournal(journal, sending: changing.map(\.id)), client, told)
        }
      } catch { throw advised(error) }
    }
    let verdict = output.verdict
    output.verdict = { do { try verdict() } catch { throw advised(error) } }
    return output
  }

  private func execute(_ journal: StateJournal, _ client: ConnectClient?, _ told: StateRun.Report) throws {
    try journal.finishing {
      for plan in plans where plan.isEmpty {
        // A resumed run may find that a request took effect whose response was lost.
        try journal.finish(plan.id, RecordedState(plan.present))
        let status = plan.present.status
        try told(plan.id, ChangeRow(id: plan.id, status: status, previous: status, isChanged: false).result)
      }
      try StateRun(state, journal, told).run(changing, changing: client, allowsRemoval: allowsRemoval)
    }
  }
}
