/// A moment in UTC, in milliseconds since 1970. It is formatted as RFC 3339 with a `Z`.
package struct Timestamp: Sendable, Hashable, Comparable {
  package let milliseconds: Int64
  package init(milliseconds: Int64) { self.milliseconds = milliseconds }
  package static func < (a: Timestamp, b: Timestamp) -> Bool { a.milliseconds < b.milliseconds }

  /// Subtracts a duration. On overflow, the result is the first or last representable moment.
  package static func - (a: Timestamp, b: Duration) -> Timestamp {
    let (milliseconds, overflow) = a.milliseconds.subtractingReportingOverflow(b.wholeMilliseconds)
    return Timestamp(milliseconds: overflow ? (b < .zero ? .max : .min) : milliseconds)
  }

  /// The moment to the second, `2026-01-31T12:00:00Z` (RFC 3339).
  package var rfc3339: String {
    let seconds = milliseconds.flooredDivision(by: 1000)
    let days = seconds.flooredDivision(by: 86_400)
    let second = Int(seconds - days * 86_400)
    let date = CivilDate(daysSince1970: Int(days))
    return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))T"
      + "\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))Z"
  }
}

extension Int64 {
  fileprivate func flooredDivision(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}

private func padded(_ number: Int, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
