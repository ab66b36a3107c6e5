package import Time
package import World

/// A clock that stands still from one event to the next, an event being an answer or the end of a sleep. A run that is
/// recorded has it, and so has its replay: both then see the same times.
///
/// Used by one thread.
package final class FrozenClock: Clock, @unchecked Sendable {
  private let followed: (any Clock)?
  private let began: Duration
  private var wall: Timestamp
  private var passed = Duration.zero

  /// For recording: at each event it shows what `clock` shows.
  package init(following clock: any Clock) {
    (followed, began, wall) = (clock, clock.monotonic(), clock.now())
  }

  /// For replay: moves only when it is slept on or told.
  package init(from moment: Timestamp) { (followed, began, wall) = (nil, .zero, moment) }

  package func now() -> Timestamp { wall }

  /// Since the run began, in whole microseconds.
  package func monotonic() -> Duration { passed }

  package func sleep(for duration: Duration) {
    if let followed { followed.sleep(for: duration) }
    pass(duration)
  }

  /// An event has come.
  func follow() {
    guard let followed else { return }
    wall = followed.now()
    passed = .microseconds((followed.monotonic() - began).wholeMicroseconds)
  }

  /// Time has gone by: what was followed tells how much, else as much as was meant to.
  func pass(_ duration: Duration) {
    if followed == nil { passed += max(.zero, duration) } else { follow() }
  }

  /// What was recorded of an event.
  func move(to moment: Timestamp, after: Duration) {
    wall = moment
    passed = max(passed, after)
  }
}
