import World

/// The maximum number of requests in any period, such as 50 in one second.
package struct RateLimit: Sendable, Equatable {
  package let count: Int
  package let period: Duration

  package init(_ count: Int, per period: Duration) { (self.count, self.period) = (count, period) }
}

/// Determines when the next request may start under a rate limit.
///
/// The server counts arrivals, and the client knows only that a request arrives between its start and the end of its
/// response. Each request therefore holds one of `count` permits from its start until one period after its end. For any
/// latency, at most `count` requests then arrive in one period.
package struct RateLimiter {
  package let limit: RateLimit?
  private var inFlight = 0
  /// The times at which the permits of ended requests become available, in ascending order.
  private var permitTimes: ArraySlice<Duration> = []
  private var pausedUntil = Duration.zero

  /// Permits are held for an additional hundredth of the period, because the server's clock may run slower.
  private static let slackDivisor = 100

  package init(_ limit: RateLimit?) { self.limit = limit }

  /// The time until a request may start: zero if it may start now, nil if a request in flight must end first.
  package mutating func delay(at now: Duration) -> Duration? {
    guard let limit else { return .zero }
    while let first = permitTimes.first, first <= now { permitTimes.removeFirst() }
    if now < pausedUntil { return pausedUntil - now }
    guard inFlight + permitTimes.count >= limit.count else { return .zero }
    return permitTimes.first.map { $0 - now }
  }

  /// Records the start of a request.
  package mutating func start() {
    if limit != nil { inFlight += 1 }
  }

  /// Records the end of a request, with or without a response.
  package mutating func end(at now: Duration) {
    guard let limit else { return }
    inFlight -= 1
    permitTimes.append(now + limit.period + limit.period / Self.slackDivisor)
  }

  /// Delays all requests until a time that the server requested.
  package mutating func pause(until time: Duration) {
    if limit != nil { pausedUntil = max(pausedUntil, time) }
  }
}
