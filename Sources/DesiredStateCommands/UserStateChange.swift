import API
import Batch
import CommandContext
import Connect
import DesiredState
import HTTP
import Hints
import JSON
import Store
import Users

/// The change of one connection of one of many users. Nothing is cached or remembered: the profile's cache and its record
/// of pending connections are about the profile's own user.
final class UserStateChange: StateChangeRun {
  private let user: UserEntry
  private let run: UserStateRun
  private let report: (UserResult) throws -> Void
  /// The state that the connection must still have; nil if any.
  private let expected: RecordedState?
  /// Its item in the earlier part of a resumed run.
  private let earlier: JournalItem?
  /// The position in the journal, once a request is about to be sent.
  private var position: Int?
  /// The connection as last planned for.
  private var present: Connection?

  init(
    _ user: UserEntry, _ run: UserStateRun, expecting expected: RecordedState?, earlier: JournalItem?,
    report: @escaping (UserResult) throws -> Void
  ) {
    (self.user, self.run, self.expected, self.earlier) = (user, run, expected, earlier)
    self.report = report
  }

  func plan(
    _ target: TargetState, _ present: Connection, _ options: [ConfigurationStep: FieldOptions]
  ) throws -> ConnectionPlan {
    self.present = present
    return ConnectionPlan(target, present, isPending: present.showsNothingConfigured, options)
  }

  func problem(of plan: ConnectionPlan) -> Problem? {
    if let problem = plan.problem { return problem }
    // Later plans of a chain are made after its own changes.
    guard position == nil, !plan.isEmpty, let expected, !expected.isStill(plan.present) else { return nil }
    return Problem(
      .refused, "connection '\(plan.id)' was changed again", reason: "it is not in the state that the run left",
      hint: "Pass --force to revert it too.")
  }

  func willChange(_ plan: ConnectionPlan) throws {
    position = try run.journal?.add(
      JournalItem(
        id: plan.id.description, userID: user.userID, action: JournalItem.apply,
        before: RecordedState(plan.present).json.text, after: plan.target.json.text))
  }

  func willSend(_ id: ConnectionID) throws {
    if let position { try run.journal?.send(position) }
  }

  func correct(_ id: ConnectionID, before: RecordedState) {
    if let position { run.journal?.correct(position, before: before.json.text) }
  }

  /// Records that a request of the earlier part took effect, whose response was lost.
  private func recordCompletion(_ present: Connection) throws {
    guard var item = earlier, let journal = run.journal else { return }
    item.before = item.before ?? RecordedState(present).json.text
    try journal.end(try journal.add(item), .done, after: RecordedState(present).json.text)
  }

  func willDisable(_ connection: Connection) {}
  func accepted(_ change: ConnectClient.Change, _ plan: ConnectionPlan) {}
  func accepted(_ configuration: UserConnection, of id: ConnectionID) {}

  func end(_ result: StateChangeResult) throws -> RequestChain {
    if position == nil, result.problem == nil, let present { try recordCompletion(present) }
    if let position, let journal = run.journal {
      let after = result.problem == nil ? result.latest.map { RecordedState($0.connection).json.text } : nil
      let state: JournalItem.State = result.problem == nil ? .done : result.isUnchanged ? .failed : .sent
      try journal.end(position, state, after: after)
    }
    let row = ChangeRow(
      id: result.id, status: result.status, previous: result.before,
      problem: result.problem?.completed(with: run.session.suggestions), isChanged: result.isChanged)
    let bytes = UserRow(row, of: user.userID).bytes
    if let problem = result.problem {
      run.hasFailures = true
      try report(.failed(problem, rows: [bytes]))
    } else {
      try report(.done([bytes]))
    }
    return .end
  }
}
