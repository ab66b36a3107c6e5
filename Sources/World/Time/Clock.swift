#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Wall-clock time for display and records, and monotonic time for deadlines.
package protocol Clock: Sendable {
  func now() -> Timestamp
  /// The time since an arbitrary start, in nanoseconds. It never goes back.
  func monotonic() -> Duration
  /// Sleeps for the duration, or until an interrupt.
  func sleep(for duration: Duration)
}

/// The system's clocks.
package struct LiveClock: Clock {
  private let interruption: any Interruption

  package init(interruption: any Interruption) { self.interruption = interruption }

  package func now() -> Timestamp {
    let time = Self.read(CLOCK_REALTIME)
    return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }

  package func monotonic() -> Duration { Self.monotonic() }

  package static func monotonic() -> Duration {
    let time = read(CLOCK_MONOTONIC)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }

  package func sleep(for duration: Duration) {
    let end = monotonic() + duration
    while !interruption.isInterrupted {
      let left = end - monotonic()
      guard left > .zero else { return }
      Readiness.wait(for: [.init(interruption.descriptor, .reading)], atMost: left)
    }
  }

  private static func read(_ clock: clockid_t) -> timespec {
    var time = timespec()
    clock_gettime(clock, &time)
    return time
  }
}

/// Exponential backoff: a delay that doubles with each consecutive attempt, up to a ceiling.
package struct Backoff: Sendable {
  private let base: Duration
  private let ceiling: Duration
  private let jitter: ClosedRange<Double>

  /// - Parameters:
  ///   - base: the delay after the first attempt.
  ///   - jitter: the range of a random factor, so that clients do not retry at the same time.
  package init(base: Duration, ceiling: Duration, jitter: ClosedRange<Double> = 1...1) {
    (self.base, self.ceiling, self.jitter) = (base, ceiling, jitter)
  }

  /// The delay after an attempt, without jitter.
  /// - Parameter attempt: from 1; a smaller number counts as 1.
  package func delay(attempt: Int) -> Duration {
    // After 16 doublings, every sensible base exceeds the ceiling.
    min(ceiling, base * (1 << min(max(attempt - 1, 0), 16)))
  }

  /// The delay after an attempt, with jitter.
  /// - Parameter random: from 0 up to 1.
  package func delay(attempt: Int, random: Double) -> Duration {
    delay(attempt: attempt) * (jitter.lowerBound + (jitter.upperBound - jitter.lowerBound) * random)
  }
}

extension Duration {
  /// The duration rounded toward zero, clamped to the range of `Int64`.
  package var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    let (sum, isTooLarge) = milliseconds.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
    return overflow || isTooLarge ? (seconds < 0 ? .min : .max) : sum
  }

  /// A timeout for poll(2) and libcurl: rounded up, so that no wait ends early, and limited to 2,000,000,000 (23
  /// days) to fit a C `int`.
  package var pollMilliseconds: Int32 {
    guard self > .zero else { return 0 }
    guard self < .seconds(2_000_000) else { return 2_000_000_000 }
    return Int32((self + Duration(secondsComponent: 0, attosecondsComponent: 999_999_999_999_999)).wholeMilliseconds)
  }
}
