import Time

/// An NMEA 0183 sentence with a place, a time or a date.
struct NMEASentence: Equatable {
  enum Kind: Equatable { case recommended, fix, clock }

  /// The receiver's location, or none if it has no fix.
  enum Fix: Equatable { case none, place(Coordinate) }

  var kind: Kind
  /// Milliseconds since midnight UTC; a leap second starts at 86,400,000.
  var time: Int?
  var date: CivilDate?
  var fix: Fix?
  /// The accuracy in meters.
  var accuracy: Double?

  struct Fault: Error, Equatable { let reason: String }

  /// Parse a sentence, or return nil if it contains no place, time or date.
  /// - Parameter text: The text after the `$`, to the end of the line.
  /// - Throws: ``Fault`` if the sentence is damaged.
  init?(_ text: ArraySlice<UInt8>) throws(Fault) {
    guard let kind = Self.kind(of: text) else {
      // A damaged address may have been a relevant one.
      if Self.hasAddress(text), text.contains(UInt8(ascii: "*")) { _ = try Self.checked(text) }
      return nil
    }
    self.kind = kind
    let fields = try Self.checked(text).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    func field(_ place: Int) -> ArraySlice<UInt8> { place < fields.count ? fields[place] : [] }
    func coordinate(_ place: Int) throws(Fault) -> Coordinate {
      let latitude = try Self.degrees(field(place), field(place + 1), "N", "S")
      let longitude = try Self.degrees(field(place + 2), field(place + 3), "E", "W")
      guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
        throw Fault(reason: "its position is not on the earth")
      }
      return coordinate
    }
    time = try Self.time(field(1))
    switch kind {
    case .recommended:
      date = try Self.date(field(9))
      // Since NMEA 2.3, a mode field also indicates whether there is a fix.
      let knows = field(2).elementsEqual("A".utf8) && !field(12).elementsEqual("N".utf8)
      fix = knows ? .place(try coordinate(3)) : Fix.none
    case .fix:
      let knows = !(field(6).isEmpty || field(6).elementsEqual("0".utf8))
      fix = knows ? .place(try coordinate(2)) : Fix.none
      accuracy = Self.number(field(8)).flatMap(Accuracy.meters(ofDilution:))
    case .clock:
      let numbers = (Self.whole(field(2)), Self.whole(field(3)), Self.whole(field(4)))
      guard case (let day?, let month?, let year?) = numbers else { break }
      date = CivilDate(year: year, month: month, day: day)
    }
  }

  /// Whether the text may be a sentence, including proprietary ones and those of ships.
  static func isOne(_ text: ArraySlice<UInt8>) -> Bool {
    let text = text.first == UInt8(ascii: "!") ? text.dropFirst() : text
    return text.first.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } == true
      && text.contains(UInt8(ascii: ","))
  }

  /// Whether the text is, or was meant to be, a sentence with the receiver's location.
  static func isOfPlace(_ text: ArraySlice<UInt8>) -> Bool { [.recommended, .fix].contains(kind(of: text)) }

  /// The kind, from the last three letters of the address. The first two identify the talker, which depends on the
  /// satellite system.
  private static func kind(of text: ArraySlice<UInt8>) -> Kind? {
    guard hasAddress(text), text.first != UInt8(ascii: "P") else { return nil }
    let name = text.dropFirst(2).prefix(3)
    if name.elementsEqual("RMC".utf8) { return .recommended }
    if name.elementsEqual("GGA".utf8) { return .fix }
    return name.elementsEqual("ZDA".utf8) ? .clock : nil
  }

  private static func hasAddress(_ text: ArraySlice<UInt8>) -> Bool {
    let address = text.prefix(6)
    return address.count == 6 && address.last == UInt8(ascii: ",")
      && address.dropLast().allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
  }

  /// The part of the sentence before a valid checksum. Like gpsd, this rejects sentences without a checksum, and
  /// ignores what follows it.
  private static func checked(_ text: ArraySlice<UInt8>) throws(Fault) -> ArraySlice<UInt8> {
    guard let star = text.lastIndex(of: UInt8(ascii: "*")), text.endIndex - star > 2 else {
      throw Fault(reason: "a sentence without a checksum")
    }
    let sum = text[..<star].reduce(0) { $0 ^ $1 }
    guard let high = hexadecimal(text[star + 1]), let low = hexadecimal(text[star + 2]), sum == high << 4 | low else {
      throw Fault(reason: "a sentence with a wrong checksum")
    }
    return text[..<star]
  }

  private static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
