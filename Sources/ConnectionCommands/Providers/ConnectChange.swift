import API
import Batch
import CommandContext
import Connect
import Store
import Time
import World

/// IFTTT's part of `connections enable` or `connections disable`, recorded in the journal.
struct ConnectChange: ConnectionChange {
  private let request: ChangeRequest
  private let planner: ChangePlanner
  private let pending: PendingConnections
  private let selection: ConnectionSelection
  private var session: Session { planner.session }

  init(_ selection: ConnectionSelection, _ request: ChangeRequest, in session: Session) throws {
    (self.selection, self.request) = (selection, request)
    planner = try ChangePlanner(
      request.credentials, for: "'connections \(request.change.rawValue)'", in: session)
    pending = try session.pendingConnections
  }

  func dryRun() throws -> Output {
    if request.resumes { return try planner.dryRunOfResumption(rules) }
    let selection = try selection.resolve(planner.credentials, in: session).limited(to: request.shard)
    return try planner.dryRun(items(selection.ids), selection.faults, rules(isForced: request.isForced))
  }

  func prepared() throws -> PreparedChange {
    if request.resumes { return try planner.resume(rules) }
    let selected = try selection.resolve(planner.credentials, in: session).limited(to: request.shard)
    try confirm(selected.ids.count)
    var rules = rules(isForced: request.isForced)
    if request.change == .disable {
      let pending = try selected.ids.filter(isShownPending)
      try session.confirmDisabling(pending: pending)
      rules.confirmed = Set(pending)
    }
    return try planner.begin(items(selected.ids), selected, isForced: request.isForced, rules)
  }

  private func items(_ ids: [ConnectionID]) -> [JournalItem] {
    ids.map { JournalItem(id: $0.description, action: request.change.rawValue) }
  }

  private func confirm(_ count: Int) throws {
    guard selection.isAll, count > 0 else { return }
    let verb = request.change == .enable ? "Enable" : "Disable"
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
    let target = request.target
    return ChangeExecutor.Rules(
      // If a change was sent but got no response, the cache has only the earlier status.
      trustsCache: { $0.state != .sent },
      verdict: { item, status in
        if let refusal = Problem.neverEnabled(item, status) { return .refuse(refusal) }
        if !isForced, let refusal = Problem.pendingWhenDisabled(item, status, pending) { return .refuse(refusal) }
        if isForced, item.state != .sent { return .send }
        if status == target || (status == .neverEnabled && target == .disabled) { return .nothingToDo }
        return .send
      })
  }
}
