/// A moment in UTC, in milliseconds since 1970; written as RFC 3339 with a `Z`.
package struct Timestamp: Sendable, Hashable, Comparable {
  package let milliseconds: Int64
  package init(milliseconds: Int64) { self.milliseconds = milliseconds }
  package static func < (a: Timestamp, b: Timestamp) -> Bool { a.milliseconds < b.milliseconds }

  package static func - (a: Timestamp, b: Duration) -> Timestamp {
    let (seconds, attoseconds) = b.components
    return Timestamp(milliseconds: a.milliseconds - seconds * 1000 - attoseconds / 1_000_000_000_000_000)
  }

  /// `2026-01-31T12:00:00Z`, to the second (RFC 3339).
  package var rfc3339: String {
    let seconds = milliseconds.flooredDivision(by: 1000)
    let days = seconds.flooredDivision(by: 86_400)
    let second = Int(seconds - days * 86_400)
    let (year, month, day) = civil(daysSince1970: Int(days))
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T"
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

/// The proleptic Gregorian date, by counting in eras of 400 years that begin on 1 March.
private func civil(daysSince1970: Int) -> (year: Int, month: Int, day: Int) {
  let shifted = daysSince1970 + 719_468
  let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
  let dayOfEra = shifted - era * 146_097
  let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let shiftedMonth = (5 * dayOfYear + 2) / 153
  let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
  let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
}
