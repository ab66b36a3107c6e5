/// Decides when something that changes elsewhere is looked at again, so that its server is asked no more than it bears.
///
/// Between two rounds lies the interval, give or take a tenth, so that many programs started by one clock do not ask in
/// step. With each round in a row that failed it doubles, up to ``ceiling``. What a server asks for with `Retry-After`
/// is kept to in any case. All times are monotonic.
package struct PollSchedule: Sendable {
  /// How one round of requests went.
  package struct Round: Equatable, Sendable {
    package var hasFailed = false
    /// The longest of those asked for.
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
    /// No further round fits in.
    case over
  }

  /// The longest pause that failures alone lead to, unless the interval is longer.
  static let ceiling = Duration.seconds(60)
  /// The longest time for one request.
  package static let requestLimit = Duration.seconds(30)
  /// A pause that would reach past the end is cut short so that a last look is taken this long before it.
  static let lastLook = Duration.seconds(1)
  /// Of a short time the last look takes a fifth, but not less than this.
  static let leastLastLook = Duration.milliseconds(200)

  private let interval: Duration
  private let end: Duration?
  /// When the first round was over.
  private var start: Duration?
  private var failures = 0
  private var tookLastLook = false

  /// - Parameter end: when all must be over; nil for never.
  package init(every interval: Duration, until end: Duration?) { (self.interval, self.end) = (interval, end) }

  /// How long a request that begins now may take. One round is always made, whatever the time.
  package func requestLimit(at now: Duration) -> Duration {
    guard let end, end > now else { return Self.requestLimit }
    return min(Self.requestLimit, end - now)
  }

  /// - Parameter random: from 0 up to 1.
  package mutating func step(after round: Round, at now: Duration, random: Double) -> Step {
    let start = start ?? now
    self.start = start
    failures = round.hasFailed ? failures + 1 : 0
    // Past 16 doublings every interval is above the ceiling.
    let longest = max(Self.ceiling, interval)
    let regular = min(longest, interval * (1 << min(failures, 16)))
    let asked = round.retryAfter ?? .zero
    let pause = max(regular * (0.9 + 0.2 * random), asked)
    guard let end, now + pause >= end else { return .pause(pause) }
    let last = end - min(Self.lastLook, interval, max(Self.leastLastLook, (end - start) / 5))
    guard !tookLastLook, last > now, last - now >= asked else { return .over }
    tookLastLook = true
    return .pause(last - now)
  }
}
