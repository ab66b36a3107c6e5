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

  init(daysSince1970: Int) {
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

  /// Returns the moment that many seconds after the start of the day, in UTC.
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
