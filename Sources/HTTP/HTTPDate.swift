package import World

/// The date formats of HTTP (RFC 9110 §5.6.7): the preferred one and the two obsolete ones.
package enum HTTPDate {
  /// Parses a date in any of the three formats.
  /// - Parameter now: The reference for two-digit years. If the year would be more than 50 years in the future, it is
  ///   in the previous century.
  package static func parse(_ text: String, now: Timestamp) -> Timestamp? {
    let words = text.split(separator: " ")
    switch words.count {
    case 6 where words[5] == "GMT" && words[0].last == ",":  // Sun, 06 Nov 1994 08:49:37 GMT
      return moment(year: number(words[3], 4), month: words[2], day: number(words[1], 2), time: words[4])
    case 4 where words[3] == "GMT" && words[0].last == ",":  // Sunday, 06-Nov-94 08:49:37 GMT
      let date = words[1].split(separator: "-", omittingEmptySubsequences: false)
      guard date.count == 3, let short = number(date[2], 2) else { return nil }
      return moment(year: century(of: short, now: now), month: date[1], day: number(date[0], 2), time: words[2])
    case 5:  // Sun Nov  6 08:49:37 1994
      return moment(
        year: number(words[4], 4), month: words[1], day: number(words[2], words[2].utf8.count == 1 ? 1 : 2),
        time: words[3])
    default: return nil
    }
  }

  private static func moment(year: Int?, month: Substring, day: Int?, time: Substring) -> Timestamp? {
    let clock = time.split(separator: ":", omittingEmptySubsequences: false)
    guard let year, let day, let month = months.firstIndex(of: month).map({ $0 + 1 }), clock.count == 3,
      let hour = number(clock[0], 2), let minute = number(clock[1], 2), let second = number(clock[2], 2),
      year >= 1, let date = CivilDate(year: year, month: month, day: day), hour < 24, minute < 60, second <= 60
    else { return nil }
    return date.timestamp(second: hour * 3600 + minute * 60 + second)
  }

  private static let months: [Substring] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func number(_ digits: Substring, _ width: Int) -> Int? {
    digits.utf8.count == width && digits.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      ? Int(digits) : nil
  }

  private static func century(of short: Int, now: Timestamp) -> Int {
    // An average year of 365.2425 days is precise enough to determine the century.
    let present = 1970 + Int(now.milliseconds / 31_556_952_000)
    let same = present - present % 100 + short
    return same > present + 50 ? same - 100 : same
  }
}
