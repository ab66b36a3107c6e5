import API
import Batch
import CommandContext
import Connect
import HTTP
import Hints
import Phrases
import Store
import Time
import World

/// The changes that a run would make: for `--dry-run`, which only fetches.
struct ChangePlan {
  private let session: Session
  private let client: ConnectClient
  private let identity: RequestIdentity
  private let rules: ChangeExecutor.Rules

  init(_ client: ConnectClient, as identity: RequestIdentity, _ rules: ChangeExecutor.Rules, in session: Session) {
    (self.client, self.identity, self.rules, self.session) = (client, identity, rules, session)
  }

  /// A connection as far as it is known.
  private struct Present {
    var status: Connection.Status
    var name: String
    var isPending: Bool
  }

  /// The requests that would be sent; notes show the status before and after.
  func output(_ items: [JournalItem], _ faults: [BatchSelection<ConnectionID>.Fault]) throws -> Output {
    let failures = BatchFailures(of: items.count + faults.count)
    for fault in faults { failures.add(fault.problem, of: fault.name) }
    let (present, problems) = try currentStates(at: items)
    var requests: [Request] = []
    var changes: [PlannedChange] = []
    var settled: [ConnectionID] = []
    var pending: [ConnectionID] = []
    for item in items {
      guard let id = ConnectionID(parsing: item.id), let change = ConnectClient.Change(rawValue: item.action) else {
        continue
      }
      if let problem = problems[item.id] {
        failures.add(problem, of: id)
        continue
      }
      let status = present[item.id]?.status ?? .unknown
      switch rules.verdict(item, status) {
      case .refuse(let problem): failures.add(problem, of: id)
      case .nothingToDo: settled.append(id)
      case .leaveAlone where try !session.network.isCutOff:
        session.console.note("Connection '\(id)' was changed again and is \(status.rawValue); it would be skipped.")
      case .send, .leaveAlone:
        requests.append(try client.changeRequest(change, id))
        changes.append(
          PlannedChange(
            id: item.id, name: present[item.id]?.name, before: status, after: change == .enable ? .enabled : .disabled))
        if change == .disable, present[item.id]?.isPending == true { pending.append(id) }
      }
    }
    for id in settled.prefix(10) { session.console.note("Connection '\(id)' already has the requested status.") }
    if settled.count > 10 { session.console.note("\(settled.count - 10) more connections already have it.") }
    session.show(changes)
    if let warning = Problem.warning(ofPending: pending) { session.console.note(warning) }
    if items.count == 1, faults.isEmpty { try failures.evaluate() }
    return session.dryRun(requests).judging(failures)
  }

  /// Uses the cache if a real run would trust it, otherwise IFTTT. Offline, only the cache is used.
  private func currentStates(
    at items: [JournalItem]
  ) throws -> (present: [String: Present], problems: [String: Problem]) {
    let (store, profile) = (try session.store, try session.profile.name)
    let isCutOff = try session.network.isCutOff
    let isOurs = try store.isSettled(on: identity, profile: profile)
    let cutoff = try isCutOff ? Timestamp(milliseconds: 0) : session.staleBefore(identity)
    let memory = try session.pendingConnections
    var present: [String: Present] = [:]
    var problems: [String: Problem] = [:]
    var unknown: [ConnectionID] = []
    for item in items {
      if isOurs, rules.trustsCache(item), let cached = try store.cached(item.id, profile: profile),
        cached.fetchedAt >= cutoff, let status = Connection.Status(rawValue: cached.status),
        isCutOff || status != .unknown
      {
        present[item.id] = Present(
          status: status, name: cached.name, isPending: memory.contains(item.id) || cached.isPending)
      } else if let id = ConnectionID(parsing: item.id) {
        unknown.append(id)
      }
    }
    guard !isCutOff, !unknown.isEmpty else { return (present, problems) }
    try client.show(unknown) { id, result in
      switch result {
      case .success(let answer):
        let connection = answer.connection
        present[id.description] = Present(
          status: connection.status, name: connection.name, isPending: memory.isPending(connection))
      case .failure(let failure): problems[id.description] = Problem(failure, subject: "connection '\(id)'")
      }
    }
    return (present, problems)
  }
}

/// A status that would change.
struct PlannedChange {
  var id: String
  /// Nil if it is unknown.
  var name: String?
  var before: UserStatus
  var after: UserStatus
}

extension Session {
  /// Notes each status before and after, as `configure` notes its difference.
  func show(_ changes: [PlannedChange]) {
    guard !changes.isEmpty else { return }
    console.note(Hint(console.language.heading(.changed)))
    for change in changes.prefix(BatchFailures.limit) {
      let name = change.name.flatMap { $0 == change.id ? nil : " (\($0))" } ?? ""
      console.note("  \(change.id)\(name): \(change.before.rawValue) → \(change.after.rawValue)")
    }
    if changes.count > BatchFailures.limit { console.note("  and \(changes.count - BatchFailures.limit) more") }
  }
}
