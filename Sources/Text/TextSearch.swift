// Search and replacement, byte by byte. The standard library's methods for text, such as `contains(_:)`, would add a
// regular-expression engine to the program and slow down every start.

extension StringProtocol {
  /// The first occurrence of a text; nil if there is none.
  package func firstRange(ofText part: String) -> Range<Index>? {
    var start = utf8.startIndex
    while start < utf8.endIndex {
      if utf8[start...].starts(with: part.utf8) { return start..<utf8.index(start, offsetBy: part.utf8.count) }
      utf8.formIndex(after: &start)
    }
    return nil
  }

  /// Whether the text contains another.
  package func includes(_ part: String) -> Bool { firstRange(ofText: part) != nil }
}

extension String {
  /// The text with each occurrence of another text replaced.
  package func replacing(_ old: String, by new: String) -> String {
    String(decoding: Array(utf8).replacing(Array(old.utf8), by: Array(new.utf8)), as: UTF8.self)
  }
}

extension [UInt8] {
  /// The bytes with each occurrence of other bytes replaced.
  package func replacing(_ old: [UInt8], by new: [UInt8]) -> [UInt8] {
    precondition(!old.isEmpty, "nothing occurs everywhere")
    var (result, index) = ([UInt8](), 0)
    while index < count {
      if self[index...].starts(with: old) {
        result += new
        index += old.count
      } else {
        result.append(self[index])
        index += 1
      }
    }
    return result
  }
}
