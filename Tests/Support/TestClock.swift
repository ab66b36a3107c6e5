import Foundation
package import World

/// A clock that only advances while a caller sleeps on it. All mutable state is guarded by `lock`.
package final class TestClock: Clock, @unchecked Sendable {
  private let start: Timestamp?
  private let effects: Effects
  private let lock = NSLock()
  private var elapsed = Duration.zero
  private var naps: [Duration] = []

  init(startingAt start: Timestamp?, _ effects: Effects) { (self.start, self.effects) = (start, effects) }

  package func now() -> Timestamp {
    if start == nil { effects.unexpected("the time was asked for, but the test provides no clock") }
    let start = start ?? Timestamp(milliseconds: 0)
    return lock.withLock { start - (.zero - elapsed) }
  }

  package func monotonic() -> Duration {
    if start == nil { effects.unexpected("time was measured, but the test provides no clock") }
    return lock.withLock { elapsed }
  }

  package func sleep(for duration: Duration) {
    if start == nil { effects.unexpected("a sleep of \(duration) began, but the test provides no clock") }
    lock.withLock {
      naps.append(duration)
      elapsed += max(.zero, duration)
    }
  }

  package func advance(by duration: Duration) { lock.withLock { elapsed += duration } }

  /// All sleeps so far.
  package var sleeps: [Duration] { lock.withLock { naps } }
}
