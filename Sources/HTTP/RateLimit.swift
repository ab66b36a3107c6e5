import World

/// The maximum number of requests in any period, such as 50 in one second.
package struct RateLimit: Sendable, Equatable {
  package let count: Int
  package let period: Duration

  package init(_ count: Int, per period: Duration) { (self.count, self.period) = (count, period) }
}

/// Decides when the next request may start under a rate limit.
///
/// The server counts arrivals, which the client cannot see: an arrival is somewhere between the start of a request and
/// the end of its response. Each request therefore holds one of `count` permits from its start until one period after
/// its end. Whatever the latency and its jitter are, no more than `count` requests then arrive in one period.
package struct RateLimiter {
  package let limit: RateLimit?
  private var inFlight = 0
  /// When the permits of ended requests are returned, in ascending order.
  private var returns: ArraySlice<Duration> = []
  private var pausedUntil = Duration.zero

  /// A hundredth of the period, for clocks that run at different speeds.
  private static let slack = 100

  package init(_ limit: RateLimit?) { self.limit = limit }

  /// The time until a request may start: zero if it may start now, nil if a request in flight must end first.
  package mutating func delay(at now: Duration) -> Duration? {
    guard let limit else { return .zero }
    while let first = returns.first, first <= now { returns.removeFirst() }
    if now < pausedUntil { return pausedUntil - now }
    guard inFlight + returns.count >= limit.count else { return .zero }
    return returns.first.map { $0 - now }
  }

  package mutating func start() {
    if limit != nil { inFlight += 1 }
  }

  package mutating func end(at now: Duration) {
    guard let limit else { return }
    inFlight -= 1
    returns.append(now + limit.period + limit.period / Self.slack)
  }

  /// Starts no request for a time that the server has requested.
  package mutating func pause(until time: Duration) {
    if limit != nil { pausedUntil = max(pausedUntil, time) }
  }
}
