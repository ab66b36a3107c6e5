import Text

/// Plain text for display: sanitized, measured and wrapped.
enum Prose {
  /// The text on one line. White space becomes single spaces. Control characters, which terminals interpret and man
  /// pages cannot contain, are shown as `\u{1b}`.
  static func oneLine(_ text: String) -> String {
    if isPlainLine(text) { return text }
    var line = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .spaceSeparator, .lineSeparator, .paragraphSeparator: if line.last != " " { line += " " }
      case .control:
        if scalar.properties.isWhitespace {
          if line.last != " " { line += " " }
        } else {
          line += "\\u{\(String(scalar.value, radix: 16))}"
        }
      default: line.unicodeScalars.append(scalar)
      }
    }
    let start = line.first == " " ? line.index(after: line.startIndex) : line.startIndex
    let end = line.count > 1 && line.last == " " ? line.index(before: line.endIndex) : line.endIndex
    return start < end ? String(line[start..<end]) : ""
  }

  /// Whether ``oneLine`` would change nothing. This holds for most text, and checking it is much faster than
  /// converting.
  private static func isPlainLine(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { isPlainLine(UnsafeRawBufferPointer($0)) }
  }

  /// Whether ``oneLine`` would change nothing in a nonempty text.
  static func isPlainLine(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let space = UInt8(ascii: " ")
    guard let first = bytes.first, first != space, bytes.last != space else { return false }
    return PrintableText.isSingleSpaced(bytes)
  }

  static func words(_ text: String) -> [Substring] {
    let line = oneLine(text)
    guard isASCII(line) else { return line.split(separator: " ") }
    return line.utf8.split(separator: UInt8(ascii: " ")).map(Substring.init)
  }

  private static func isASCII(_ text: some StringProtocol) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }

  /// The text with its first letter capitalized, to begin a sentence.
  static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

  /// Wraps a paragraph between words into lines of at most `width` columns; a longer word gets its own line.
  static func wrap(_ text: String, width: Int) -> [String] {
    if isPlainLine(text) { return wrapPlainLine(text, width: max(1, width)) }
    var lines: [String] = []
    var line = ""
    var used = 0
    for word in words(text) {
      let columns = Prose.columns(word)
      if used > 0, used + 1 + columns > width {
        lines.append(line)
        (line, used) = ("", 0)
      }
      line += used > 0 ? " " + word : String(word)
      used += columns + (used > 0 ? 1 : 0)
    }
    return line.isEmpty ? lines : lines + [line]
  }

  /// Wraps text in which every byte is one column and no two spaces follow each other.
  private static func wrapPlainLine(_ text: String, width: Int) -> [String] {
    guard text.utf8.count > width else { return [text] }
    var text = text
    return text.withUTF8 { bytes in
      var lines: [String] = []
      var start = 0
      while bytes.count - start > width {
        var end = start + width
        while end > start, bytes[end] != UInt8(ascii: " ") { end -= 1 }
        if end == start {
          end += width
          while end < bytes.count, bytes[end] != UInt8(ascii: " ") { end += 1 }
        }
        lines.append(String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self))
        start = end + 1
      }
      if start < bytes.count {
        lines.append(String(decoding: UnsafeBufferPointer(rebasing: bytes[start...]), as: UTF8.self))
      }
      return lines
    }
  }

  /// The width in terminal columns: two for East Asian wide characters and emoji, one for all others.
  static func columns(_ text: some StringProtocol) -> Int {
    TextWidth.of(String(text))
  }

  static func padded(_ text: String, to width: Int) -> String { text + spaces(width - columns(text)) }

  static func spaces(_ count: Int) -> String {
    String(unsafeUninitializedCapacity: max(0, count)) { bytes in
      bytes.initialize(repeating: UInt8(ascii: " "))
      return max(0, count)
    }
  }
}
