import Text
import World

/// A calendar date and time of day, in the proleptic Gregorian calendar.
struct CivilTime {
  let date: CivilDate
  let hour: Int
  let minute: Int
  let second: Int
  /// The weekday; 0 is Sunday.
  let weekday: Int

  init(_ moment: Timestamp) { self.init(secondsSince1970: moment.milliseconds.flooredDivision(by: 1000)) }

  init(secondsSince1970 seconds: Int64) {
    let days = seconds.flooredDivision(by: 86_400)
    let second = Int(seconds - days * 86_400)
    date = CivilDate(daysSince1970: Int(days))
    (hour, minute, self.second) = (second / 3600, second / 60 % 60, second % 60)
    // January 1, 1970 was a Thursday.
    weekday = Int(days + 4 - (days + 4).flooredDivision(by: 7) * 7)
  }

  /// The time in the format `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7). Requires a time in UTC.
  var httpDate: String {
    let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    return "\(weekdays[weekday]), \(String(date.day, width: 2)) \(months[date.month - 1]) "
      + "\(String(date.year, width: 4)) "
      + "\(String(hour, width: 2)):\(String(minute, width: 2)):\(String(second, width: 2)) GMT"
  }
}

/// A local time with its offset from UTC: `2017-09-12T08:15:00+01:00`.
struct OffsetTime: Equatable {
  let text: String
  let secondsSince1970: Int64

  /// Parse `2017-09-12T08:15:00+01:00`, or the same with `Z` instead of the offset; nil for anything else.
  init?(parsing text: String) {
    let bytes = Array(text.utf8)
    func number(_ range: Range<Int>) -> Int? {
      guard range.upperBound <= bytes.count, bytes[range].allSatisfy(\.isDigit)
      else { return nil }
      return Int(String(decoding: bytes[range], as: UTF8.self))
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
      let minute = number(14..<16), let second = number(17..<19), CivilDate(year: year, month: month, day: day) != nil,
      hour < 24, minute < 60, second < 60
    else { return nil }
    let offset: Int?
    switch bytes.dropFirst(19).first {
    case UInt8(ascii: "Z"): offset = 0
    case UInt8(ascii: "+"): offset = number(20..<22)
    case UInt8(ascii: "-"): offset = number(20..<22).map(-)
    default: offset = nil
    }
    guard let offset, abs(offset) <= 14 else { return nil }
    self.init(year, month, day, hour, minute, second, offset: offset)
    // If formatting the result restores the text, the separators were correct.
    guard self.text == text || "\(self.text.dropLast(6))Z" == text else { return nil }
  }

  /// - Parameters:
  ///   - day: A day that exists.
  ///   - offset: The offset in whole hours east of UTC.
  init(_ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ second: Int = 0, offset: Int = 0) {
    text =
      "\(String(year, width: 4))-\(String(month, width: 2))-\(String(day, width: 2))T"
      + "\(String(hour, width: 2)):\(String(minute, width: 2)):\(String(second, width: 2))"
      + "\(offset < 0 ? "-" : "+")\(String(abs(offset), width: 2)):00"
    guard let date = CivilDate(year: year, month: month, day: day) else { preconditionFailure("no such date") }
    secondsSince1970 = Int64(date.daysSince1970) * 86_400 + Int64((hour - offset) * 3600 + minute * 60 + second)
  }
}
