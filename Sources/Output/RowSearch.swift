import JSON
import Text

/// The search for a text in the values of rows: texts, numbers, `true` and `false` in any field, in any case.
struct RowSearch {
  /// The lowercase text to find.
  private let text: [UInt8]
  /// Whether values can be compared byte by byte without converting them.
  private let isASCII: Bool

  init(_ text: String) {
    self.text = Array(text.lowercased().utf8)
    isASCII = text.utf8.allSatisfy { $0 < 0x80 }
  }

  /// - Throws: `JSONError` for bytes that are not an object.
  func matches(_ row: UnsafeRawBufferPointer) throws(JSONError) -> Bool {
    var scanner = JSONScanner(row)
    guard scanner.next == UInt8(ascii: "{") else { throw JSONError(problem: "a row is not an object", offset: 0) }
    return try matches(&scanner, depth: 0)
  }

  /// Whether the next value, or a value inside it, has the text. If it has none, the scanner is after the value.
  private func matches(_ scanner: inout JSONScanner, depth: Int) throws(JSONError) -> Bool {
    guard depth < JSONValue.maximumDepth else {
      throw JSONError(problem: "nested too deeply", offset: scanner.position)
    }
    switch scanner.next {
    case UInt8(ascii: "{"):
      while try scanner.nextKey() != nil {
        if try matches(&scanner, depth: depth + 1) { return true }
      }
      return false
    case UInt8(ascii: "["):
      while try scanner.nextElement() {
        if try matches(&scanner, depth: depth + 1) { return true }
      }
      return false
    case UInt8(ascii: "\""):
      let range = try scanner.skipValue()
      return isInString(scanner.slice(range.lowerBound + 1..<range.upperBound - 1))
    case UInt8(ascii: "n"):
      _ = try scanner.skipValue()
      return false
    default:
      let range = try scanner.skipValue()
      return isIn(scanner.slice(range))
    }
  }

  private func isInString(_ contents: UnsafeRawBufferPointer) -> Bool {
    guard contents.contains(UInt8(ascii: "\\")) else { return isIn(contents) }
    var decoded: [UInt8] = []
    JSONScanner.appendText(of: contents, to: &decoded)
    return decoded.withUnsafeBytes(isIn)
  }

  private func isIn(_ value: UnsafeRawBufferPointer) -> Bool {
    if isASCII { return isInASCII(value) }
    return Array(String(decoding: value, as: UTF8.self).lowercased().utf8).withUnsafeBytes(isInASCII)
  }

  /// Compares bytes, ignoring the case of ASCII letters.
  private func isInASCII(_ value: UnsafeRawBufferPointer) -> Bool {
    guard let first = text.first else { return true }
    guard value.count >= text.count else { return false }
    for start in 0...(value.count - text.count) where value[start].loweredASCII == first {
      var length = 1
      while length < text.count, value[start + length].loweredASCII == text[length] { length += 1 }
      if length == text.count { return true }
    }
    return false
  }
}
