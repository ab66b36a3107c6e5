import JSON

/// A parser for decimal numbers that ignores the locale, does not allocate, and rounds as IEEE 754 requires.
///
/// libc's strtod depends on the locale. `Double(_:)` is slower, which would be noticeable in the replay of a long
/// track.
enum DecimalText {
  /// Parse a sign, digits with an optional decimal point, and an exponent, such as `-7.25`, `.5` or `4e-7`. White
  /// space around the number is ignored. Nil for anything else, including hexadecimal, infinities and NaN, and for
  /// numbers out of range of a `Double`.
  static func double(_ text: UnsafeRawBufferPointer) -> Double? {
    var (start, end) = (0, text.count)
    while start < end, isSpace(text[start]) { start += 1 }
    while end > start, isSpace(text[end - 1]) { end -= 1 }
    var offset = start
    var isNegative = false
    if offset < end, text[offset] == UInt8(ascii: "-") || text[offset] == UInt8(ascii: "+") {
      isNegative = text[offset] == UInt8(ascii: "-")
      offset += 1
    }
    var number = Digits()
    while offset < end, let digit = digit(text[offset]) {
      number.append(digit, isFraction: false)
      offset += 1
    }
    if offset < end, text[offset] == UInt8(ascii: ".") {
      offset += 1
      while offset < end, let digit = digit(text[offset]) {
        number.append(digit, isFraction: true)
        offset += 1
      }
    }
    guard number.hasDigits else { return nil }
    if offset < end, text[offset] | 0x20 == UInt8(ascii: "e") {
      offset += 1
      guard let exponent = exponent(text, &offset, end) else { return nil }
      number.exponent += exponent
    }
    guard offset == end else { return nil }
    guard let magnitude = number.double else { return slow(text, start..<end) }
    return isNegative ? -magnitude : magnitude
  }

  private static func exponent(_ text: UnsafeRawBufferPointer, _ offset: inout Int, _ end: Int) -> Int? {
    var isNegative = false
    if offset < end, text[offset] == UInt8(ascii: "-") || text[offset] == UInt8(ascii: "+") {
      isNegative = text[offset] == UInt8(ascii: "-")
      offset += 1
    }
    var (value, count) = (0, 0)
    while offset < end, let digit = digit(text[offset]) {
      // Beyond this limit the number is zero or too large, whatever its digits.
      value = min(value * 10 + Int(digit), 1_000_000)
      count += 1
      offset += 1
    }
    return count == 0 ? nil : isNegative ? -value : value
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    let value = byte &- UInt8(ascii: "0")
    return value < 10 ? value : nil
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }

  /// Parse with the standard library, which is correct in every case.
  private static func slow(_ text: UnsafeRawBufferPointer, _ range: Range<Int>) -> Double? {
    let value = Double(Substring(decoding: text[range], as: UTF8.self))
    return value.flatMap { $0.isFinite ? $0 : nil }
  }
}

extension JSONValue {
  /// The value of a number, or of a string that contains one; nil if it is out of range of a `Double`.
  var numberOrNumeral: Double? {
    guard var text = number?.text ?? string else { return nil }
    return text.withUTF8 { DecimalText.double(UnsafeRawBufferPointer($0)) }
  }
}

/// The parsed digits of a number: its first 19 significant digits, and the power of ten to multiply them by.
private struct Digits {
  var significand: UInt64 = 0
  var exponent = 0
  var hasDigits = false
  private var count = 0
  /// Whether nonzero digits followed the first 19.
  private var isTruncated = false

  mutating func append(_ digit: UInt8, isFraction: Bool) {
    hasDigits = true
    if count < 19 {
      significand = significand &* 10 &+ UInt64(digit)
      if significand != 0 { count += 1 }
      if isFraction { exponent -= 1 }
    } else {
      if digit != 0 { isTruncated = true }
      if !isFraction { exponent += 1 }
    }
  }

  /// The value, or nil if only the slow path is exact.
  var double: Double? {
    if significand == 0 { return 0 }
    guard let lower = Self.quotient(significand, exponent) else { return nil }
    // The true number lies between two candidates. If both round to the same value, so does the true number.
    return !isTruncated || Self.quotient(significand + 1, exponent) == lower ? lower : nil
  }

  /// `significand` times ten to the power of `exponent`, rounded to nearest, ties to even. Nil if the exponent is out
  /// of range.
  private static func quotient(_ significand: UInt64, _ exponent: Int) -> Double? {
    if exponent == 0 { return Double(significand) }
    if exponent > 0 {
      // The product of two exact numbers is rounded only once.
      guard exponent <= 22, significand < 1 << 53 else { return nil }
      return Double(significand) * Double(powersOfFive[exponent]) * Double(1 << exponent)
    }
    if exponent >= -22, significand < 1 << 53 {
      return Double(significand) / (Double(powersOfFive[-exponent]) * Double(1 << -exponent))
    }
    guard -exponent < powersOfFive.count else { return nil }
    // Shift both to the left as far as possible, so that the quotient has 63 or 64 bits, more than the 53 of a
    // Double. The remainder decides ties.
    let divisor = powersOfFive[-exponent]
    let (up, down) = (significand.leadingZeroBitCount, divisor.leadingZeroBitCount)
    let dividend = significand << up
    var (bits, rest) = (divisor << down).dividingFullWidth((dividend >> 1, dividend << 63))
    if rest != 0 { bits |= 1 }
    let scale = exponent - up + down - 63
    return Double(bits) * Double(sign: .plus, exponentBitPattern: UInt(1023 + scale), significandBitPattern: 0)
  }

  /// The powers of five below 2^63.
  private static let powersOfFive: [UInt64] = [
    1, 5, 25, 125, 625, 3125, 15625, 78125, 390_625, 1_953_125, 9_765_625, 48_828_125, 244_140_625, 1_220_703_125,
    6_103_515_625, 30_517_578_125, 152_587_890_625, 762_939_453_125, 3_814_697_265_625, 19_073_486_328_125,
    95_367_431_640_625, 476_837_158_203_125, 2_384_185_791_015_625, 11_920_928_955_078_125, 59_604_644_775_390_625,
    298_023_223_876_953_125, 1_490_116_119_384_765_625, 7_450_580_596_923_828_125,
  ]
}
