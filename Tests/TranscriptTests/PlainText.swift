/// Text that is safe to write to a terminal, whatever its source.
enum PlainText {
  /// Whether the text contains no control characters except line feeds, no terminal escapes and no direction changes.
  static func holds(_ text: String) -> Bool {
    holdsNoControl(text)
      && !text.unicodeScalars.contains { (0x202a...0x202e).contains($0.value) || (0x2066...0x2069).contains($0.value) }
  }

  static func holdsNoControl(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy {
      $0 == "\n" || !((0..<0x20).contains($0.value) || (0x7f..<0xa0).contains($0.value))
    }
  }
}
