extension String {
  /// Whether a terminal shows the text as it is: it contains no control characters except line feeds, thus no escape
  /// sequences, and no direction changes.
  package var isSafeForTerminal: Bool {
    isWithoutControlCharacters
      && !unicodeScalars.contains { (0x202a...0x202e).contains($0.value) || (0x2066...0x2069).contains($0.value) }
  }

  /// Whether the text contains no control characters of C0 or C1 except line feeds.
  package var isWithoutControlCharacters: Bool {
    unicodeScalars.allSatisfy { $0 == "\n" || !((0..<0x20).contains($0.value) || (0x7f..<0xa0).contains($0.value)) }
  }
}
