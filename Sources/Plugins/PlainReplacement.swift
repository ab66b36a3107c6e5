extension String {
  /// The text with each occurrence of another text replaced. It compares bytes, and needs no regular expressions.
  func replacing(_ old: String, by new: String) -> String {
    let (bytes, old) = (Array(utf8), Array(old.utf8))
    var (result, place) = ([UInt8](), 0)
    while place < bytes.count {
      if bytes[place...].starts(with: old) {
        result += new.utf8
        place += old.count
      } else {
        result.append(bytes[place])
        place += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Whether the text contains another text, byte for byte.
  func holds(_ other: String) -> Bool {
    let (bytes, other) = (Array(utf8), Array(other.utf8))
    return bytes.indices.contains { bytes[$0...].starts(with: other) }
  }
}
