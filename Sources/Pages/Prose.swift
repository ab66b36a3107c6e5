import Arguments

/// Plain text for a reader: made harmless, measured and broken into lines.
enum Prose {
  /// The text on one line: white space becomes single spaces, and control characters, which terminals obey and man
  /// pages cannot hold, are shown as `\u{1b}`.
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

  /// Whether ``oneLine`` would change nothing: most of what is printed, and far quicker to see than to do.
  private static func isPlainLine(_ text: String) -> Bool {
    var previous = UInt8(ascii: " ")
    for byte in text.utf8 {
      guard 0x20...0x7e ~= byte, byte != 0x20 || previous != 0x20 else { return false }
      previous = byte
    }
    return previous != 0x20
  }

  static func words(_ text: String) -> [Substring] {
    let line = oneLine(text)
    guard isASCII(line) else { return line.split(separator: " ") }
    return line.utf8.split(separator: UInt8(ascii: " ")).map(Substring.init)
  }

  private static func isASCII(_ text: some StringProtocol) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }

  /// With a capital first letter, as a sentence begins.
  static func capitalised(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

  /// Breaks a paragraph between words into lines of at most `width` columns; a longer word has a line of its own.
  static func wrap(_ text: String, width: Int) -> [String] {
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

  /// Columns on a terminal: two for East Asian wide characters and emoji, one for everything else.
  static func columns(_ text: some StringProtocol) -> Int {
    isASCII(text) ? text.utf8.count : text.reduce(0) { $0 + CellWidth.of($1) }
  }

  static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - columns(text)))
  }
}
