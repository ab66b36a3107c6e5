package import World

/// A clock that advances only at events: a response, or the end of a sleep or a wait. A recorded run and its replay both use
/// it, so both see the same times.
///
/// Used by one thread.
package final class FrozenClock: Clock, @unchecked Sendable {
  private let followed: (any Clock)?
  private let began: Duration
  private var wall: Timestamp
  private var passed = Duration.zero

  /// Creates a clock for recording. At each event it takes the time of `clock`.
  package init(following clock: any Clock) {
    (followed, began, wall) = (clock, clock.monotonic(), clock.now())
  }

  /// Creates a clock for replay. It advances only when it is moved or slept on.
  package init(from moment: Timestamp) { (followed, began, wall) = (nil, .zero, moment) }

  package func now() -> Timestamp { wall }

  /// The time since the run began, in whole microseconds.
  package func monotonic() -> Duration { passed }

  package func sleep(for duration: Duration) {
    if let followed { followed.sleep(for: duration) }
    pass(duration)
  }

  /// Advances to the time of the followed clock, after an event.
  func follow() {
    guard let followed else { return }
    wall = followed.now()
    passed = .microseconds((followed.monotonic() - began).wholeMicroseconds)
  }

  /// Advances after a wait: to the time of the followed clock, or by `duration` if there is none.
  package func pass(_ duration: Duration) {
    if followed == nil { passed += max(.zero, duration) } else { follow() }
  }

  /// Moves to the recorded time of an event.
  func move(to moment: Timestamp, after: Duration) {
    wall = moment
    passed = max(passed, after)
  }
}
