/// An id or slug that can be one segment of an API path without changing the URL's meaning.
///
/// The formats seen so far (8 or 10 letters and digits, UUIDs) are not enforced (reference: connect-api.md, section
/// 1).
package struct PathSegment: Sendable, Hashable {
  package let text: String

  /// Nil for the empty string, `.` and `..`, and for text with `/`, `?`, `#` or a control character.
  package init?(parsing text: String) {
    guard !text.isEmpty, text != ".", text != ".." else { return nil }
    let isSafe = text.unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      case 0..<0x20, 0x7f..<0xa0: false
      default: scalar != "/" && scalar != "?" && scalar != "#"
      }
    }
    guard isSafe else { return nil }
    self.text = text
  }
}
