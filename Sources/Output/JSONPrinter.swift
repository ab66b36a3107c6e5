import JSON

/// Prints rows as one JSON document, or one per line.
struct JSONPrinter: RowPrinter {
  enum Form { case array, single, lines }

  private let form: Form
  private var fields: FieldObject?
  /// Nil if the bytes are written unchanged.
  private let layout: TerminalJSON?
  private let flushesEachRow: Bool
  private var isEmpty = true
  private var object: [UInt8] = []

  init(_ form: Form, _ presentation: Presentation, flushesEachRow: Bool = false) {
    self.form = form
    fields = presentation.fields.map(FieldObject.init)
    layout = presentation.isTerminal ? TerminalJSON(isIndented: form != .lines) : nil
    self.flushesEachRow = flushesEachRow
  }

  mutating func print(_ row: UnsafeRawBufferPointer, to output: inout BufferedOutput) throws {
    // Built first, so that an unreadable row leaves no partial output.
    let isBuilt = fields != nil || layout != nil
    if isBuilt { try build(row) }
    assert(isEmpty || form != .single, "a single object has exactly one row")
    if form == .array {
      output.bytes.append(isEmpty ? UInt8(ascii: "[") : UInt8(ascii: ","))
      output.bytes.append(UInt8(ascii: "\n"))
      try output.endLine()
      if layout != nil { output.bytes.appendSpaces(2) }
    }
    isEmpty = false
    if isBuilt { output.bytes.append(contentsOf: object) } else { output.bytes.append(contentsOf: row) }
    if form != .array { output.bytes.append(UInt8(ascii: "\n")) }
    if flushesEachRow { try output.flush() } else if form != .array { try output.endLine() }
  }

  private mutating func build(_ row: UnsafeRawBufferPointer) throws {
    object.removeAll(keepingCapacity: true)
    if fields == nil {
      try layout?.append(row, level: form == .array ? 1 : 0, to: &object)
      return
    }
    try fields?.append(row, to: &object)
    guard let layout else { return }
    let compact = object
    object.removeAll(keepingCapacity: true)
    try compact.withUnsafeBytes { json in try layout.append(json, level: form == .array ? 1 : 0, to: &object) }
  }

  mutating func finish(again rows: Rows, to output: inout BufferedOutput) throws {
    guard form == .array else { return }
    output.bytes.append(isEmpty ? "[]\n" : "\n]\n")
  }
}

/// Reduces rows to the selected fields: an object whose keys are the fields' paths, in their order.
struct FieldObject {
  private var projection: FieldProjection
  /// The bytes before each value: `{"id":`, then `,"services.name":`.
  private let openings: [[UInt8]]

  init(_ fields: [FieldPath]) {
    projection = FieldProjection(fields)
    openings = fields.enumerated().map { index, field in
      Array((index == 0 ? "{" : ",").utf8) + JSONValue.string(field.text).bytes + [UInt8(ascii: ":")]
    }
  }

  mutating func append(_ row: UnsafeRawBufferPointer, to json: inout [UInt8]) throws(JSONError) {
    try projection.read(row)
    if openings.isEmpty { json.append("{") }
    for index in openings.indices {
      json.append(contentsOf: openings[index])
      try projection.appendJSON(index, of: row, to: &json)
    }
    json.append("}")
  }
}

/// Formats JSON for a terminal: indented by two spaces, with everything that a terminal would interpret as JSON
/// escapes.
struct TerminalJSON {
  /// Whether each member and element gets its own line.
  let isIndented: Bool
  /// Whether keys and values have colors.
  var isColored = false

  /// Appends one value whose first line is already indented to `level`.
  func append(_ json: UnsafeRawBufferPointer, level: Int = 0, to text: inout [UInt8]) throws(JSONError) {
    var scanner = JSONScanner(json)
    try append(&scanner, level: level, to: &text)
    guard scanner.next == nil else {
      throw JSONError(problem: "unexpected text after the value", offset: scanner.position)
    }
  }

  private func append(_ outer: inout JSONScanner, level: Int, to text: inout [UInt8]) throws(JSONError) {
    guard level < JSONValue.maximumDepth + 2 else {
      throw JSONError(problem: "nested too deeply", offset: outer.position)
    }
    switch outer.next {
    case UInt8(ascii: "{"):
      text.append("{")
      var isEmpty = true
      while let key = try outer.nextKey() {
        separate(isFirst: isEmpty, level: level + 1, to: &text)
        isEmpty = false
        append(.bold, to: &text) { appendQuoted(outer.slice(key), to: &$0) }
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
      append(.green, to: &text) { appendQuoted(CellText.inside(outer.slice(string)), to: &$0) }
    default:
      let word = outer.slice(try outer.skipValue())
      append(word.first == UInt8(ascii: "n") ? .dim : .yellow, to: &text) { $0.append(contentsOf: word) }
    }
  }

  private func append(_ tone: Tone, to text: inout [UInt8], _ value: (inout [UInt8]) -> Void) {
    if isColored { text.append(tone.start) }
    value(&text)
    if isColored { text.append(Tone.end) }
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
