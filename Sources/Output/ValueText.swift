import JSON

/// The text of single JSON values, as the results of `--jq` are printed: strings without quotes, other values as JSON.
package struct ValueText {
  private let isTerminal: Bool
  /// Nil if JSON is printed unchanged.
  private let layout: TerminalJSON?

  /// - Parameters:
  ///   - isTerminal: whether everything that a terminal would interpret is escaped.
  ///   - isIndented: whether objects and arrays have several lines on a terminal.
  ///   - isColored: whether JSON has colors.
  package init(isTerminal: Bool, isIndented: Bool, isColored: Bool) {
    self.isTerminal = isTerminal
    layout =
      isTerminal || isColored ? TerminalJSON(isIndented: isTerminal && isIndented, isColored: isColored) : nil
  }

  /// One value with a line feed.
  /// - Parameter json: the compact JSON of the value.
  package func text(of json: UnsafeRawBufferPointer) -> [UInt8] {
    var text: [UInt8] = []
    if Self.isString(json) {
      JSONScanner.appendText(of: CellText.inside(json), to: &text)
      if isTerminal { text = safe(text) }
    } else if let layout {
      // Bytes that are not JSON are text.
      do throws(JSONError) { try layout.append(json, to: &text) } catch { text = safe(Array(json)) }
    } else {
      text.append(contentsOf: json)
    }
    text.append("\n")
    return text
  }

  private func safe(_ text: [UInt8]) -> [UInt8] { text.withUnsafeBytes(TerminalText.document) ?? text }

  /// Whether the value is a string, which is printed as text.
  package static func isString(_ json: UnsafeRawBufferPointer) -> Bool {
    json.count > 1 && json.first == UInt8(ascii: "\"") && json.last == UInt8(ascii: "\"")
  }
}
