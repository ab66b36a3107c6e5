/// What may be written to a terminal whoever it comes from.
enum PlainText {
  /// Whether there is no control character but the line end, no terminal escape and no change of direction.
  static func holds(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      case 0x0a: true
      case 0..<0x20, 0x7f..<0xa0, 0x202a...0x202e, 0x2066...0x2069: false
      default: true
      }
    }
  }
}
