/// A scanner that finds the NMEA 0183 sentences among anything else a receiver sends, such as binary messages, other
/// text and partial sentences.
struct NMEAFraming {
  enum Found {
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

  mutating func read(_ bytes: UnsafeRawBufferPointer, _ body: (Found, _ line: Int) -> Void) {
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
