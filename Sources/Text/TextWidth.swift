/// The number of columns that text takes on a terminal. Characters of ambiguous width (UAX #11) take one.
package enum TextWidth {
  /// The width of UTF-8 text without control characters.
  package static func of(_ text: UnsafeBufferPointer<UInt8>) -> Int {
    // Below U+0300, every scalar takes one column; its first byte is below 0xCC.
    var continuations = 0
    var isSimple = true
    for byte in text {
      if byte >= 0xcc { isSimple = false }
      continuations += byte & 0xc0 == 0x80 ? 1 : 0
    }
    if isSimple { return text.count - continuations }
    return String(decoding: text, as: UTF8.self).reduce(into: 0) { $0 += of($1) }
  }

  package static func of(_ text: String) -> Int {
    var text = text
    return text.withUTF8 { of($0) }
  }

  /// The width of one character: zero, one or two columns.
  ///
  /// Everything that a grapheme cluster joins (emoji joined by U+200D, flags, skin tones, vowel signs, conjuncts)
  /// takes at most two.
  package static func of(_ character: Character) -> Int {
    var width = 0
    var previous: Unicode.Scalar?
    for scalar in character.unicodeScalars {
      // U+FE0F selects the wide emoji presentation.
      if scalar.value == 0xfe0f, previous?.properties.isEmoji == true { return 2 }
      previous = scalar
      width += of(scalar)
      if width >= 2 { return 2 }
    }
    return width
  }

  private static func of(_ scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 { return 1 }
    // Ideographs, kana and hangul are the most common wide characters.
    if 0x4e00...0x9fff ~= value { return 2 }
    if 0xac00...0xd7a3 ~= value { return 2 }
    if isIn(UnicodeWidths.zero, value) { return 0 }
    return isIn(UnicodeWidths.wide, value) ? 2 : 1
  }

  /// Whether one of the ascending ranges `[first, last, first, last, …]` contains the value.
  private static func isIn(_ ranges: [UInt32], _ value: UInt32) -> Bool {
    var (low, high) = (0, ranges.count / 2)
    while low < high {
      let middle = (low + high) / 2
      if value > ranges[2 * middle + 1] { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count / 2 && ranges[2 * low] <= value
  }

  /// The longest prefix of `text` that takes at most `width` columns, and its width. Characters are never split.
  package static func prefix(of text: Substring, fitting width: Int) -> (text: Substring, width: Int) {
    var taken = 0
    var end = text.startIndex
    while end < text.endIndex {
      let next = of(text[end])
      guard taken + next <= width else { break }
      taken += next
      end = text.index(after: end)
    }
    return (text[..<end], taken)
  }

  /// The longest suffix of `text` with the same properties.
  package static func suffix(of text: Substring, fitting width: Int) -> (text: Substring, width: Int) {
    var taken = 0
    var start = text.endIndex
    while start > text.startIndex {
      let previous = text.index(before: start)
      let next = of(text[previous])
      guard taken + next <= width else { break }
      taken += next
      start = previous
    }
    return (text[start...], taken)
  }
}

/// Checks whether text is printable ASCII, many bytes at a time. Most of the text that the program prints is, and needs
/// no further checks.
package enum PrintableText {
  /// Below this length, words are faster than the compiler's vectors, which handle the last bytes one by one.
  private static let longText = 16

  /// Whether all bytes are from 0x20 to 0x7e.
  package static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= longText else { return words(in: bytes, are: isPrintable) }
    // Without an early end, the compiler checks 16 bytes at once.
    var problems: UInt8 = 0
    for byte in bytes { problems |= byte &- 0x20 < 0x5f ? 0 : 1 }
    return problems == 0
  }

  /// Whether all bytes are from 0x20 to 0x7e, and no two spaces follow each other.
  package static func isSingleSpaced(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= longText else { return words(in: bytes, are: isPrintableAndSingleSpaced) }
    guard isASCII(bytes) else { return false }
    var problems: UInt8 = 0
    // Of printable bytes, only two spaces have no bit but that of a space.
    for offset in 1..<bytes.count { problems |= bytes[offset - 1] | bytes[offset] == 0x20 ? 1 : 0 }
    return problems == 0
  }

  // MARK: Short text

  private static let spaces: UInt64 = 0x2020_2020_2020_2020
  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// Whether each pair of neighboring bytes is in a word that is accepted.
  @inline(__always)
  private static func words(in bytes: UnsafeRawBufferPointer, are isGood: (UInt64) -> Bool) -> Bool {
    guard bytes.count >= 8 else {
      var word: UInt64 = 0x7878_7878_7878_7878
      for byte in bytes { word = word << 8 | UInt64(byte) }
      return isGood(word)
    }
    var offset = 0
    // Each word begins with the last byte of the one before. The last word overlaps more.
    while offset + 8 < bytes.count {
      guard isGood(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) else { return false }
      offset += 7
    }
    return isGood(bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self))
  }

  @inline(__always)
  private static func isPrintable(_ word: UInt64) -> Bool {
    // Subtracting 0x20 borrows from the high bit of a control character, and adding 1 sets that of 0x7f.
    ((word &- spaces) | (word &+ 0x0101_0101_0101_0101) | word) & highBits == 0
  }

  @inline(__always)
  private static func isPrintableAndSingleSpaced(_ word: UInt64) -> Bool {
    let others = word ^ spaces
    let isSpace = ~(((others & ~highBits) &+ ~highBits) | others) & highBits
    return isPrintable(word) && isSpace & (isSpace >> 8) == 0
  }
}
