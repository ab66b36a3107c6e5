import JSON

/// Creates the cells of a table's columns from rows.
struct TableReader {
  private let columns: [Column]
  private var projection: FieldProjection
  /// Each column's notes, with their indices among the projection's paths.
  private let notes: [[(path: Int, text: String)]]
  private var json: [UInt8] = []
  private var text: [UInt8] = []

  init(_ columns: [Column]) {
    self.columns = columns
    var paths = columns.map(\.path)
    notes = columns.map { column in
      column.notes.map { note in
        paths.append(note.path)
        return (paths.count - 1, note.text)
      }
    }
    projection = FieldProjection(paths)
  }

  /// Appends one cell per column. If it throws, `cells` may contain part of the row.
  mutating func append(_ row: UnsafeRawBufferPointer, to cells: inout TableCells) throws {
    try projection.read(row)
    for place in columns.indices {
      let note = try notes[place].isEmpty ? "" : note(place, of: row)
      if let slice = projection.slice(place, of: row), slice.first != UInt8(ascii: "["), !isEscaped(slice),
        columns[place].style != .foreign
      {
        let isText = slice.first == UInt8(ascii: "\"")
        let isMissing = slice.isEmpty || slice.first == UInt8(ascii: "n")
        let shown = isText ? CellText.inside(slice) : isMissing ? UnsafeRawBufferPointer(start: nil, count: 0) : slice
        if columns[place].style == .measure, var rounded = Self.rounded(shown) {
          rounded.withUTF8 { cells.append(UnsafeRawBufferPointer($0), tone: .plain, note: note) }
        } else {
          cells.append(shown, tone: tone(place, shown), note: note)
        }
      } else {
        try readText(place, of: row)
        if columns[place].style == .foreign {
          text = Array(ConfusableText.revealed(String(decoding: text, as: UTF8.self)).utf8)
        }
        let text = text
        text.withUnsafeBytes { cells.append($0, tone: tone(place, $0), note: note) }
      }
    }
  }

  /// A number with at most one decimal; nil if the text is not a number or would be rounded to zero.
  private static func rounded(_ text: UnsafeRawBufferPointer) -> String? {
    guard let value = Double(String(decoding: text, as: UTF8.self)), abs(value) < 1e12 else { return nil }
    let tenths = (value * 10).rounded()
    guard tenths != 0 || value == 0 else { return nil }
    let rounded = (tenths / 10).description
    return rounded.hasSuffix(".0") ? String(rounded.dropLast(2)) : rounded
  }

  private mutating func readText(_ path: Int, of row: UnsafeRawBufferPointer) throws {
    json.removeAll(keepingCapacity: true)
    text.removeAll(keepingCapacity: true)
    try projection.appendJSON(path, of: row, to: &json)
    let json = json
    try json.withUnsafeBytes { try CellText.appendJoined($0, to: &text) }
  }

  /// The notes whose fields are true, such as `(pending, stale)`.
  private mutating func note(_ column: Int, of row: UnsafeRawBufferPointer) throws -> String {
    var words: [String] = []
    for note in notes[column] {
      if let slice = projection.slice(note.path, of: row) {
        if slice.first == UInt8(ascii: "t") { words.append(note.text) }
      } else {
        try readText(note.path, of: row)
        if text == Array("true".utf8) { words.append(note.text) }
      }
    }
    return words.isEmpty ? "" : "(" + words.joined(separator: ", ") + ")"
  }

  private func isEscaped(_ slice: UnsafeRawBufferPointer) -> Bool {
    slice.first == UInt8(ascii: "\"") && slice.contains(UInt8(ascii: "\\"))
  }

  private func tone(_ column: Int, _ shown: UnsafeRawBufferPointer) -> Tone {
    switch columns[column].style {
    case .plain, .number, .measure, .foreign: .plain
    case .dim: .dim
    case .status: Tone(status: String(decoding: shown, as: UTF8.self))
    }
  }
}
