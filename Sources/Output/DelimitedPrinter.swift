import JSON

/// Prints rows as CSV (RFC 4180, except that lines end in a single line feed, as Unix programs write it) or as
/// tab-separated values.
///
/// Null is an empty cell. In CSV, an empty text is `""`, as in PostgreSQL. TSV escapes tabs, line endings and
/// backslashes with a backslash, so that a row is always one line.
struct DelimitedPrinter: RowPrinter {
  private let isCSV: Bool
  private let fields: [FieldPath]
  private let isTerminal: Bool
  private let isFollowed: Bool
  private var needsHeader: Bool
  private var projection: FieldProjection
  private var json: [UInt8] = []
  private var cell: [UInt8] = []

  init(_ fields: [FieldPath], _ presentation: Presentation) {
    isCSV = presentation.format == .csv
    self.fields = fields
    isTerminal = presentation.isTerminal
    isFollowed = presentation.isFollowed
    needsHeader = presentation.header
    projection = FieldProjection(fields)
  }

  mutating func print(_ row: UnsafeRawBufferPointer, to output: inout BufferedOutput) throws {
    try projection.read(row)
    printHeader(to: &output)
    let start = output.bytes.count
    do {
      for column in fields.indices {
        if column > 0 { output.bytes.append(isCSV ? "," : "\t") }
        try printCell(column, of: row, to: &output)
      }
    } catch {
      output.bytes.removeLast(output.bytes.count - start)
      throw error
    }
    output.bytes.append("\n")
    if isFollowed { try output.flush() } else { try output.endLine() }
  }

  mutating func finish(again rows: Rows, to output: inout BufferedOutput) throws {
    printHeader(to: &output)
  }

  private mutating func printHeader(to output: inout BufferedOutput) {
    guard needsHeader else { return }
    needsHeader = false
    for (column, field) in fields.enumerated() {
      if column > 0 { output.bytes.append(isCSV ? "," : "\t") }
      Array(field.text.utf8).withUnsafeBytes { name in append(name, to: &output.bytes) }
    }
    output.bytes.append("\n")
  }

  private mutating func printCell(
    _ column: Int, of row: UnsafeRawBufferPointer, to output: inout BufferedOutput
  ) throws {
    if let slice = projection.slice(column, of: row) {
      appendCell(slice, to: &output.bytes)
    } else {
      json.removeAll(keepingCapacity: true)
      try projection.appendJSON(column, of: row, to: &json)
      let json = json
      json.withUnsafeBytes { value in appendCell(value, to: &output.bytes) }
    }
  }

  private mutating func appendCell(_ value: UnsafeRawBufferPointer, to text: inout [UInt8]) {
    if value.isEmpty || value.first == UInt8(ascii: "n") {
      // A reader would not recognize an empty line as a row with one empty cell.
      if isCSV, fields.count == 1 { text.append("\"\"") }
      return
    }
    cell.removeAll(keepingCapacity: true)
    CellText.appendPlain(value, to: &cell)
    cell.withUnsafeBytes { bytes in
      guard isTerminal, !TerminalText.isPlain(bytes) else { return append(bytes, to: &text) }
      var shown: [UInt8] = []
      TerminalText.append(bytes, to: &shown)
      shown.withUnsafeBytes { append($0, to: &text) }
    }
  }

  private func append(_ cell: UnsafeRawBufferPointer, to text: inout [UInt8]) {
    if isCSV { appendCSV(cell, to: &text) } else { appendTSV(cell, to: &text) }
  }

  private func appendCSV(_ cell: UnsafeRawBufferPointer, to text: inout [UInt8]) {
    guard cell.isEmpty || cell.needsQuotes else { return text.append(contentsOf: cell) }
    text.append("\"")
    for byte in cell {
      if byte == UInt8(ascii: "\"") { text.append("\"") }
      text.append(byte)
    }
    text.append("\"")
  }

  private func appendTSV(_ cell: UnsafeRawBufferPointer, to text: inout [UInt8]) {
    for byte in cell {
      switch byte {
      case UInt8(ascii: "\t"): text.append(#"\t"#)
      case UInt8(ascii: "\n"): text.append(#"\n"#)
      case UInt8(ascii: "\r"): text.append(#"\r"#)
      case UInt8(ascii: "\\"): text.append(#"\\"#)
      default: text.append(byte)
      }
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether a cell of CSV must be quoted. So must two colons: GitHub Actions interprets a line that begins with them,
  /// and a quoted cell never begins a line so.
  fileprivate var needsQuotes: Bool {
    var isAfterColon = false
    for byte in self {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: "\n"), UInt8(ascii: "\r"): return true
      case UInt8(ascii: ":") where isAfterColon: return true
      default: isAfterColon = byte == UInt8(ascii: ":")
      }
    }
    return false
  }
}
