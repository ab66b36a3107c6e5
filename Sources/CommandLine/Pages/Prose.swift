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

  /// Whether ``oneLine`` would change nothing, as for most text.
  private static func isPlainLine(_ text: String) -> Bool {
    var text = text
    let space = UInt8(ascii: " ")
    guard let first = text.utf8.first, first != space, text.utf8.last != space else { return false }
    return text.withUTF8 { PrintableText.isSingleSpaced(UnsafeRawBufferPointer($0)) }
  }

  static func words(_ text: String) -> [Substring] {
    oneLine(text).split(separator: " ")
  }

  /// The text with its first letter capitalized, to begin a sentence.
  static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

  /// Wraps a paragraph between words into lines of at most `width` columns; a longer word gets its own line.
  static func wrap(_ text: String, width: Int) -> [String] {
    TextWrap.lines(ofWords: words(text).map(String.init), width: width)
  }

  static func padded(_ text: String, to width: Int) -> String { text + spaces(width - TextWidth.of(text)) }

  static func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}
