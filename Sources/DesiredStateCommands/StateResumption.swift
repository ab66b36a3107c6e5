import Batch
import CommandContext
import Connect
import DesiredState
import Hints
import JSON
import Store

/// The continuation of a run that was interrupted or failed. The state is read again before anything is sent.
struct StateResumption {
  let state: PresentState
  let options: ConnectionsApply.Options
  private var session: Session { state.session }

  func output() throws -> Output {
    let journals = BatchJournal(session: session)
    let run = try journals.resumable()
    let (store, profile) = (try session.store, try session.profile.name)
    let items = try store.journalItems(of: run.number)
    let targets = items.filter(\.isUnfinished).compactMap(\.target)
    session.console.noteToPerson("Resuming '\(run.words)': \(targets.count) of \(items.count) left.")
    let result = try StatePlanning(state: state).plan(targets)
    let permissions = ChangePermissions(allowsRemoval: run.isForced)
    try permissions.check(result)
    let change = PreparedStateChange(
      state: state, purpose: "'connections apply'", ids: targets.map(\.id), plans: result.plans,
      problems: result.problems, allowsRemoval: run.isForced, report: try session.openReports(options.reports))
    let client = try change.statusClient(options.credentials)
    if session.options.isDryRun {
      PlanText(session: session).show(result.plans)
      return try change.dryRun(client)
    }
    return change.output(
      ({ try Journal(resuming: run, profile: profile, items: items, in: store) }, run.lock), client)
  }
}

extension JournalItem {
  /// The target of an item of an unfinished run.
  var target: TargetState? {
    guard let id = ConnectionID(parsing: self.id) else { return nil }
    return after.flatMap { try? JSONValue(parsing: Array($0.utf8)) }.flatMap {
      TargetState($0, of: id, at: "connection '\(id)'")
    }
  }
}
