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
