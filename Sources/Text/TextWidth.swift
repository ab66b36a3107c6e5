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

  /// The longest suffix of `text` that takes at most `width` columns, and its width. Characters are never split.
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

/// Checks whether text is printable ASCII. Most of the text that the program prints is, and needs no further checks.
package enum PrintableText {
  /// Whether all bytes are from 0x20 to 0x7e.
  package static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool { bytes.allSatisfy { 0x20...0x7e ~= $0 } }

  /// Whether all bytes are from 0x20 to 0x7e, and no two spaces follow each other.
  package static func isSingleSpaced(_ bytes: UnsafeRawBufferPointer) -> Bool {
    isASCII(bytes) && zip(bytes, bytes.dropFirst()).allSatisfy { $0 != 0x20 || $1 != 0x20 }
  }
}
