/// Finds the members and elements of a JSON value in its bytes, without building a value (RFC 8259).
///
/// The scanner is made for reading a few fields of a large number of rows. It checks only the structure it traverses:
/// skipped values are not validated. It never reads past the end, whatever the bytes are.
package struct JSONScanner {
  package let bytes: UnsafeRawBufferPointer
  /// The current position, in bytes from the start.
  package private(set) var place: Int
  /// Whether the last key contains escapes.
  private(set) var keyIsEscaped = false

  package init(_ bytes: UnsafeRawBufferPointer, at place: Int = 0) { (self.bytes, self.place) = (bytes, place) }

  /// The byte at the current position, after skipping white space; nil at the end.
  package var next: UInt8? {
    @inline(__always) mutating get {
      skipSpace()
      return place < bytes.count ? bytes[place] : nil
    }
  }

  /// Returns the contents of the next member's key, without its quotes and with its escapes; nil after the last
  /// member.
  ///
  /// Call it at an object's opening brace or just after a member's value. It moves to the member's value.
  package mutating func nextKey() throws(JSONError) -> Range<Int>? {
    // In the documents of the cache, nothing separates a key from the comma or the brace before it.
    if place + 1 < bytes.count, bytes[place + 1] == UInt8(ascii: "\""),
      bytes[place] == UInt8(ascii: ",") || bytes[place] == UInt8(ascii: "{")
    {
      place += 1
    } else {
      guard try advance(from: UInt8(ascii: "{"), to: UInt8(ascii: "}")) else { return nil }
      guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else {
        throw error("expected a string as a key")
      }
    }
    var isEscaped = false
    let key = try skipString(isEscaped: &isEscaped)
    keyIsEscaped = isEscaped
    guard next == UInt8(ascii: ":") else { throw error("expected a colon after a key") }
    place += 1
    skipSpace()
    return key.lowerBound + 1..<key.upperBound - 1
  }

  /// Returns whether another element follows, and moves to its value if so.
  ///
  /// Call it at an array's opening bracket or just after an element.
  package mutating func nextElement() throws(JSONError) -> Bool {
    try advance(from: UInt8(ascii: "["), to: UInt8(ascii: "]"))
  }

  /// Skips the next value and returns its range.
  package mutating func skipValue() throws(JSONError) -> Range<Int> {
    guard let first = next else { throw error("expected a value, not the end") }
    switch first {
    case UInt8(ascii: "\""): return try skipString()
    case UInt8(ascii: "{"), UInt8(ascii: "["): return try skipNested()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"):
      let start = place
      while place < bytes.count, !endsWord(bytes[place]) { place += 1 }
      return start..<place
    default: throw error("expected a value")
    }
  }

  /// Returns the bytes of a range that this scanner has found.
  @inline(__always)
  package func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[range]) }

  private func error(_ problem: String) -> JSONError { JSONError(problem: problem, offset: place) }

  @inline(__always)
  private mutating func skipSpace() {
    while place < bytes.count, bytes[place] <= 0x20 {
      let byte = bytes[place]
      guard byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 else { return }
      place += 1
    }
  }

  private func endsWord(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
      || byte == UInt8(ascii: "\"")
  }

  @inline(__always)
  private mutating func advance(from open: UInt8, to close: UInt8) throws(JSONError) -> Bool {
    guard let byte = next else { throw error("unterminated object or array") }
    guard byte == open || byte == UInt8(ascii: ",") else {
      guard byte == close else { throw error("expected a comma or a closing bracket") }
      place += 1
      return false
    }
    place += 1
    guard byte == open, next == close else {
      skipSpace()
      return true
    }
    place += 1
    return false
  }

  @inline(__always)
  private mutating func skipString() throws(JSONError) -> Range<Int> {
    var isEscaped = false
    return try skipString(isEscaped: &isEscaped)
  }

  /// Skips a string, eight bytes at a time, and returns its range including the quotes.
  @inline(__always)
  private mutating func skipString(isEscaped: inout Bool) throws(JSONError) -> Range<Int> {
    let start = place
    place += 1
    isEscaped = false
    let count = bytes.count
    while true {
      if place + 8 <= count {
        let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        let found = Self.zeroBytes(word ^ 0x2222_2222_2222_2222) | Self.zeroBytes(word ^ 0x5c5c_5c5c_5c5c_5c5c)
        guard found != 0 else {
          place += 8
          continue
        }
        place += found.trailingZeroBitCount / 8
      }
      guard place < count else { throw error("unterminated string") }
      let byte = bytes[place]
      place += 1
      if byte == UInt8(ascii: "\"") { return start..<place }
      if byte == UInt8(ascii: "\\") {
        isEscaped = true
        place += 1
      }
    }
  }

  /// Whether the bytes are ASCII that a JSON string contains unchanged.
  static func isPlain(_ text: UnsafeRawBufferPointer) -> Bool {
    var place = 0
    while place + 8 <= text.count {
      let word = UInt64(littleEndian: text.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      // Subtracting 0x20 borrows from the high bit of a control character, and adding 1 sets that of 0x7f.
      let controls = (word &- 0x2020_2020_2020_2020) | (word &+ 0x0101_0101_0101_0101) | word
      let special = zeroBytes(word ^ 0x2222_2222_2222_2222) | zeroBytes(word ^ 0x5c5c_5c5c_5c5c_5c5c)
      if controls & 0x8080_8080_8080_8080 | special != 0 { return false }
      place += 8
    }
    return text[place...].allSatisfy { 0x20..<0x7f ~= $0 && $0 != 0x22 && $0 != 0x5c }
  }

  /// Returns a word in which the high bit of the lowest zero byte of `word` is set, and no bit below it.
  @inline(__always)
  private static func zeroBytes(_ word: UInt64) -> UInt64 {
    (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
  }

  /// Skips the other members or elements of the object or array whose member or element was read last, and its end.
  package mutating func skipRest() throws(JSONError) { _ = try skipNested(1) }

  /// - Parameter depth: the number of objects and arrays that have begun already and will be skipped too.
  private mutating func skipNested(_ depth: Int = 0) throws(JSONError) -> Range<Int> {
    let start = place
    var depth = depth
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\""):
        _ = try skipString()
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth == 0 {
          place += 1
          return start..<place
        }
      default: break
      }
      place += 1
    }
    throw error("unterminated object or array")
  }
}
