/// Finds the sentences of NMEA 0183 among whatever else a receiver sends: binary messages, other texts, halves of sentences.
struct NMEAFraming {
  enum Found {
    /// Between `$` and the end of the line, its checksum included.
    case sentence(ArraySlice<UInt8>)
    /// Something that began as one and did not go on so.
    case abandoned(ArraySlice<UInt8>)
  }

  /// The standard has 82 bytes, and receivers that say more than it foresees do not keep to that.
  static let limit = 255

  /// From 1; binary messages may hold line feeds too.
  private(set) var line = 1
  private var sentence: [UInt8] = []
  private var isInside = false

  init() { sentence.reserveCapacity(Self.limit + 1) }

  mutating func read(_ bytes: UnsafeRawBufferPointer, _ body: (Found, _ line: Int) -> Void) {
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "$"), UInt8(ascii: "!"):
        // `!` begins the sentences of ships' transponders, and stands in others as text.
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

  /// What was begun is complete if it was complete but for the end of its line.
  mutating func finish(_ body: (Found, _ line: Int) -> Void) { end(body) }

  private mutating func end(_ body: (Found, _ line: Int) -> Void) {
    guard isInside else { return }
    body(.sentence(sentence[...]), line)
    isInside = false
    sentence.removeAll(keepingCapacity: true)
  }

  private mutating func abandon(_ body: (Found, _ line: Int) -> Void) {
    guard isInside else { return }
    body(.abandoned(sentence[...]), line)
    isInside = false
    sentence.removeAll(keepingCapacity: true)
  }
}
