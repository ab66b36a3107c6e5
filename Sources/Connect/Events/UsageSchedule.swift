package import Time

/// When usage events are sent: once a few wait, and after a failure not before a pause, which grows.
///
/// Pure: it is told the time.
package struct UsageSchedule: Sendable, Equatable {
  /// As many are worth a request (reference: events-and-privacy.md, section 3).
  package static let enough = 5
  /// As many are kept; the oldest give way.
  package static let mostKept = 100
  /// As long a sender may take, all its requests included.
  package static let sendingTime = Duration.seconds(5)
  /// As long no other is started once one was, in case it dies without a word.
  package static let claim = Duration.seconds(15)
  private static let firstPause = Duration.seconds(60)
  package static let longestPause = Duration.seconds(6 * 3600)

  /// Nothing is sent before this moment.
  package var notBefore: Timestamp
  /// In a row.
  package var failures: Int

  package init(notBefore: Timestamp, failures: Int) { (self.notBefore, self.failures) = (notBefore, failures) }

  package static let free = UsageSchedule(notBefore: Timestamp(milliseconds: 0), failures: 0)

  /// A moment too far ahead was written by a clock that was wrong, and holds nothing up.
  package func isFree(at now: Timestamp) -> Bool {
    now >= notBefore || now - (.zero - Self.longestPause) < notBefore
  }

  package func isDue(waiting: Int, at now: Timestamp) -> Bool { waiting >= Self.enough && isFree(at: now) }

  /// While one sends.
  package func claimed(at now: Timestamp) -> UsageSchedule {
    UsageSchedule(notBefore: now - (.zero - Self.claim), failures: failures)
  }

  /// - Parameter asked: `Retry-After`; nil where the server said nothing of it.
  package func failed(at now: Timestamp, asked: Duration?) -> UsageSchedule {
    let grown = Self.firstPause * (1 << min(failures, 10))
    let pause = min(Self.longestPause, max(grown, asked ?? .zero))
    return UsageSchedule(notBefore: now - (.zero - pause), failures: failures + 1)
  }
}
