import JSON

/// Converts a field's JSON to the text of a cell.
enum CellText {
  /// Appends a value for CSV and TSV: the text of a string, nothing for null, and the JSON of any other value. Arrays
  /// and objects are JSON too, so that a cell can always be parsed again.
  static func appendPlain(_ json: UnsafeRawBufferPointer, to text: inout [UInt8]) {
    switch json.first {
    case UInt8(ascii: "\""): JSONScanner.appendText(of: inside(json), to: &text)
    case UInt8(ascii: "n"), nil: break
    default: text.append(contentsOf: json)
    }
  }

  /// Appends a value for people: as above, but with the elements of arrays, also nested ones, joined by commas.
  static func appendJoined(
    _ json: UnsafeRawBufferPointer, depth: Int = 0, to text: inout [UInt8]
  ) throws(JSONError) {
    guard json.first == UInt8(ascii: "[") else { return appendPlain(json, to: &text) }
    guard depth < JSONValue.maximumDepth else { throw JSONError(problem: "nested too deeply", offset: 0) }
    var scanner = JSONScanner(json)
    let begin = text.count
    while try scanner.nextElement() {
      let mark = text.count
      if mark > begin { text.append(", ") }
      let start = text.count
      try appendJoined(scanner.slice(try scanner.skipValue()), depth: depth + 1, to: &text)
      // A null or empty element leaves no comma.
      if text.count == start { text.removeLast(start - mark) }
    }
  }

  /// The contents between a string's quotes.
  @inline(__always)
  static func inside(_ string: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: string[1..<string.count - 1])
  }
}
