import JSON

/// Turns a field's JSON into the text of a cell.
enum CellText {
  /// For CSV and TSV, appends a string's text, nothing for null, and the JSON of anything else: of arrays and objects
  /// too, so that a cell can always be read back.
  static func appendPlain(_ json: UnsafeRawBufferPointer, to text: inout [UInt8]) {
    switch json.first {
    case UInt8(ascii: "\""): JSONScanner.appendText(of: inside(json), to: &text)
    case UInt8(ascii: "n"), nil: break
    default: text.append(contentsOf: json)
    }
  }

  /// For people: as above, but the elements of an array are joined by commas, those of arrays within it too.
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
      // What is null or empty leaves no comma behind.
      if text.count == start { text.removeLast(start - mark) }
    }
  }

  /// What stands between a string's quotes.
  @inline(__always)
  static func inside(_ string: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: string[1..<string.count - 1])
  }
}
