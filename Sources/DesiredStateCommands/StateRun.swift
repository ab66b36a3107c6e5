import API
import Batch
import CommandContext
import Connect
import DesiredState
import HTTP
import Store

/// Gives connections of the profile's own user their target states, in parallel.
struct StateRun {
  typealias Report = BatchRun<ConnectionID>.Report

  let state: PresentState
  let journal: StateJournal
  let report: Report
  private let planning: StatePlanning
  private var session: Session { state.session }

  init(_ state: PresentState, _ journal: StateJournal, _ report: Report) {
    (self.state, self.journal, self.report) = (state, journal, report)
    planning = StatePlanning(state: state)
  }

  /// - Parameters:
  ///   - changing: changes the status; nil if no plan does.
  ///   - allowsRemoval: whether settings may be removed that only a fetch during the run shows.
  func run(_ plans: [ConnectionPlan], changing: ConnectClient?, allowsRemoval: Bool) throws {
    guard !plans.isEmpty else { return }
    if plans.count > 1 { report.begin("Changing", of: plans.count) }
    let change = StateChange(
      client: state.client, changing: { .success(changing ?? state.client) }, allowsRemoval: allowsRemoval, run: self)
    var rest = plans[...]
    let skipped = try state.client.run {
      guard let plan = rest.popFirst() else { return .end }
      report.starting(plan.id)
      return .chain(try change.chain(for: plan))
    }
    guard let skipped else { return }
    for plan in rest {
      let problem = Problem(.http(.skipped(skipped)), subject: plan.subject)
      _ = try end(StateChangeResult(id: plan.id, before: plan.present.status, problem: problem))
    }
  }
}

extension StateRun: StateChangeRun {
  func plan(
    _ target: TargetState, _ present: Connection, _ options: [ConfigurationStep: FieldOptions]
  ) throws -> ConnectionPlan { try planning.plan(target, present, options) }

  func problem(of plan: ConnectionPlan) throws -> Problem? { try planning.problem(of: plan) }

  /// All plans are in the journal from the start.
  func willChange(_ plan: ConnectionPlan) {}

  func willSend(_ id: ConnectionID) throws { try journal.send(id) }

  func correct(_ id: ConnectionID, before: RecordedState) throws { try journal.correct(id, before: before) }

  /// A disabled connection does not show that it cannot be enabled again, so remember it.
  func willDisable(_ connection: Connection) throws {
    let memory = try session.pendingConnections
    if memory.isPending(connection) { try memory.mark(connection.id) }
  }

  func accepted(_ change: ConnectClient.Change, _ plan: ConnectionPlan) {
    session.usage.record(change, of: plan.id, before: plan.present.status)
  }

  func accepted(_ configuration: UserConnection, of id: ConnectionID) throws {
    if configuration.features.contains(where: \.isEnabled) { try session.pendingConnections.clear(id) }
  }

  func end(_ result: StateChangeResult) throws -> RequestChain {
    if result.isUnchanged { try journal.fail(result.id) }
    if let latest = result.latest {
      try state.keep(latest)
      if result.problem == nil { try journal.finish(result.id, RecordedState(latest.connection)) }
    }
    let row = ChangeRow(
      id: result.id, status: result.status, previous: result.before,
      problem: result.problem?.completed(with: session.suggestions), isChanged: result.isChanged)
    try report(result.id, row.result)
    return .end
  }
}
