/// Breaks text into lines of a maximum width, at spaces if possible.
package enum TextWrap {
  /// The lines without trailing spaces. A word wider than a line is broken between characters. A single line if
  /// `width` is nil.
  package static func lines(of text: String, width: Int?) -> [String] {
    guard let width, TextWidth.of(text) > width else { return [trimmed(text[...])] }
    var lines: [String] = []
    var rest = text[...]
    while !rest.isEmpty {
      let (fitting, _) = TextWidth.prefix(of: rest, fitting: width)
      // A width below that of one character still fits one.
      var end = fitting.isEmpty ? rest.index(after: rest.startIndex) : fitting.endIndex
      if end < rest.endIndex, rest[end] != " ", let space = rest[..<end].lastIndex(of: " "),
        rest[..<space].contains(where: { $0 != " " })
      {
        end = space
      }
      lines.append(trimmed(rest[..<end]))
      rest = rest[end...].drop { $0 == " " }
    }
    return lines
  }

  /// Joins words with spaces into lines of at most `width` columns. A longer word gets its own line.
  package static func lines(ofWords words: [String], width: Int) -> [String] {
    var lines: [String] = []
    var used = 0
    for word in words {
      let columns = TextWidth.of(word)
      if !lines.isEmpty, used + 1 + columns <= width {
        lines[lines.count - 1] += " " + word
        used += 1 + columns
      } else {
        lines.append(word)
        used = columns
      }
    }
    return lines
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}

/// Wraps sentences between words, but never inside a command, so that it can be copied in one piece.
package enum CommandWrap {
  /// The lines, of at most `width` columns if the longest word and command fit; one line if `width` is nil.
  package static func lines(of text: String, width: Int?) -> [String] {
    lines(of: text, units: units(of: text), width: width)
  }

  /// The lines of a text with known units, each a word or a whole command. Each line has the text's indent.
  package static func lines(of text: String, units: [String], width: Int?) -> [String] {
    guard let width, TextWidth.of(text) > width, !units.isEmpty else { return [text] }
    let indent = String(text.prefix { $0 == " " })
    return TextWrap.lines(ofWords: units, width: width - indent.utf8.count).map { indent + $0 }
  }

  /// The words, with each command as a single unit: from `'ifttt` to the closing quote, or after a colon to the end.
  private static func units(of text: String) -> [String] {
    var units: [String] = []
    var closing: Closing?
    for word in text.split(separator: " ").map(String.init) {
      if closing == nil { units.append(word) } else { units[units.count - 1] += " " + word }
      if closing == nil {
        if word == "'ifttt" {
          closing = .quote
        } else if word == "\u{201c}ifttt" {
          closing = .mark
        } else if word == "ifttt", units.count > 1, units[units.count - 2].hasSuffix(":") {
          closing = .end
        }
      } else if closing == .quote && word.contains("'") || closing == .mark && word.contains("\u{201d}") {
        closing = nil
      }
    }
    return units
  }

  /// The end of a command: an apostrophe, a closing quotation mark, or the end of the text.
  private enum Closing { case quote, mark, end }
}
