import Text
import World

/// An NMEA 0183 sentence with a position, a time or a date.
struct NMEASentence: Equatable {
  enum Kind: Equatable {
    /// RMC.
    case recommended
    /// GGA or GNS, which also state the accuracy.
    case fix
    /// GLL.
    case geographic
    /// ZDA.
    case clock
  }

  /// The sentences that are read, by the last three letters of their address.
  private enum Message: String, CaseIterable {
    case rmc = "RMC"
    case gga = "GGA"
    case gns = "GNS"
    case gll = "GLL"
    case zda = "ZDA"

    var kind: Kind {
      switch self {
      case .rmc: .recommended
      case .gga, .gns: .fix
      case .gll: .geographic
      case .zda: .clock
      }
    }
  }

  /// The receiver's location, or none if it has no fix.
  enum Fix: Equatable { case none, position(Coordinate) }

  var kind: Kind
  /// Milliseconds since midnight UTC; a leap second starts at 86,400,000.
  var time: Int?
  var date: CivilDate?
  var fix: Fix?
  /// The accuracy in meters.
  var accuracy: Double?

  struct Fault: Error, Equatable { let reason: String }

  /// Parse a sentence, or return nil if it contains no position, time or date.
  /// - Parameters:
  ///   - text: The text after the `$`, to the end of the line.
  ///   - needsChecksum: Whether a sentence without a checksum is damaged.
  /// - Throws: ``Fault`` if the sentence is damaged.
  init?(_ text: ArraySlice<UInt8>, needsChecksum: Bool = true) throws(Fault) {
    guard let message = Self.message(of: text) else {
      // A damaged address may have been a relevant one.
      if Self.hasAddress(text), Self.hasChecksum(text) { _ = try Self.checked(text, needsChecksum: true) }
      return nil
    }
    kind = message.kind
    let fields = try Self.checked(text, needsChecksum: needsChecksum)
      .split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    func field(_ index: Int) -> ArraySlice<UInt8> { index < fields.count ? fields[index] : [] }
    func coordinate(_ index: Int) throws(Fault) -> Coordinate {
      let latitude = try Self.degrees(field(index), field(index + 1), "N", "S")
      let longitude = try Self.degrees(field(index + 2), field(index + 3), "E", "W")
      guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
        throw Fault(reason: "its position is not on the earth")
      }
      return coordinate
    }
    time = try Self.time(field(message == .gll ? 5 : 1))
    switch message {
    case .rmc:
      date = try Self.date(field(9))
      // Since NMEA 2.3, a mode field also indicates whether there is a fix.
      let hasFix = field(2).elementsEqual("A".utf8) && !field(12).elementsEqual("N".utf8)
      fix = hasFix ? .position(try coordinate(3)) : Fix.none
    case .gga:
      let hasFix = !(field(6).isEmpty || field(6).elementsEqual("0".utf8))
      fix = hasFix ? .position(try coordinate(2)) : Fix.none
      accuracy = Self.number(field(8)).flatMap(Accuracy.meters(ofDilution:))
    case .gns:
      // One letter for each satellite system; `N` means that the system has no fix.
      let hasFix = field(6).contains { $0 != UInt8(ascii: "N") }
      fix = hasFix ? .position(try coordinate(2)) : Fix.none
      accuracy = Self.number(field(8)).flatMap(Accuracy.meters(ofDilution:))
    case .gll:
      // Sentences from before NMEA 2.0 end after the longitude.
      let isValid = fields.count <= 5 || field(6).elementsEqual("A".utf8)
      let hasFix = isValid && !field(7).elementsEqual("N".utf8) && !field(1).isEmpty
      fix = hasFix ? .position(try coordinate(1)) : Fix.none
    case .zda:
      let numbers = (Self.whole(field(2)), Self.whole(field(3)), Self.whole(field(4)))
      guard case (let day?, let month?, let year?) = numbers else { break }
      date = CivilDate(year: year, month: month, day: day)
    }
  }

  /// Whether the text may be a sentence, including the sentences of one manufacturer and those of ships.
  static func isPlausible(_ text: ArraySlice<UInt8>) -> Bool {
    let text = text.first == UInt8(ascii: "!") ? text.dropFirst() : text
    return text.first.map { $0.isUppercase } == true
      && text.contains(UInt8(ascii: ","))
  }

  /// Whether the text is, or was meant to be, a sentence with the receiver's location.
  static func hasPosition(_ text: ArraySlice<UInt8>) -> Bool { message(of: text).map { $0 != .zda } ?? false }

  /// Whether the text has a checksum, right or wrong.
  static func hasChecksum(_ text: ArraySlice<UInt8>) -> Bool { text.contains(UInt8(ascii: "*")) }

  /// The message, from the last three letters of the address. The first two identify the talker, which depends on the
  /// satellite system.
  private static func message(of text: ArraySlice<UInt8>) -> Message? {
    guard hasAddress(text), text.first != UInt8(ascii: "P") else { return nil }
    let name = text.dropFirst(2).prefix(3)
    return Message.allCases.first { name.elementsEqual($0.rawValue.utf8) }
  }

  private static func hasAddress(_ text: ArraySlice<UInt8>) -> Bool {
    let address = text.prefix(6)
    return address.count == 6 && address.last == UInt8(ascii: ",")
      && address.dropLast().allSatisfy(\.isUppercase)
  }

  /// The part of the sentence before a valid checksum. What follows the checksum is ignored, as by gpsd.
  private static func checked(
    _ text: ArraySlice<UInt8>, needsChecksum: Bool
  ) throws(Fault) -> ArraySlice<UInt8> {
    guard needsChecksum || hasChecksum(text) else { return text }
    guard let star = text.lastIndex(of: UInt8(ascii: "*")), text.endIndex - star > 2 else {
      throw Fault(reason: "a sentence without a checksum")
    }
    let sum = text[..<star].reduce(0) { $0 ^ $1 }
    guard let high = text[star + 1].hexadecimal, let low = text[star + 2].hexadecimal, sum == high << 4 | low else {
      throw Fault(reason: "a sentence with a wrong checksum")
    }
    return text[..<star]
  }
}

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

/// A scanner that finds the NMEA 0183 sentences among anything else a receiver sends, such as binary messages, other
/// text and partial sentences.
struct NMEAFraming {
  /// A part of the input that starts like a sentence.
  enum Fragment {
    /// The text between `$` and the end of the line, including the checksum.
    case sentence(ArraySlice<UInt8>)
    /// Text that started as a sentence but did not continue as one.
    case abandoned(ArraySlice<UInt8>)
  }

  /// The maximum sentence length. The standard allows 82 bytes, but receivers with extensions exceed that.
  static let limit = 255

  /// The current line, from 1. Binary messages may contain line feeds too.
  private(set) var line = 1
  private var sentence: [UInt8] = []
  private var isInside = false

  init() { sentence.reserveCapacity(Self.limit + 1) }

  mutating func read(_ bytes: UnsafeRawBufferPointer, _ body: (Fragment, _ line: Int) -> Void) {
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "$"), UInt8(ascii: "!"):
        // `!` starts the sentences of ship transponders, but is plain text within other sentences.
        if byte == UInt8(ascii: "!"), isInside { fallthrough }
        abandon(body)
        isInside = true
        if byte == UInt8(ascii: "!") { sentence.append(byte) }
      case 0x20...0x7e:
        guard isInside else { continue }
        sentence.append(byte)
        if sentence.count > Self.limit { abandon(body) }
      case UInt8(ascii: "\r"), UInt8(ascii: "\n"):
        end(body)
        if byte == UInt8(ascii: "\n") { line += 1 }
      default: abandon(body)
      }
    }
  }

  /// Finish the input. A sentence without a final line break counts as complete.
  mutating func finish(_ body: (Fragment, _ line: Int) -> Void) { end(body) }

  private mutating func end(_ body: (Fragment, _ line: Int) -> Void) {
    guard isInside else { return }
    body(.sentence(sentence[...]), line)
    isInside = false
    sentence.removeAll(keepingCapacity: true)
  }

  private mutating func abandon(_ body: (Fragment, _ line: Int) -> Void) {
    guard isInside else { return }
    body(.abandoned(sentence[...]), line)
    isInside = false
    sentence.removeAll(keepingCapacity: true)
  }
}
