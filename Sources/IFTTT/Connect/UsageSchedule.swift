package import World

/// The schedule for sending usage events: once a few are queued, and after a failure only after a growing pause.
///
/// Pure: the time is a parameter.
package struct UsageSchedule: Sendable, Equatable {
  /// The number of events that are worth a request (reference: events-and-privacy.md, section 3).
  package static let enough = 5
  /// The maximum number of stored events; the oldest are dropped.
  package static let mostKept = 100
  /// The timeout of a sender, for all its requests.
  package static let sendingTime = Duration.seconds(5)
  /// How long a sender blocks other senders, in case it dies without reporting a result.
  package static let claim = Duration.seconds(15)
  private static let firstPause = Duration.seconds(60)
  package static let longestPause = Duration.seconds(6 * 3600)

  /// Nothing is sent before this time.
  package var notBefore: Timestamp
  /// The number of consecutive failures.
  package var failures: Int

  package init(notBefore: Timestamp, failures: Int) { (self.notBefore, self.failures) = (notBefore, failures) }

  package static let free = UsageSchedule(notBefore: Timestamp(milliseconds: 0), failures: 0)

  /// Whether a sender may start. A time too far in the future was written with a wrong clock and is ignored.
  package func isFree(at now: Timestamp) -> Bool {
    now >= notBefore || now - (.zero - Self.longestPause) < notBefore
  }

  package func isDue(waiting: Int, at now: Timestamp) -> Bool { waiting >= Self.enough && isFree(at: now) }

  /// The schedule while a sender runs.
  package func claimed(at now: Timestamp) -> UsageSchedule {
    UsageSchedule(notBefore: now - (.zero - Self.claim), failures: failures)
  }

  /// - Parameter asked: `Retry-After`; nil if the server sent none.
  package func failed(at now: Timestamp, asked: Duration?) -> UsageSchedule {
    let grown = Self.firstPause * (1 << min(failures, 10))
    let pause = min(Self.longestPause, max(grown, asked ?? .zero))
    return UsageSchedule(notBefore: now - (.zero - pause), failures: failures + 1)
  }
}
