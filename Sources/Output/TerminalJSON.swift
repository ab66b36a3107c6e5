import JSON

/// Formats JSON for a terminal: indented by two spaces, with everything that a terminal would interpret as JSON
/// escapes.
struct TerminalJSON {
  /// Whether each member and element gets its own line.
  let isIndented: Bool

  /// Appends one value whose first line is already indented to `level`.
  func append(_ json: UnsafeRawBufferPointer, level: Int = 0, to text: inout [UInt8]) throws(JSONError) {
    var scanner = JSONScanner(json)
    try append(&scanner, level: level, to: &text)
    guard scanner.next == nil else {
      throw JSONError(problem: "unexpected text after the value", offset: scanner.place)
    }
  }

  private func append(_ outer: inout JSONScanner, level: Int, to text: inout [UInt8]) throws(JSONError) {
    guard level < JSONValue.maximumDepth + 2 else { throw JSONError(problem: "nested too deeply", offset: outer.place) }
    switch outer.next {
    case UInt8(ascii: "{"):
      text.append("{")
      var isEmpty = true
      while let key = try outer.nextKey() {
        separate(isFirst: isEmpty, level: level + 1, to: &text)
        isEmpty = false
        appendQuoted(outer.slice(key), to: &text)
        text.append(isIndented ? ": " : ":")
        try append(&outer, level: level + 1, to: &text)
      }
      close("}", isEmpty: isEmpty, level: level, to: &text)
    case UInt8(ascii: "["):
      text.append("[")
      var isEmpty = true
      while try outer.nextElement() {
        separate(isFirst: isEmpty, level: level + 1, to: &text)
        isEmpty = false
        try append(&outer, level: level + 1, to: &text)
      }
      close("]", isEmpty: isEmpty, level: level, to: &text)
    case UInt8(ascii: "\""):
      let string = try outer.skipValue()
      appendQuoted(CellText.inside(outer.slice(string)), to: &text)
    default:
      let word = try outer.skipValue()
      text.append(contentsOf: outer.slice(word))
    }
  }

  private func separate(isFirst: Bool, level: Int, to text: inout [UInt8]) {
    if !isFirst { text.append(",") }
    breakLine(level: level, to: &text)
  }

  private func close(_ bracket: Unicode.Scalar, isEmpty: Bool, level: Int, to text: inout [UInt8]) {
    if !isEmpty { breakLine(level: level, to: &text) }
    text.append(bracket)
  }

  private func breakLine(level: Int, to text: inout [UInt8]) {
    guard isIndented else { return }
    text.append("\n")
    text.appendSpaces(2 * level)
  }

  private func appendQuoted(_ contents: UnsafeRawBufferPointer, to text: inout [UInt8]) {
    text.append("\"")
    defer { text.append("\"") }
    if TerminalText.isPlain(contents) { return text.append(contentsOf: contents) }
    for scalar in String(decoding: contents, as: UTF8.self).unicodeScalars {
      guard TerminalText.isHazard(scalar) else {
        text.append(contentsOf: UTF8.encode(scalar).unsafelyUnwrapped)
        continue
      }
      TerminalText.appendEscape(scalar, to: &text)
    }
  }
}
