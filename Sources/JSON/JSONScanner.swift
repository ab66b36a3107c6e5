import Text

/// Finds the members and elements of a JSON value in its bytes, without building a value (RFC 8259).
///
/// The scanner is made for reading a few fields of a large number of rows. It checks only the structure it traverses:
/// skipped values are not validated. It never reads past the end, whatever the bytes are.
package struct JSONScanner {
  package let bytes: UnsafeRawBufferPointer
  /// The current position, in bytes from the start.
  package private(set) var position: Int
  /// Whether the last key contains escapes.
  private(set) var keyIsEscaped = false

  package init(_ bytes: UnsafeRawBufferPointer, at position: Int = 0) {
    (self.bytes, self.position) = (bytes, position)
  }

  /// The byte at the current position, after skipping white space; nil at the end.
  package var next: UInt8? {
    @inline(__always) mutating get {
      skipSpace()
      return position < bytes.count ? bytes[position] : nil
    }
  }

  /// Returns the contents of the next member's key, without its quotes and with its escapes; nil after the last
  /// member.
  ///
  /// Call it at an object's opening brace or just after a member's value. It moves to the member's value.
  package mutating func nextKey() throws(JSONError) -> Range<Int>? {
    // In the documents of the cache, nothing separates a key from the comma or the brace before it.
    if position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "\""),
      bytes[position] == UInt8(ascii: ",") || bytes[position] == UInt8(ascii: "{")
    {
      position += 1
    } else {
      guard try advance(from: UInt8(ascii: "{"), to: UInt8(ascii: "}")) else { return nil }
      guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
        throw error("expected a string as a key")
      }
    }
    var isEscaped = false
    let key = try skipString(isEscaped: &isEscaped)
    keyIsEscaped = isEscaped
    guard next == UInt8(ascii: ":") else { throw error("expected a colon after a key") }
    position += 1
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
      let start = position
      while position < bytes.count, !endsWord(bytes[position]) { position += 1 }
      return start..<position
    default: throw error("expected a value")
    }
  }

  /// Returns the bytes of a range that this scanner has found.
  @inline(__always)
  package func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[range]) }

  private func error(_ problem: String) -> JSONError { JSONError(problem: problem, offset: position) }

  @inline(__always)
  private mutating func skipSpace() {
    while position < bytes.count, bytes[position] <= 0x20 {
      let byte = bytes[position]
      guard byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 else { return }
      position += 1
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
      position += 1
      return false
    }
    position += 1
    guard byte == open, next == close else {
      skipSpace()
      return true
    }
    position += 1
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
    let start = position
    position += 1
    isEscaped = false
    let count = bytes.count
    while true {
      if position + 8 <= count {
        let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
        let matches = Self.quotesAndBackslashes(word)
        guard matches != 0 else {
          position += 8
          continue
        }
        position += matches.trailingZeroBitCount / 8
      }
      guard position < count else { throw error("unterminated string") }
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "\"") { return start..<position }
      if byte == UInt8(ascii: "\\") {
        isEscaped = true
        position += 1
      }
    }
  }

  /// Whether the bytes are ASCII that a JSON string contains unchanged.
  static func isPlain(_ text: UnsafeRawBufferPointer) -> Bool { endOfPlainText(text, from: 0) == text.count }

  /// Returns the position of the first byte that is not ASCII, or that a JSON string does not contain unchanged; the
  /// number of bytes without one. It compares eight bytes at a time.
  @inline(__always)
  static func endOfPlainText(_ text: UnsafeRawBufferPointer, from start: Int) -> Int {
    var position = start
    while position + 8 <= text.count {
      let word = UInt64(littleEndian: text.loadUnaligned(fromByteOffset: position, as: UInt64.self))
      let controls = (word &- 0x2020_2020_2020_2020) & ~word | zeroBytes(word ^ 0x7f7f_7f7f_7f7f_7f7f)
      let matches = (controls | word) & 0x8080_8080_8080_8080 | quotesAndBackslashes(word)
      if matches != 0 { return position + matches.trailingZeroBitCount / 8 }
      position += 8
    }
    while position < text.count, 0x20..<0x7f ~= text[position], text[position] != UInt8(ascii: "\""),
      text[position] != UInt8(ascii: "\\")
    { position += 1 }
    return position
  }

  /// Returns a word in which the high bit of the lowest quote or backslash is set, and no bit below it.
  @inline(__always)
  private static func quotesAndBackslashes(_ word: UInt64) -> UInt64 {
    zeroBytes(word ^ 0x2222_2222_2222_2222) | zeroBytes(word ^ 0x5c5c_5c5c_5c5c_5c5c)
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
    let start = position
    var depth = depth
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        _ = try skipString()
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth == 0 {
          position += 1
          return start..<position
        }
      default: break
      }
      position += 1
    }
    throw error("unterminated object or array")
  }
}

/// Keys to find in a large number of objects. Their layout lets one comparison rule out most other keys.
package struct JSONKeys {
  fileprivate struct Key {
    let name: [UInt8]
    let count: Int
    /// The first eight bytes of the name, padded with zeros.
    let word: UInt64
  }

  fileprivate let keys: [Key]

  package init(_ names: [[UInt8]]) {
    keys = names.map { name in
      let word = name.prefix(8).enumerated().reduce(0) { $0 | UInt64($1.element) << UInt64(8 * $1.offset) }
      return Key(name: name, count: name.count, word: word)
    }
  }

  package var count: Int { keys.count }

  /// Returns the index of the key at `range`; nil if it is not one of the keys.
  @inline(__always)
  fileprivate func index(of range: Range<Int>, in bytes: UnsafeRawBufferPointer) -> Int? {
    let count = range.count
    // A closing quote follows the key, so fewer than eight bytes are left only at the very end.
    guard range.lowerBound + 8 <= bytes.count else {
      return keys.firstIndex { isSame($0.name, bytes, range) }
    }
    var word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: range.lowerBound, as: UInt64.self))
    if count < 8 { word &= (1 << UInt64(8 * count)) - 1 }
    return keys.firstIndex { key in
      key.word == word && key.count == count && (count <= 8 || isSame(key.name, bytes, range))
    }
  }
}

extension JSONScanner {
  /// Finds the values of the keys in the object at the current position, and stops when it has found all of them.
  /// `ranges` receives one range per key, empty for a missing key. If a key is repeated, the first one counts.
  package mutating func find(_ keys: JSONKeys, in ranges: inout [Range<Int>]) throws(JSONError) {
    for index in ranges.indices { ranges[index] = 0..<0 }
    var missing = keys.count
    while missing > 0, let key = try nextKey() {
      let match = index(of: key, in: keys)
      let value = try skipValue()
      guard let match, ranges[match].isEmpty else { continue }
      ranges[match] = value
      missing -= 1
    }
  }

  /// Returns the index of the last key that ``nextKey()`` has returned; nil if it is not one of the keys.
  @inline(__always)
  package func index(of key: Range<Int>, in keys: JSONKeys) -> Int? {
    guard keyIsEscaped else { return keys.index(of: key, in: bytes) }
    let name = unescaped(key)
    return keys.keys.firstIndex { $0.name == name }
  }

  /// Returns whether the last key that ``nextKey()`` has returned is this name.
  @inline(__always)
  package func isKey(_ key: Range<Int>, _ name: [UInt8]) -> Bool {
    keyIsEscaped ? unescaped(key) == name : isSame(name, bytes, key)
  }

  /// Returns the value of one member of the object at the current position; nil if it is missing. If a key is
  /// repeated, the first one counts.
  package mutating func value(of name: [UInt8]) throws(JSONError) -> Range<Int>? {
    while let key = try nextKey() {
      let isMatch = isKey(key, name)
      let value = try skipValue()
      if isMatch { return value }
    }
    return nil
  }

  private func unescaped(_ key: Range<Int>) -> [UInt8] {
    var text: [UInt8] = []
    Self.appendText(of: slice(key), to: &text)
    return text
  }
}

@inline(__always)
private func isSame(_ name: [UInt8], _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
  guard name.count == range.count else { return false }
  for index in name.indices where name[index] != bytes[range.lowerBound + index] { return false }
  return true
}

extension JSONScanner {
  /// Decodes the contents of a JSON string (without its quotes) and appends them to `text`.
  ///
  /// An invalid escape is kept unchanged, and an unpaired surrogate becomes U+FFFD, as in
  /// ``JSONValue/init(parsing:)``. Invalid UTF-8 is kept as well.
  package static func appendText(of contents: UnsafeRawBufferPointer, to text: inout [UInt8]) {
    var start = 0
    var position = 0
    while position < contents.count {
      guard contents[position] == UInt8(ascii: "\\"), position + 1 < contents.count else {
        position += 1
        continue
      }
      text.append(contentsOf: UnsafeRawBufferPointer(rebasing: contents[start..<position]))
      start = position
      position += 2
      if let character = JSONEscape.character(contents[position - 1]) {
        text.append(character)
        start = position
      } else if contents[position - 1] == UInt8(ascii: "u"), let scalar = escapedScalar(contents, &position) {
        text.append(contentsOf: String(Character(scalar)).utf8)
        start = position
      }
    }
    text.append(contentsOf: UnsafeRawBufferPointer(rebasing: contents[start...]))
  }

  /// Returns the scalar whose first four digits start at `position`, and moves `position` past the digits it used.
  private static func escapedScalar(_ bytes: UnsafeRawBufferPointer, _ position: inout Int) -> Unicode.Scalar? {
    guard let first = JSONEscape.codeUnit(bytes[position...]) else { return nil }
    position += 4
    if bytes[position...].starts(with: "\\u".utf8), let second = JSONEscape.codeUnit(bytes[(position + 2)...]),
      let scalar = JSONEscape.scalar(first, second)
    {
      position += 6
      return scalar
    }
    return Unicode.Scalar(first) ?? "\u{fffd}"
  }
}

/// The escapes in JSON strings (RFC 8259, section 7). Readers differ in what they do with an invalid one.
enum JSONEscape {
  /// The character that a letter after a backslash stands for; nil for `u` and for invalid letters.
  static func character(_ letter: UInt8) -> UInt8? {
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

  /// The UTF-16 code unit of the four hexadecimal digits that the bytes begin with; nil if they do not.
  static func codeUnit(_ bytes: some Collection<UInt8>) -> UInt16? {
    let digits = bytes.prefix(4).compactMap(\.hexadecimal)
    return digits.count == 4 ? digits.reduce(0) { $0 << 4 | UInt16($1) } : nil
  }

  /// The scalar of a surrogate pair; nil for other code units.
  static func scalar(_ high: UInt16, _ low: UInt16) -> Unicode.Scalar? {
    guard UTF16.isLeadSurrogate(high), UTF16.isTrailSurrogate(low) else { return nil }
    return Unicode.Scalar(0x10000 + UInt32(high - 0xd800) << 10 + UInt32(low - 0xdc00))
  }
}
