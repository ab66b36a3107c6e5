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
    var rest = Digits(bytes)
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
private struct Digits {
  let bytes: UnsafeRawBufferPointer
  var place = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var isAtEnd: Bool { place == bytes.count }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard place < bytes.count, bytes[place] == UInt8(ascii: character) else { return false }
    place += 1
    return true
  }

  mutating func digit() -> Int? {
    guard place < bytes.count, (0x30...0x39).contains(bytes[place]) else { return nil }
    defer { place += 1 }
    return Int(bytes[place] - 0x30)
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
