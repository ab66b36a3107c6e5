extension Duration {
  /// Rounded towards zero; the nearest there is where an `Int64` cannot hold them.
  package var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    let (sum, isTooLarge) = milliseconds.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
    return overflow || isTooLarge ? (seconds < 0 ? .min : .max) : sum
  }

  /// As poll(2) and libcurl take a limit: rounded up, so that no wait ends before its time, and no more than a C `int`
  /// holds, which is 23 days.
  package var waitingMilliseconds: Int32 {
    guard self > .zero else { return 0 }
    guard self < .seconds(2_000_000) else { return 2_000_000_000 }
    return Int32((self + Duration(secondsComponent: 0, attosecondsComponent: 999_999_999_999_999)).wholeMilliseconds)
  }
}
