package import Time

/// Wall-clock time for display and records, and monotonic time for deadlines.
package protocol Clock: Sendable {
  func now() -> Timestamp
  /// The time since an arbitrary start, in nanoseconds. It never goes back.
  func monotonic() -> Duration
  /// Sleeps for the duration, or until an interrupt.
  func sleep(for duration: Duration)
}
