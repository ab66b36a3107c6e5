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

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
