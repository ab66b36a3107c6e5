package import World

/// The state of sending usage events. They are sent once a few are queued, and after a failure only after a growing
/// pause.
package struct UsageSending: Sendable, Equatable {
  /// The number of queued events from which a request is sent (docs/api/events-and-privacy.md §3).
  package static let batchThreshold = 5
  /// The maximum number of stored events; the oldest are deleted.
  package static let queueLimit = 100
  /// The timeout of a sender, for all its requests.
  package static let sendingTime = Duration.seconds(5)
  /// The time for which a sender blocks other senders. It ends the block of a sender that did not report a result.
  static let claim = Duration.seconds(15)
  private static let longestPause = Duration.seconds(6 * 3600)
  private static let backoff = Backoff(base: .seconds(60), ceiling: longestPause)

  /// The number of queued events.
  package var waiting: Int
  /// The earliest time of the next attempt.
  package var notBefore: Timestamp
  /// The number of consecutive failures.
  package var failures: Int
  package var triedAt: Timestamp?
  /// The reason the last attempt failed; nil if it did not.
  package var problem: String?

  package init(
    waiting: Int, notBefore: Timestamp = Timestamp(milliseconds: 0), failures: Int = 0, triedAt: Timestamp? = nil,
    problem: String? = nil
  ) {
    (self.waiting, self.notBefore, self.failures) = (waiting, notBefore, failures)
    (self.triedAt, self.problem) = (triedAt, problem)
  }

  /// Whether a sender may start. A time too far in the future was written with a wrong clock and is ignored.
  package func isFree(at now: Timestamp) -> Bool {
    now >= notBefore || now + Self.longestPause < notBefore
  }

  package func isDue(at now: Timestamp) -> Bool { waiting >= Self.batchThreshold && isFree(at: now) }

  /// The state after a failed attempt.
  /// - Parameter retryAfter: `Retry-After`; nil if the server sent none.
  package func failed(_ problem: String, at now: Timestamp, retryAfter: Duration?) -> UsageSending {
    let pause = min(Self.longestPause, max(Self.backoff.delay(attempt: failures + 1), retryAfter ?? .zero))
    return UsageSending(
      waiting: waiting, notBefore: now + pause, failures: failures + 1, triedAt: now, problem: problem)
  }
}
