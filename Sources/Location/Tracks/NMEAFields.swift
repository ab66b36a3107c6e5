import World

extension NMEASentence {
  /// The time in `hhmmss` format, with an optional fraction; nil if the field is empty.
  static func time(_ field: ArraySlice<UInt8>) throws(Fault) -> Int? {
    guard !field.isEmpty else { return nil }
    let digits = field.prefix(6)
    let fraction = field.dropFirst(6)
    guard digits.count == 6, let number = whole(digits), number / 10_000 < 24, number / 100 % 100 < 60,
      number % 100 <= 60, fraction.isEmpty || fraction.first == UInt8(ascii: "."),
      let part = fraction.count > 1 ? Self.number(fraction) : 0
    else { throw Fault(reason: "its time is invalid") }
    let second = number / 10_000 * 3600 + number / 100 % 100 * 60 + number % 100
    return second * 1000 + Int((part * 1000).rounded(.down))
  }

  /// The date in `ddmmyy` format; nil if the field is empty. The first satellite was launched in 1978 and GPS time
  /// starts in 1980, so years from 80 belong to the 20th century.
  static func date(_ field: ArraySlice<UInt8>) throws(Fault) -> CivilDate? {
    guard !field.isEmpty else { return nil }
    guard field.count == 6, let number = whole(field) else { throw Fault(reason: "its date is invalid") }
    let year = number % 100
    guard
      let date = CivilDate(year: year < 80 ? 2000 + year : 1900 + year, month: number / 100 % 100, day: number / 10_000)
    else { throw Fault(reason: "its date is invalid") }
    return date
  }

  /// The angle in `ddmm.mmmm` or `dddmm.mmmm` format, with the letter of its direction.
  static func degrees(
    _ field: ArraySlice<UInt8>, _ direction: ArraySlice<UInt8>, _ positive: String, _ negative: String
  ) throws(Fault) -> Double {
    let fault = Fault(reason: "its position is invalid")
    let isNegative = direction.elementsEqual(negative.utf8)
    guard isNegative || direction.elementsEqual(positive.utf8) else { throw fault }
    let point = field.firstIndex(of: UInt8(ascii: ".")) ?? field.endIndex
    let whole = field[..<point]
    guard whole.count >= 3, let degrees = Self.whole(whole.dropLast(2)),
      let minutes = number(field[(point - 2)...]), (0..<60).contains(minutes)
    else { throw fault }
    let value = Double(degrees) + minutes / 60
    return isNegative ? -value : value
  }

  /// The value of one to nine digits; nil for anything else.
  static func whole(_ digits: ArraySlice<UInt8>) -> Int? {
    guard (1...9).contains(digits.count) else { return nil }
    var value = 0
    for byte in digits {
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = value * 10 + Int(digit)
    }
    return value
  }

  /// The value of digits with an optional decimal point. NMEA 0183 has no exponents, and no signs in these fields.
  static func number(_ field: ArraySlice<UInt8>) -> Double? {
    guard field.allSatisfy({ $0 == UInt8(ascii: ".") || $0 &- UInt8(ascii: "0") < 10 }) else { return nil }
    return field.withUnsafeBytes(DecimalText.double)
  }
}
