import Arguments

/// Plain text for a reader: made harmless, measured and broken into lines.
enum Prose {
  /// The text on one line: white space becomes single spaces, and control characters, which terminals obey and man
  /// pages cannot hold, are shown as `\u{1b}`.
  static func oneLine(_ text: String) -> String {
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

  static func words(_ text: String) -> [Substring] { oneLine(text).split(separator: " ") }

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
    text.reduce(0) { $0 + CellWidth.of($1) }
  }

  static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - columns(text)))
  }
}
