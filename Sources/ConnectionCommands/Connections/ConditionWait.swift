import CommandLine
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
    case end(Outcome)
  }

  enum Outcome: Equatable {
    /// All connections meet the conditions, or did when last polled.
    case met
    case timedOut
    /// The problem of one connection ends the wait.
    case failed(Problem, of: ConnectionID)
  }

  private let conditions: [WaitCondition]
  private let count: Int
  private var schedule: PollSchedule
  private var round = PollSchedule.Round()
  private var isRoundDue = true
  private var fatal: (problem: Problem, id: ConnectionID)?
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
    if let fatal { return .end(.failed(fatal.problem, of: fatal.id)) }
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
    case .over: return .end(.timedOut)
    }
  }

  /// Receives the result of one poll.
  /// - Returns: whether the connection meets the conditions.
  mutating func receive(_ result: PollResult<WaitCondition.Facts>, of id: ConnectionID) -> Bool {
    switch result {
    case .found(let facts):
      guard !conditions.allSatisfy({ $0.holds(of: facts) }) else {
        waiting.removeAll { $0 == id }
        latest[id] = nil
        return true
      }
    case .missing(let problem), .refused(let problem): fatal = fatal ?? (problem, id)
    case .failed(_, let retryAfter): round.fail(retryAfter: retryAfter)
    }
    // A failure carries less information than the result before it.
    if case .failed = result, case .found = latest[id] { return false }
    latest[id] = result
    return false
  }

  /// The problem of a wait that timed out.
  var timeoutProblem: Problem {
    let details = waiting.map { Problem.Detail(parameter: $0.description, message: unmetReason(for: $0)) }
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

  /// Why a connection does not meet the conditions.
  func unmetReason(for id: ConnectionID) -> String {
    switch latest[id] {
    case .found(let facts):
      let unmet = conditions.filter { !$0.holds(of: facts) }
      return unmet.map { "\($0.currentValue(in: facts)), expected \($0)" }.joined(separator: "; ")
    case .failed(let problem, _), .missing(let problem), .refused(let problem): return problem.summary
    case nil: return "it could not be fetched in time"
    }
  }
}

/// A condition of `connections wait --for`: a field of a connection, a comparison and a value, such as
/// `status=enabled`.
package struct WaitCondition: Sendable, Equatable, CustomStringConvertible {
  enum Field: String, Sendable, CaseIterable {
    case status, pending, name
    case enabledCount = "enabled_count"
  }

  enum Comparison: String, Sendable {
    case equal = "=", different = "!=", atLeast = ">=", atMost = "<=", above = ">", below = "<"

    var isOrdering: Bool { self != .equal && self != .different }
  }

  /// The facts about a connection that conditions can refer to.
  struct Facts: Sendable, Equatable {
    var status: Connection.Status
    var isPending: Bool
    var name: String
    var enabledCount: Int?
  }

  let field: Field
  let comparison: Comparison
  let value: String

  package var description: String { field.rawValue + comparison.rawValue + value }

  /// - Throws: ``ValueError`` if the field, the comparison or the value is invalid.
  init(parsing text: String) throws(ValueError) {
    let bytes = Array(text.utf8)
    let signs = Array("=!<>".utf8)
    guard let start = bytes.firstIndex(where: signs.contains) else {
      throw ValueError("expected a condition such as status=enabled", accepted: Self.samples)
    }
    let long = bytes[start...].prefix(2)
    let sign = Comparison(rawValue: String(decoding: long, as: UTF8.self)) ?? Self.short(bytes[start])
    guard let sign else {
      throw ValueError("expected =, !=, >=, <=, > or <", bytes: start..<start + 1)
    }
    guard let field = Field(rawValue: String(decoding: bytes[..<start], as: UTF8.self)) else {
      throw ValueError("no such field", accepted: Field.allCases.map(\.rawValue), bytes: 0..<start)
    }
    let rest = start + sign.rawValue.utf8.count
    guard field == .enabledCount || !sign.isOrdering else {
      throw ValueError("only enabled_count can be compared with this operator", bytes: start..<rest)
    }
    let word = String(decoding: bytes[rest...], as: UTF8.self)
    let value = field == .status || field == .pending ? word.loweredASCII : word
    try Self.check(value, of: field, at: rest..<bytes.count)
    (self.field, comparison, self.value) = (field, sign, value)
  }

  /// The values that shell completion offers.
  package static var samples: [String] {
    Connection.Status.allCases.map { "status=\($0.rawValue)" } + ["pending=true", "pending=false"]
  }

  private static func short(_ byte: UInt8) -> Comparison? {
    Comparison(rawValue: String(decoding: CollectionOfOne(byte), as: UTF8.self))
  }

  private static func check(_ value: String, of field: Field, at bytes: Range<Int>) throws(ValueError) {
    let accepted: [String]
    switch field {
    case .status: accepted = Connection.Status.allCases.map(\.rawValue)
    case .pending: accepted = ["true", "false"]
    case .name: return
    case .enabledCount:
      guard Int(value) == nil else { return }
      throw ValueError("expected a whole number", bytes: bytes)
    }
    guard accepted.contains(value) else { throw ValueError("no such value", accepted: accepted, bytes: bytes) }
  }

  /// Whether the facts meet the condition. An unknown count meets no condition.
  func holds(of facts: Facts) -> Bool {
    switch field {
    case .status: (facts.status.rawValue == value) == (comparison == .equal)
    case .pending: (facts.isPending == (value == "true")) == (comparison == .equal)
    case .name: (facts.name == value) == (comparison == .equal)
    case .enabledCount:
      if let count = facts.enabledCount, let limit = Int(value) { matches(count, limit) } else { false }
    }
  }

  private func matches(_ count: Int, _ limit: Int) -> Bool {
    switch comparison {
    case .equal: count == limit
    case .different: count != limit
    case .atLeast: count >= limit
    case .atMost: count <= limit
    case .above: count > limit
    case .below: count < limit
    }
  }

  /// Describes the field's current value, for the message of a wait that timed out.
  func currentValue(in facts: Facts) -> String {
    switch field {
    case .status: "status is \(facts.status.rawValue)"
    case .pending: "pending is \(facts.isPending)"
    case .name: "name is '\(facts.name)'"
    case .enabledCount: "enabled_count is \(facts.enabledCount.map(String.init) ?? "unknown")"
    }
  }
}

extension ValueKind<WaitCondition> {
  static var condition: ValueKind {
    ValueKind(ValueSchema(placeholder: "FIELD=VALUE", completion: .dynamic("condition"))) {
      (text: String) throws(ValueError) in try WaitCondition(parsing: text)
    }
  }
}
