import Batch
import CommandContext
import Connect
import Hints

/// Decides what `connections watch` does next, and which of what it sees is a change.
struct ConnectionWatch {
  enum Action: Equatable {
    case look([ConnectionID], limit: Duration)
    /// The first round that failed after one that did not, and the reverse.
    case tell(Notice)
    case pause(Duration)
    case end(Ending)
  }

  enum Notice: Equatable {
    case failing(Problem)
    case recovered
  }

  enum Ending: Equatable {
    /// The time is up, or as many changes were seen as were wanted.
    case over
    /// It cannot go on, or the time is up before so many changes.
    case refused(Problem)
  }

  /// What is known of one.
  private enum Known: Equatable {
    /// In a first round that failed for it.
    case unseen
    case absent
    case present(WatchedConnection)
  }

  private enum Phase { case roundDue, looking, told }

  private var schedule: PollSchedule
  private var round = PollSchedule.Round()
  private var phase = Phase.roundDue
  private var known: [ConnectionID: Known] = [:]
  private var refusal: Problem?
  /// Of the present round, the first.
  private var failure: Problem?
  private var isFailing = false
  private var sawAnything = false
  /// Whether an id that is nowhere to be seen at first is a mistake rather than something to wait for.
  private let areNamed: Bool
  /// How many more changes are wanted; nil for all.
  private var wanted: Int?
  private let count: Int?
  private(set) var ids: [ConnectionID]

  /// - Parameters:
  ///   - areNamed: whether the user typed the ids, rather than tracking them.
  ///   - count: the watch ends after so many changes.
  init(_ ids: [ConnectionID], areNamed: Bool, count: Int?, _ schedule: PollSchedule) {
    (self.ids, self.areNamed, wanted, self.count, self.schedule) = (ids, areNamed, count, count, schedule)
    for id in ids { known[id] = .unseen }
  }

  /// What to do now, all looks that were asked for having been taken.
  /// - Parameters:
  ///   - now: monotonic.
  ///   - random: from 0 up to 1.
  mutating func next(at now: Duration, random: Double) -> Action {
    if let refusal { return .end(.refused(refusal)) }
    if wanted == 0 { return .end(.over) }
    switch phase {
    case .roundDue:
      (phase, round, failure) = (.looking, PollSchedule.Round(), nil)
      return .look(ids, limit: schedule.requestLimit(at: now))
    case .looking where round.hasFailed != isFailing:
      (phase, isFailing) = (.told, round.hasFailed)
      return .tell(failure.map(Notice.failing) ?? .recovered)
    case .looking, .told:
      if case .pause(let duration) = schedule.step(after: round, at: now, random: random) {
        phase = .roundDue
        return .pause(duration)
      }
      // A watch that never saw anything has not done what it was asked.
      if !sawAnything, let failure { return .end(.refused(failure)) }
      return .end(notYet.map(Ending.refused) ?? .over)
    }
  }

  /// The failure of a watch that times out before `--count` changes; nil otherwise.
  private var notYet: Problem? {
    guard let count, let wanted, wanted > 0 else { return nil }
    let changes = count == 1 ? "1 change" : "\(count) changes"
    return Problem(
      .notYet, "\(count - wanted) of \(changes) happened", reason: "--timeout was reached",
      hint: "Allow more time with --timeout, or omit it to watch until Ctrl-C.")
  }

  /// Takes what was found of one.
  mutating func take(_ sight: PollResult<WatchedConnection>, of id: ConnectionID) -> ConnectionEvent? {
    guard let before = known[id] else { return nil }
    switch sight {
    case .failed(let problem, let retryAfter):
      round.fail(retryAfter: retryAfter)
      failure = failure ?? problem
      return nil
    case .refused(let problem):
      refusal = refusal ?? problem
      return nil
    case .missing(let problem):
      known[id] = .absent
      if before == .unseen, areNamed { refusal = refusal ?? problem }
      guard case .present(let last) = before else { return nil }
      return counted(ConnectionEvent(id, .gone, before: last, after: nil))
    case .seen(let now):
      sawAnything = true
      known[id] = .present(now)
      switch before {
      case .unseen: return ConnectionEvent(id, .present, before: nil, after: now)
      case .absent: return counted(ConnectionEvent(id, .appeared, before: nil, after: now))
      case .present(let last): return counted(ConnectionEvent(id, from: last, to: now))
      }
    }
  }

  /// Goes on with these, of which some may be new.
  /// - Returns: a change for each that is no longer among them.
  mutating func follow(_ new: [ConnectionID]) -> [ConnectionEvent] {
    guard new != ids else { return [] }
    let kept = Set(new)
    let gone = ids.filter { !kept.contains($0) }
    ids = new
    for id in new where known[id] == nil { known[id] = .absent }
    return gone.compactMap { id in
      guard case .present(let last) = known.removeValue(forKey: id) else { return nil }
      return counted(ConnectionEvent(id, .gone, before: last, after: nil))
    }
  }

  private mutating func counted(_ event: ConnectionEvent?) -> ConnectionEvent? {
    guard let event else { return nil }
    if let wanted {
      guard wanted > 0 else { return nil }
      self.wanted = wanted - 1
    }
    return event
  }
}
