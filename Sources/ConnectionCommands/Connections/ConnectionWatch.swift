import IFTTT
import JSON
import Output
import Session
import Text
import World

/// The state machine of `connections watch`: selects the next action and finds the changes in the results.
struct ConnectionWatch {
  enum Action: Equatable {
    case poll([ConnectionID], limit: Duration)
    /// Polling has started to fail, or works again.
    case report(Notice)
    case pause(Duration)
    case end(Outcome)
  }

  enum Notice: Equatable {
    case failing(Problem)
    case recovered
  }

  enum Outcome: Equatable {
    /// The watch timed out, or has seen the requested number of changes.
    case over
    /// The watch cannot continue, or timed out before the requested number of changes.
    case failed(Problem)
  }

  /// The last known state of a connection.
  private enum Known: Equatable {
    /// The connection has not been fetched yet: its first poll failed or is still due.
    case unseen
    case absent
    case present(WatchedConnection)
  }

  private enum Phase { case roundDue, polling, reported }

  private var schedule: PollSchedule
  private var round = PollSchedule.Round()
  private var phase = Phase.roundDue
  private var known: [ConnectionID: Known] = [:]
  private var fatalProblem: Problem?
  /// The first failure of the current round.
  private var failure: Problem?
  private var isFailing = false
  private var hasSeenAny = false
  /// Whether an id that does not exist at the start is an error.
  private let areNamed: Bool
  /// The number of changes until the watch ends; nil for no limit.
  private var remainingChanges: Int?
  private let count: Int?
  private(set) var ids: [ConnectionID]

  /// - Parameters:
  ///   - areNamed: whether the user named the ids; otherwise all tracked connections are watched.
  ///   - count: the number of changes after which the watch ends.
  init(_ ids: [ConnectionID], areNamed: Bool, count: Int?, _ schedule: PollSchedule) {
    (self.ids, self.areNamed, remainingChanges, self.count, self.schedule) = (ids, areNamed, count, count, schedule)
    for id in ids { known[id] = .unseen }
  }

  /// Returns the next action. Pass the results of all requested polls first.
  /// - Parameters:
  ///   - now: monotonic time.
  ///   - random: from 0 up to, but not including, 1.
  mutating func next(at now: Duration, random: Double) -> Action {
    if let fatalProblem { return .end(.failed(fatalProblem)) }
    if remainingChanges == 0 { return .end(.over) }
    switch phase {
    case .roundDue:
      (phase, round, failure) = (.polling, PollSchedule.Round(), nil)
      return .poll(ids, limit: schedule.requestLimit(at: now))
    case .polling where round.hasFailed != isFailing:
      (phase, isFailing) = (.reported, round.hasFailed)
      return .report(failure.map(Notice.failing) ?? .recovered)
    case .polling, .reported:
      if case .pause(let duration) = schedule.step(after: round, at: now, random: random) {
        phase = .roundDue
        return .pause(duration)
      }
      // A watch that never fetched a connection has failed.
      if !hasSeenAny, let failure { return .end(.failed(failure)) }
      return .end(timeoutProblem.map(Outcome.failed) ?? .over)
    }
  }

  /// The failure of a watch that times out before `--count` changes; nil otherwise.
  private var timeoutProblem: Problem? {
    guard let count, let remainingChanges, remainingChanges > 0 else { return nil }
    let changes = count.counted("change")
    return Problem(
      .notYet, "timed out after \(count - remainingChanges) of \(changes)", reason: "--timeout was reached",
      hint: "Allow more time with --timeout, or omit it to watch until Ctrl-C.")
  }

  /// Receives the result of one poll.
  mutating func receive(_ result: PollResult<WatchedConnection>, of id: ConnectionID) -> ConnectionEvent? {
    guard let before = known[id] else { return nil }
    switch result {
    case .failed(let problem, let retryAfter):
      round.fail(retryAfter: retryAfter)
      failure = failure ?? problem
      return nil
    case .refused(let problem):
      fatalProblem = fatalProblem ?? problem
      return nil
    case .missing(let problem):
      known[id] = .absent
      if before == .unseen, areNamed { fatalProblem = fatalProblem ?? problem }
      guard case .present(let last) = before else { return nil }
      return limited(ConnectionEvent(id, .gone, before: last, after: nil))
    case .found(let now):
      hasSeenAny = true
      known[id] = .present(now)
      switch before {
      case .unseen: return ConnectionEvent(id, .present, before: nil, after: now)
      case .absent: return limited(ConnectionEvent(id, .appeared, before: nil, after: now))
      case .present(let last): return limited(ConnectionEvent(id, from: last, to: now))
      }
    }
  }

  /// Replaces the watched connections.
  /// - Returns: a change for each connection that is no longer watched.
  mutating func follow(_ new: [ConnectionID]) -> [ConnectionEvent] {
    guard new != ids else { return [] }
    let followed = Set(new)
    let removed = ids.filter { !followed.contains($0) }
    ids = new
    for id in new where known[id] == nil { known[id] = .absent }
    return removed.compactMap { id in
      guard case .present(let last) = known.removeValue(forKey: id) else { return nil }
      return limited(ConnectionEvent(id, .gone, before: last, after: nil))
    }
  }

  /// Returns nil for an event after the requested number of changes.
  private mutating func limited(_ event: ConnectionEvent?) -> ConnectionEvent? {
    guard let event else { return nil }
    if let remainingChanges {
      guard remainingChanges > 0 else { return nil }
      self.remainingChanges = remainingChanges - 1
    }
    return event
  }
}

/// A change of one connection, or its state when the watch started.
struct ConnectionEvent: Sendable, Equatable {
  /// The kind of an event: the first case that applies if several things changed at once.
  enum Kind: String, Sendable, CaseIterable {
    /// The state when the watch started.
    case present
    /// The connection is now tracked or visible.
    case appeared
    /// The connection is no longer tracked, or no longer exists.
    case gone
    case status, pending, configuration, name
  }

  var id: ConnectionID
  var kind: Kind
  var before: WatchedConnection?
  var after: WatchedConnection?

  init(_ id: ConnectionID, _ kind: Kind, before: WatchedConnection?, after: WatchedConnection?) {
    (self.id, self.kind, self.before, self.after) = (id, kind, before, after)
  }

  /// Nil if nothing changed.
  init?(_ id: ConnectionID, from before: WatchedConnection, to after: WatchedConnection) {
    let kind: Kind? =
      if before.status != after.status {
        .status
      } else if before.isPending != after.isPending {
        .pending
      } else if !UserConnection.isSame(before.configuration, after.configuration) {
        .configuration
      } else if before.name != after.name { .name } else { nil }
    guard let kind else { return nil }
    self.init(id, kind, before: before, after: after)
  }

  var name: String { after?.name ?? before?.name ?? id.description }

  func row(at moment: Timestamp) -> [UInt8] {
    var writer = JSONWriter()
    func state(_ key: String, _ state: WatchedConnection?) {
      writer.key(key)
      if let state { state.write(to: &writer) } else { writer.null() }
    }
    writer.beginObject()
    writer.member("at", moment.rfc3339)
    writer.member("id", id.description)
    writer.member("name", name)
    writer.member("kind", kind.rawValue)
    state("before", before)
    state("after", after)
    writer.endObject()
    return writer.bytes
  }
}

extension OutputSchema {
  static var connectionEvents: OutputSchema {
    OutputSchema(
      one: ConnectionEventSchema.rows.one, list: ConnectionEventSchema.rows.list,
      columns: [
        Column("AT", "at"), Column("ID", "id", overflow: .keep), Column("NAME", "name"), Column("KIND", "kind"),
        Column("BEFORE", "before.status", style: .status, notes: [Column.Note("before.pending", "pending")]),
        Column("AFTER", "after.status", style: .status, notes: [Column.Note("after.pending", "pending")]),
        Column("PENDING_BEFORE", "before.pending", isInDataOnly: true),
        Column("PENDING_AFTER", "after.pending", isInDataOnly: true),
      ])
  }
}

/// The part of a connection that `connections watch` compares. The number of users is omitted: for a popular
/// connection it changes constantly and says nothing about its user.
struct WatchedConnection: Sendable, Equatable {
  var status: Connection.Status
  /// Whether its configuration was skipped.
  var isPending: Bool
  var name: String
  var configuration: UserConnection?

  init(_ connection: Connection, isPending: Bool = false) {
    self.isPending = isPending
    (status, name, configuration) = (connection.status, connection.name, connection.userConnection)
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("status", status.rawValue)
    writer.member("pending", isPending)
    writer.member("name", name)
    writer.key("configuration")
    if let configuration { writer.raw(configuration.document) } else { writer.null() }
    writer.endObject()
  }
}
