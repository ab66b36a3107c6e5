extension JSONScanner {
  /// Decodes the contents of a JSON string (without its quotes) and appends them to `text`.
  ///
  /// An invalid escape is kept unchanged, and an unpaired surrogate becomes U+FFFD, as in
  /// ``JSONValue/init(parsing:)``. Invalid UTF-8 is kept as well.
  package static func appendText(of contents: UnsafeRawBufferPointer, to text: inout [UInt8]) {
    var start = 0
    var place = 0
    while place < contents.count {
      guard contents[place] == UInt8(ascii: "\\"), place + 1 < contents.count else {
        place += 1
        continue
      }
      text.append(contentsOf: UnsafeRawBufferPointer(rebasing: contents[start..<place]))
      start = place
      place += 2
      if let character = shortEscape(contents[place - 1]) {
        text.append(character)
        start = place
      } else if contents[place - 1] == UInt8(ascii: "u"), let scalar = escapedScalar(contents, &place) {
        text.append(contentsOf: String(Character(scalar)).utf8)
        start = place
      }
    }
    text.append(contentsOf: UnsafeRawBufferPointer(rebasing: contents[start...]))
  }

  private static func shortEscape(_ letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0c
    case UInt8(ascii: "n"): 0x0a
    case UInt8(ascii: "r"): 0x0d
    case UInt8(ascii: "t"): 0x09
    default: nil
    }
  }

  /// Returns the scalar whose first four digits start at `place`, and moves `place` past the digits it used.
  private static func escapedScalar(_ bytes: UnsafeRawBufferPointer, _ place: inout Int) -> Unicode.Scalar? {
    guard let first = hexadecimal(bytes, place) else { return nil }
    place += 4
    if (0xd800..<0xdc00).contains(first), place + 1 < bytes.count, bytes[place] == UInt8(ascii: "\\"),
      bytes[place + 1] == UInt8(ascii: "u"), let second = hexadecimal(bytes, place + 2),
      (0xdc00..<0xe000).contains(second)
    {
      place += 6
      return Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
    }
    return Unicode.Scalar(first) ?? "\u{fffd}"
  }

  private static func hexadecimal(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> UInt32? {
    guard place + 4 <= bytes.count else { return nil }
    var value: UInt32 = 0
    for byte in bytes[place..<place + 4] {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt32(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt32(byte - UInt8(ascii: "a") + 10)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): value = value << 4 | UInt32(byte - UInt8(ascii: "A") + 10)
      default: return nil
      }
    }
    return value
  }
}
