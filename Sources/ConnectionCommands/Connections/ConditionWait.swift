import IFTTT
import Session
import Text

/// The state machine of `connections wait`: decides which connections to poll, how long to pause and when to end.
///
/// A connection that has met the conditions once is not polled again.
struct ConditionWait {
  enum Action: Equatable {
    case poll([ConnectionID], limit: Duration)
    case pause(Duration)
    case end(Ending)
  }

  enum Ending: Equatable {
    /// All connections meet the conditions, or did when last polled.
    case met
    case timeUp
    case refused(Problem)
  }

  private let conditions: [WaitCondition]
  private let count: Int
  private var schedule: PollSchedule
  private var round = PollSchedule.Round()
  private var isRoundDue = true
  private var refusal: Problem?
  /// The last result of each connection that does not meet the conditions yet.
  private var latest: [ConnectionID: PollResult<WaitCondition.Facts>] = [:]
  /// The connections that do not meet the conditions yet, in the order requested.
  private(set) var waiting: [ConnectionID]

  init(for conditions: [WaitCondition], of ids: [ConnectionID], _ schedule: PollSchedule) {
    (self.conditions, waiting, count, self.schedule) = (conditions, ids, ids.count, schedule)
  }

  /// Returns the next action. Pass the results of all requested polls first.
  /// - Parameters:
  ///   - now: monotonic time.
  ///   - random: from 0 up to, but not including, 1.
  mutating func next(at now: Duration, random: Double) -> Action {
    if let refusal { return .end(.refused(refusal)) }
    if waiting.isEmpty { return .end(.met) }
    if isRoundDue {
      isRoundDue = false
      round = PollSchedule.Round()
      return .poll(waiting, limit: schedule.requestLimit(at: now))
    }
    switch schedule.step(after: round, at: now, random: random) {
    case .pause(let duration):
      isRoundDue = true
      return .pause(duration)
    case .over: return .end(.timeUp)
    }
  }

  /// Receives the result of one poll.
  /// - Returns: whether the connection meets the conditions.
  mutating func receive(_ sight: PollResult<WaitCondition.Facts>, of id: ConnectionID) -> Bool {
    switch sight {
    case .seen(let facts):
      guard !conditions.allSatisfy({ $0.holds(of: facts) }) else {
        waiting.removeAll { $0 == id }
        latest[id] = nil
        return true
      }
    case .missing(let problem), .refused(let problem): refusal = refusal ?? problem
    case .failed(_, let retryAfter): round.fail(retryAfter: retryAfter)
    }
    // A failure carries less information than the result before it.
    if case .failed = sight, case .seen = latest[id] { return false }
    latest[id] = sight
    return false
  }

  /// The reason that the wait timed out.
  var notYet: Problem {
    let details = waiting.map { Problem.Detail(parameter: $0.description, message: lack(of: $0)) }
    guard count > 1, let first = waiting.first else {
      return Problem(
        .notYet, "timed out waiting for connection '\(waiting.first?.description ?? "")'",
        reason: details.first?.message, hint: "Allow more time with --timeout.")
    }
    let message = "timed out waiting for \(waiting.count) of \(count) connections"
    return Problem(
      .notYet, message, hint: "Allow more time with --timeout, or check: \(ifttt: "connections show \(first)").",
      details: details)
  }

  private func lack(of id: ConnectionID) -> String {
    switch latest[id] {
    case .seen(let facts):
      let lacking = conditions.filter { !$0.holds(of: facts) }
      return lacking.map { "\($0.present(in: facts)), expected \($0)" }.joined(separator: "; ")
    case .failed(let problem, _), .missing(let problem), .refused(let problem): return problem.summary
    case nil: return "it could not be fetched in time"
    }
  }
}
