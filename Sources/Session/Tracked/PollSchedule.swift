package import CommandLine
import World

/// Schedules polls without overloading the server.
///
/// The pause between two rounds is the interval with 10% jitter, so that programs started at the same time do not
/// poll in step. It doubles with each consecutive failed round, up to ``ceiling``. `Retry-After` is always honored.
/// All times are monotonic.
package struct PollSchedule: Sendable {
  /// The result of one round of requests.
  package struct Round: Equatable, Sendable {
    package var hasFailed = false
    /// The longest `Retry-After` of the round.
    package var retryAfter: Duration?

    package init(hasFailed: Bool = false, retryAfter: Duration? = nil) {
      (self.hasFailed, self.retryAfter) = (hasFailed, retryAfter)
    }

    package mutating func fail(retryAfter: Duration?) {
      hasFailed = true
      if let retryAfter { self.retryAfter = max(self.retryAfter ?? .zero, retryAfter) }
    }
  }

  package enum Step: Equatable {
    case pause(Duration)
    /// Too little time is left for another round.
    case over
  }

  /// The longest pause caused by failures alone, unless the interval is longer.
  static let ceiling = Duration.seconds(60)
  /// The timeout of one request.
  package static let requestLimit = Duration.seconds(30)
  /// A pause that would reach past the deadline is shortened, so that a final poll starts this long before it.
  static let finalPollLead = Duration.seconds(1)
  /// If the total time is short, the final poll takes a fifth of it, but not less than this.
  static let shortestFinalPollLead = Duration.milliseconds(200)

  private let interval: Duration
  private let end: Duration?
  /// The end of the first round.
  private var start: Duration?
  private var failures = 0
  private var hasStartedFinalPoll = false

  /// - Parameter end: the deadline; nil for none.
  package init(every interval: Duration, until end: Duration?) { (self.interval, self.end) = (interval, end) }

  /// The timeout of a request that starts now. The full timeout applies after the deadline too, because one round
  /// always runs.
  package func requestLimit(at now: Duration) -> Duration {
    guard let end, end > now else { return Self.requestLimit }
    return min(Self.requestLimit, end - now)
  }

  /// - Parameter random: from 0 up to 1.
  package mutating func step(after round: Round, at now: Duration, random: Double) -> Step {
    let start = start ?? now
    self.start = start
    failures = round.hasFailed ? failures + 1 : 0
    let backoff = Backoff(base: interval, ceiling: max(Self.ceiling, interval), jitter: 0.9...1.1)
    let retryAfter = round.retryAfter ?? .zero
    let pause = max(backoff.delay(attempt: failures + 1, random: random), retryAfter)
    guard let end, now + pause >= end else { return .pause(pause) }
    let last = end - min(Self.finalPollLead, interval, max(Self.shortestFinalPollLead, (end - start) / 5))
    guard !hasStartedFinalPoll, last > now, last - now >= retryAfter else { return .over }
    hasStartedFinalPoll = true
    return .pause(last - now)
  }
}

extension Flag {
  /// The polling interval.
  package static func interval(into path: @autoclosure @escaping OptionKeyPath<Options, Duration>) -> Flag {
    .value(
      "interval", .interval, into: path(), defaultText: "5s",
      help: "Polling interval; longer while requests fail or are rate limited")
  }
}

extension ValueKind<Duration> {
  /// An interval of at least 100 ms, because a loop without a pause would overload the server.
  fileprivate static var interval: ValueKind {
    let duration = ValueKind.duration
    return ValueKind(duration.schema) { (text: String) throws(ValueError) in
      let value = try duration.parse(text)
      guard value >= .milliseconds(100) else { throw ValueError("expected at least 100ms") }
      return value
    }
  }
}
