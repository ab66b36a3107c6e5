import API
import Batch
import CommandContext
import Connect
import Store
import World
import Time

/// IFTTT's part of `connections enable` or `connections disable`, recorded in the journal.
struct ConnectChange: ConnectionChange {
  private let change: EnableDisable
  private let planner: ChangePlanner
  private let pending: PendingConnections
  private let selection: ConnectionSelection
  private var session: Session { planner.session }

  init(_ selection: ConnectionSelection, _ change: EnableDisable, in session: Session) throws {
    (self.selection, self.change) = (selection, change)
    planner = try ChangePlanner(
      change.options.credentials, for: "'connections \(change.change.rawValue)'", in: session)
    pending = try session.pendingConnections
  }

  private var isForced: Bool { change.options.isForced }

  func dryRun() throws -> Output {
    if change.options.resumes { return try planner.dryRunOfResumption(rules) }
    let selection = try selection.resolve(planner.credentials, in: session)
    return try planner.dryRun(items(selection.ids), selection.faults, rules(isForced: isForced))
  }

  func prepared() throws -> PreparedChange {
    if change.options.resumes { return try planner.resume(rules) }
    let selected = try selection.resolve(planner.credentials, in: session)
    try confirm(selected.ids.count)
    var rules = rules(isForced: isForced)
    if change.change == .disable {
      let pending = try selected.ids.filter(isShownPending)
      try ChangePlanner.confirmDisabling(pending: pending, in: session)
      rules.confirmed = Set(pending)
    }
    return try planner.begin(items(selected.ids), selected, isForced: isForced, rules)
  }

  private func items(_ ids: [ConnectionID]) -> [JournalItem] {
    ids.map { JournalItem(id: $0.description, action: change.change.rawValue) }
  }

  private func confirm(_ count: Int) throws {
    guard selection.isAll, count > 0 else { return }
    let verb = change.change == .enable ? "Enable" : "Disable"
    try session.console.confirm(
      "\(verb) \(count == 1 ? "the only tracked connection" : "all \(count) tracked connections")?")
  }

  /// Whether the list shows the connection as pending: it is remembered as pending, or was fetched without settings.
  private func isShownPending(_ id: ConnectionID) throws -> Bool {
    if pending.contains(id.description) { return true }
    guard let seen = try session.store.cached(id.description, profile: session.profile.name) else { return false }
    return seen.isPending && seen.fetchedAt >= session.world.clock.now() - session.options.maxAge
  }

  private func rules(isForced: Bool) -> ChangeExecutor.Rules {
    let aim = change.aim
    return ChangeExecutor.Rules(
      // If a change was sent but got no response, the cache has only the earlier status.
      trustsCache: { $0.state != .sent },
      verdict: { item, status in
        if let refusal = Problem.neverEnabled(item, status) { return .refuse(refusal) }
        if !isForced, let refusal = Problem.pendingWhenDisabled(item, status, pending) { return .refuse(refusal) }
        if isForced, item.state != .sent { return .send }
        if status == aim || (status == .neverEnabled && aim == .disabled) { return .nothingToDo }
        return .send
      })
  }
}
