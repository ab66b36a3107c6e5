import Text

/// A moment in UTC, in milliseconds since 1970. It is formatted as RFC 3339 with a `Z`.
package struct Timestamp: Sendable, Hashable, Comparable {
  package let milliseconds: Int64
  package init(milliseconds: Int64) { self.milliseconds = milliseconds }
  package static func < (a: Timestamp, b: Timestamp) -> Bool { a.milliseconds < b.milliseconds }

  /// Adds a duration. On overflow, the result is the first or last representable moment.
  package static func + (a: Timestamp, b: Duration) -> Timestamp {
    let (milliseconds, overflow) = a.milliseconds.addingReportingOverflow(b.wholeMilliseconds)
    return Timestamp(milliseconds: overflow ? (b < .zero ? .min : .max) : milliseconds)
  }

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
    return "\(String(date.year, width: 4))-\(String(date.month, width: 2))-\(String(date.day, width: 2))T"
      + "\(String(second / 3600, width: 2)):\(String(second / 60 % 60, width: 2)):\(String(second % 60, width: 2))Z"
  }
}

extension Timestamp {
  /// How long ago this moment was, for people: `5 min ago`. Nil for 30 days or more, and for the future.
  package func age(at now: Timestamp) -> String? {
    let (elapsed, overflow) = now.milliseconds.subtractingReportingOverflow(milliseconds)
    guard elapsed >= 0, !overflow else { return nil }
    let seconds = elapsed / 1000
    return switch seconds {
    case ..<60: "\(seconds) s ago"
    case ..<3600: "\(seconds / 60) min ago"
    case ..<86_400: "\(seconds / 3600) h ago"
    case ..<2_592_000: "\(seconds / 86_400) d ago"
    default: nil
    }
  }
}

extension Int64 {
  /// The quotient of a positive divisor, rounded down.
  package func flooredDivision(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}

extension Timestamp {
  /// Parses a moment in IFTTT's format, `2017-09-12T08:15:00+01:00` (RFC 3339, also with an offset without a colon).
  ///
  /// Fractions of a second are truncated to milliseconds. Returns nil for any other text, and for a moment outside
  /// the years 0 to 9999 in UTC, which RFC 3339 cannot represent.
  package init?(parsing text: String) {
    var text = text
    guard let moment = text.withUTF8({ Timestamp(parsing: UnsafeRawBufferPointer($0)) }) else { return nil }
    self = moment
  }

  /// Parses a moment from bytes without allocating memory.
  /// - Parameter assumesUTC: Whether a moment without an offset is accepted as UTC. XML Schema's `dateTime` allows
  ///   such moments.
  package init?(parsing bytes: UnsafeRawBufferPointer, assumesUTC: Bool = false) {
    var rest = TextCursor(bytes)
    guard let year = rest.number(4), rest.skip("-"), let month = rest.number(2), rest.skip("-"),
      let day = rest.number(2), rest.skip("T") || rest.skip("t") || rest.skip(" "),
      let hour = rest.number(2), rest.skip(":"), let minute = rest.number(2), rest.skip(":"),
      let second = rest.number(2), let fraction = rest.fraction(),
      let offset = assumesUTC && rest.isAtEnd ? 0 : rest.offset(), rest.isAtEnd,
      let date = CivilDate(year: year, month: month, day: day), hour < 24, minute < 60, second <= 60
    else { return nil }
    self = date.timestamp(second: hour * 3600 + (minute - offset) * 60 + second, millisecond: fraction)
    guard (-62_167_219_200_000..<253_402_300_800_000).contains(milliseconds) else { return nil }
  }
}

/// A cursor that consumes the bytes of a text from the left.
private struct TextCursor {
  let bytes: UnsafeRawBufferPointer
  var position = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var isAtEnd: Bool { position == bytes.count }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  mutating func digit() -> Int? {
    guard position < bytes.count, bytes[position].isDigit else { return nil }
    defer { position += 1 }
    return Int(bytes[position] - UInt8(ascii: "0"))
  }

  mutating func number(_ width: Int) -> Int? {
    var value = 0
    for _ in 0..<width {
      guard let digit = digit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  /// Consumes a fraction of a second and returns it in milliseconds; 0 if there is none.
  mutating func fraction() -> Int? {
    guard skip(".") else { return 0 }
    guard var value = digit().map({ $0 * 100 }) else { return nil }
    var weight = 10
    while let digit = digit() {
      value += digit * weight
      weight /= 10
    }
    return value
  }

  /// Consumes an offset and returns it in minutes east of UTC.
  mutating func offset() -> Int? {
    if skip("Z") || skip("z") { return 0 }
    let isEast = skip("+")
    guard isEast || skip("-"), let hours = number(2) else { return nil }
    _ = skip(":")
    guard let minutes = number(2), hours < 24, minutes < 60 else { return nil }
    return (isEast ? 1 : -1) * (hours * 60 + minutes)
  }
}

/// A day in the proleptic Gregorian calendar.
package struct CivilDate: Sendable, Hashable {
  package let year: Int
  /// The month, from 1 to 12.
  package let month: Int
  /// The day of the month, from 1.
  package let day: Int

  /// Returns nil if the day does not exist, and for years outside 0 to 9999, which RFC 3339 cannot represent.
  package init?(year: Int, month: Int, day: Int) {
    guard (0...9999).contains(year), (1...12).contains(month), (1...CivilDate.days(in: month, of: year)).contains(day)
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  package init(daysSince1970: Int) {
    let shifted = daysSince1970 + CivilDate.offset
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  package var daysSince1970: Int {
    // Adding 400 years, an era of 146,097 days, keeps the divisions from rounding toward zero in year 0.
    let shifted = (month > 2 ? year : year - 1) + 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - CivilDate.offset - 146_097
  }

  /// Returns the moment this long after the start of the day in UTC.
  package func timestamp(second: Int, millisecond: Int = 0) -> Timestamp {
    Timestamp(milliseconds: (Int64(daysSince1970) * 86_400 + Int64(second)) * 1000 + Int64(millisecond))
  }

  /// The days from 1 March of year 0 to 1970. Years are counted from March, so that the leap day comes last.
  private static let offset = 719_468

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
