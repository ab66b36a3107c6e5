import Text

/// A calendar date and time of day, in the proleptic Gregorian calendar.
struct CivilTime {
  let year: Int
  /// The month, from 1 to 12.
  let month: Int
  let day: Int
  let hour: Int
  let minute: Int
  let second: Int
  /// The weekday; 0 is Sunday.
  let weekday: Int

  init(secondsSince1970 seconds: Int64) {
    let (days, second) = floored(seconds, 86_400)
    (weekday, hour, minute) = (floored(days + 4, 7).rest, second / 3600, second / 60 % 60)
    self.second = second % 60
    // Years start on March 1 here, so that the leap day is the last day of the year.
    let (era, dayOfEra) = floored(Int64(days) + 719_468, 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + Int(era) * 400 + (month <= 2 ? 1 : 0)
  }

  /// The time in the format `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7). Requires a time in UTC.
  var httpDate: String {
    let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    return "\(weekdays[weekday]), \(padded(day)) \(months[month - 1]) \(padded(year, 4)) "
      + "\(padded(hour)):\(padded(minute)):\(padded(second)) GMT"
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
      let minute = number(14..<16), let second = number(17..<19), 1...12 ~= month, 1...31 ~= day, hour < 24,
      minute < 60, second < 60
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
    // If formatting the result restores the text, the separators were correct and the date exists.
    let days = CivilTime(secondsSince1970: secondsSince1970 + Int64(offset) * 3600)
    guard days.day == day, self.text == text || "\(self.text.dropLast(6))Z" == text else { return nil }
  }

  /// - Parameter offset: The offset in whole hours east of UTC.
  init(_ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ second: Int = 0, offset: Int = 0) {
    text =
      "\(padded(year, 4))-\(padded(month))-\(padded(day))T\(padded(hour)):\(padded(minute)):\(padded(second))"
      + (offset < 0 ? "-" : "+") + "\(padded(abs(offset))):00"
    let shiftedYear = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = floored(Int64(shiftedYear), 400)
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * 146_097 + Int64(dayOfEra) - 719_468
    secondsSince1970 = days * 86_400 + Int64((hour - offset) * 3600 + minute * 60 + second)
  }
}

func floored(_ number: Int64, _ divisor: Int64) -> (quotient: Int64, rest: Int) {
  let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
  return rest < 0 ? (quotient - 1, Int(rest + divisor)) : (quotient, Int(rest))
}

func padded(_ number: Int, _ width: Int = 2) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}
