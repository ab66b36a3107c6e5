extension StringProtocol {
  /// Whether a terminal would interpret a character of the text. The ranges are Unicode's, and not the program's own.
  /// - Parameter allowed: the characters that may occur.
  func hasControls(except allowed: Set<Unicode.Scalar> = []) -> Bool {
    unicodeScalars.contains { ($0.value < 0x20 || (0x7f..<0xa0).contains($0.value)) && !allowed.contains($0) }
  }
}

extension [UInt8] {
  /// The same for bytes of UTF-8.
  func hasControls(except allowed: Set<Unicode.Scalar> = []) -> Bool {
    String(decoding: self, as: UTF8.self).hasControls(except: allowed)
  }
}

extension [UInt8] {
  /// Whether the text occurs in the bytes.
  func holds(_ text: String) -> Bool {
    let wanted = Array(text.utf8)
    guard let first = wanted.first, count >= wanted.count else { return wanted.isEmpty }
    return (0...count - wanted.count).contains {
      self[$0] == first && self[$0..<$0 + wanted.count].elementsEqual(wanted)
    }
  }
}
