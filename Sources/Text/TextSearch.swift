extension String {
  /// Whether the text contains another, byte by byte. The standard library's `contains(_:)` adds a regular-expression
  /// engine to the program: 1.2 MB, which every start would relocate.
  package func includes(_ part: String) -> Bool {
    let (part, bytes) = (Array(part.utf8), Array(utf8))
    return bytes.indices.contains { bytes[$0...].starts(with: part) }
  }
}
