import API
import Batch
import CommandContext
import Connect
import HTTP
import Hints
import Store
import World

/// Enables and disables the connections of a journal, in parallel. It fetches each unknown status, sends the changes
/// and journals their results.
final class ChangeExecutor {
  /// The verdict on a connection of known status.
  enum Verdict {
    case send, nothingToDo
    /// Skips the connection with a note, since its status is not the one that the run expects.
    case leaveAlone
    case refuse(Problem)
  }

  struct Rules {
    /// Whether a fresh cached status is good enough; otherwise it is fetched.
    var trustsCache: (JournalItem) -> Bool
    var verdict: (JournalItem, Connection.Status) -> Verdict
    /// Pending connections that may be disabled, since the user was prompted or a note was printed.
    var confirmed: Set<ConnectionID> = []
  }

  private let session: Session
  private let client: ConnectClient
  private let journal: Journal
  private let rules: Rules
  private let profile: String
  private let store: Store
  private let identity: RequestIdentity
  private let report: BatchRun<QualifiedConnectionID>.Report
  /// The index of each connection in the journal.
  private var places: [ConnectionID: Int] = [:]
  private var known: [ConnectionID: Connection.Status] = [:]
  /// The connections known to be pending.
  private var pending: Set<ConnectionID> = []

  init(
    _ journal: Journal, _ client: ConnectClient, as identity: RequestIdentity, _ rules: Rules,
    _ report: BatchRun<QualifiedConnectionID>.Report, in session: Session
  ) throws {
    (self.journal, self.client, self.identity, self.rules) = (journal, client, identity, rules)
    (self.report, self.session) = (report, session)
    profile = try session.profile.name
    store = try session.store
    for (place, item) in journal.items.enumerated() {
      if let id = ConnectionID(parsing: item.id) { places[id] = place }
    }
  }

  /// Makes the remaining changes and journals the progress.
  func run(_ ids: [ConnectionID]) throws {
    let end = Result {
      try read(ids)
      try send(try evaluate(ids))
    }
    var state: JournalRun.State = journal.items.contains { $0.isUnfinished } ? .failed : .done
    if case .failure = end { state = .interrupted }
    let closing = Result { try journal.end(state) }
    try end.get()
    try closing.get()
  }

  private func item(_ id: ConnectionID) -> (place: Int, item: JournalItem) {
    let place = places[id] ?? 0
    return (place, journal.items[place])
  }

  // MARK: Reading

  private func read(_ ids: [ConnectionID]) throws {
    var unknown: [ConnectionID] = []
    let cutoff = try session.staleBefore(identity)
    for id in ids {
      if rules.trustsCache(item(id).item), let cached = try store.cached(id.description, profile: profile),
        cached.fetchedAt >= cutoff, let status = Connection.Status(rawValue: cached.status), status != .unknown
      {
        known[id] = status
        if isDisabled(item(id).item), cached.isPending { pending.insert(id) }
      } else {
        unknown.append(id)
      }
    }
    guard !unknown.isEmpty else { return }
    // From here on, a long run can be resumed.
    if unknown.count > 1 { try journal.write() }
    report.begin("Fetching", of: unknown.count)
    var read: [CachedConnection] = []
    func write() throws {
      try store.cache(read, as: identity, profile: profile)
      read.removeAll(keepingCapacity: true)
    }
    let end = Result {
      try client.show(unknown, starting: { [report] in report.starting(QualifiedConnectionID($0)) }) { id, result in
        switch result {
        case .success(let answer):
          let row = try session.cached(answer)
          if isDisabled(item(id).item), row.isPending { pending.insert(id) }
          read.append(row)
          if read.count == CacheRefresh.batch { try write() }
          known[id] = answer.connection.status
          report.advance()
        case .failure(let failure):
          let place = item(id).place
          // An item that was sent stays sent: a failed fetch does not show whether the change took effect.
          if journal.items[place].state != .sent { try journal.note(place, .failed) }
          try finish(id, .unknown, Problem(failure, subject: "connection '\(id)'"))
        }
      }
    }
    try write()
    try end.get()
  }

  // MARK: Evaluating

  /// - Returns: the changes to send.
  private func evaluate(_ ids: [ConnectionID]) throws -> [(id: ConnectionID, change: ConnectClient.Change)] {
    var due: [(id: ConnectionID, change: ConnectClient.Change)] = []
    for id in ids {
      guard let status = known[id] else { continue }
      let (place, item) = item(id)
      switch rules.verdict(item, status) {
      case .send:
        guard let change = ConnectClient.Change(rawValue: item.action) else { continue }
        try journal.note(place, .planned, before: item.before ?? status.rawValue)
        due.append((id, change))
      case .nothingToDo:
        try journal.note(place, .done, before: item.before ?? status.rawValue, after: status.rawValue)
        try finish(id, status)
      case .leaveAlone:
        try journal.note(place, .refused, before: status.rawValue, after: status.rawValue)
        session.console.note("Connection '\(id)' was changed again and is \(status.rawValue); it is skipped.")
        try finish(id, status)
      case .refuse(let problem):
        try journal.note(place, .refused, before: status.rawValue, after: status.rawValue)
        try finish(id, status, problem)
      }
    }
    return due
  }

  // MARK: Sending

  private func isDisabled(_ item: JournalItem) -> Bool { item.action == ConnectClient.Change.disable.rawValue }

  /// Prompts for connections that only the fetch has shown to be pending. If the user declines, nothing has been sent
  /// and there is nothing to resume.
  private func confirm(_ due: [(id: ConnectionID, change: ConnectClient.Change)]) throws {
    let guarded = due.filter { $0.change == .disable && pending.contains($0.id) }.map(\.id)
    do {
      let new = guarded.filter { !rules.confirmed.contains($0) }
      if !new.isEmpty { report.makeRoom() }
      try session.confirmDisabling(pending: new)
    } catch {
      for (id, _) in due { try journal.note(item(id).place, .refused) }
      throw error
    }
    // A disabled connection does not show that it cannot be enabled again, so remember it.
    for id in guarded { try session.pendingConnections.mark(id) }
  }

  /// Sends the changes. If a response lacks the changed connection, fetches it again, since only that shows its
  /// status.
  private func send(_ due: [(id: ConnectionID, change: ConnectClient.Change)]) throws {
    guard !due.isEmpty else { return }
    try confirm(due)
    if due.count > 1 { report.begin("Changing", of: due.count) }
    journal.plan(due.map { item($0.id).place })
    var unread: [ConnectionID] = []
    var unanswered: [ConnectionID] = []
    // Fetch only after all changes are sent: a second request queue would receive outcomes of the first.
    let sending = Result {
      try client.change(
        due,
        starting: { [journal, report] index in
          try journal.send(index)
          unanswered.append(due[index].id)
          report.starting(QualifiedConnectionID(due[index].id))
        },
        each: { id, result in
          unanswered.removeAll { $0 == id }
          switch result {
          case .success(let answer?) where answer.connection.status != .unknown: try finish(answer)
          case .success: unread.append(id)
          case .failure(let failure):
            if failure.leavesNothingChanged { try journal.note(item(id).place, .failed) }
            try finish(id, known[id] ?? .unknown, Problem(failure, subject: "connection '\(id)'"))
          }
        })
    }
    var rest = Set(unread)
    let reading = Result {
      try client.show(unread) { id, result in
        rest.remove(id)
        switch result {
        case .success(let answer): try finish(answer)
        case .failure(let failure):
          var problem = Problem(failure, subject: "connection '\(id)'")
          problem.message = "IFTTT accepted the change, but its effect is unknown: \(problem.message)"
          try finish(id, .unknown, problem)
        }
      }
    }
    // If an interruption prevents the response or the fetch, it is only known that the change was sent.
    for id in unanswered + unread.filter(rest.contains) { try finish(id, .unknown) }
    try sending.get()
    try reading.get()
  }

  /// Reports a connection after its change.
  private func finish(_ answer: FetchedConnection) throws {
    let (id, status) = (answer.connection.id, answer.connection.status)
    let (place, item) = item(id)
    try store.cache([session.cached(answer)], as: identity, afterChange: true, profile: profile)
    let hadNoEffect =
      item.action == ConnectClient.Change.enable.rawValue
      ? status == .disabled || status == .neverEnabled : status == .enabled
    try journal.note(place, hadNoEffect ? .failed : status == .unknown ? .sent : .done, after: status.rawValue)
    guard hadNoEffect else {
      if let change = ConnectClient.Change(rawValue: item.action) {
        session.usage.record(change, of: id, before: item.before.flatMap(Connection.Status.init(rawValue:)))
      }
      return try finish(id, status)
    }
    try finish(id, status, .ineffective(id, status))
  }

  private func finish(_ id: ConnectionID, _ status: Connection.Status, _ problem: Problem? = nil) throws {
    let before = item(id).item.before.flatMap(Connection.Status.init(rawValue:))
    let known = known[id]
    let id = QualifiedConnectionID(id)
    let row = ChangeRow(
      id: id, status: status, previous: before ?? known ?? .unknown,
      problem: problem?.completed(with: session.suggestions))
    try report(id, row.result)
  }
}
