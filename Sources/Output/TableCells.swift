import JSON
import Text

/// Creates the cells of a table's columns from rows.
struct TableReader {
  private let columns: [Column]
  private var projection: FieldProjection
  /// Each column's notes, with their indices among the projection's paths.
  private let notes: [[(path: Int, text: String)]]
  /// The index of each column's qualifier among the projection's paths.
  private let qualifiers: [Int?]
  /// See ``Presentation/age``.
  private let age: (@Sendable (String) -> String?)?
  private var json: [UInt8] = []
  private var text: [UInt8] = []

  init(_ columns: [Column], _ presentation: Presentation) {
    (self.columns, age) = (columns, presentation.age)
    var paths = columns.map(\.path)
    notes = columns.map { column in
      column.notes.map { note in
        paths.append(note.path)
        return (paths.count - 1, note.text)
      }
    }
    qualifiers = columns.map { column in
      column.qualifier.map { qualifier in
        paths.append(qualifier.path)
        return paths.count - 1
      }
    }
    projection = FieldProjection(paths)
  }

  /// Appends one cell per column. If it throws, `cells` may contain part of the row.
  mutating func append(_ row: UnsafeRawBufferPointer, to cells: inout TableCells) throws {
    try projection.read(row)
    for column in columns.indices {
      let note = try notes[column].isEmpty ? "" : note(column, of: row)
      if let qualifier = qualifiers[column] {
        try readText(qualifier, of: row)
        let qualifying = String(decoding: text, as: UTF8.self)
        if !qualifying.isEmpty, qualifying != columns[column].qualifier?.usual {
          try readText(column, of: row)
          let text = Array("\(qualifying):".utf8) + text
          text.withUnsafeBytes { cells.append($0, tone: tone(column, $0), note: note) }
          continue
        }
      }
      if let slice = projection.slice(column, of: row), slice.first != UInt8(ascii: "["), !isEscaped(slice),
        columns[column].style != .foreign
      {
        let isText = slice.first == UInt8(ascii: "\"")
        let isMissing = slice.isEmpty || slice.first == UInt8(ascii: "n")
        let shown = isText ? CellText.inside(slice) : isMissing ? UnsafeRawBufferPointer(start: nil, count: 0) : slice
        if var shortened = shortened(shown, columns[column].style) {
          shortened.withUTF8 { cells.append(UnsafeRawBufferPointer($0), tone: .plain, note: note) }
        } else {
          cells.append(shown, tone: tone(column, shown), note: note)
        }
      } else {
        try readText(column, of: row)
        if columns[column].style == .foreign {
          text = Array(ConfusableText.revealed(String(decoding: text, as: UTF8.self)).utf8)
        }
        let text = text
        text.withUnsafeBytes { cells.append($0, tone: tone(column, $0), note: note) }
      }
    }
  }

  /// The part of a value that tables show in this style; nil for all of it.
  private func shortened(_ text: UnsafeRawBufferPointer, _ style: Column.Style) -> String? {
    switch style {
    case .measure: Self.rounded(text)
    case .past: age?(String(decoding: text, as: UTF8.self))
    case .timeOfDay:
      text.firstIndex(of: UInt8(ascii: "T")).map { String(decoding: text[($0 + 1)...], as: UTF8.self) }
    case .plain, .dim, .status, .number, .foreign: nil
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
    case .plain, .number, .measure, .timeOfDay, .past, .foreign: .plain
    case .dim: .dim
    case .status: Tone(status: String(decoding: shown, as: UTF8.self))
    }
  }
}

/// The cells of a table as text that is safe to show, in one contiguous buffer.
struct TableCells {
  struct Cell {
    /// The end of its text; it begins at the end of the previous cell.
    let end: UInt32
    let width: UInt32
    let tone: Tone
    let script: TerminalText.Script
  }

  private(set) var text: [UInt8] = []
  private(set) var cells: [Cell] = []

  init() {}

  /// The header of a table.
  init(titles columns: [Column]) {
    for column in columns { Array(column.title.utf8).withUnsafeBytes { append($0, tone: .bold) } }
  }

  /// The approximate size in bytes.
  var size: Int { text.count + cells.count * MemoryLayout<Cell>.stride }

  mutating func removeAll() {
    text.removeAll(keepingCapacity: true)
    cells.removeAll(keepingCapacity: true)
  }

  /// Removes the cells from `first` on.
  mutating func remove(from first: Int) {
    text.removeLast(text.count - start(first))
    cells.removeLast(cells.count - first)
  }

  /// Frees the memory.
  mutating func release() { (text, cells) = ([], []) }

  /// The start of a cell's text.
  func start(_ cell: Int) -> Int { cell == 0 ? 0 : Int(cells[cell - 1].end) }

  /// Appends the text of `value` without trailing spaces, then a note.
  mutating func append(_ value: UnsafeRawBufferPointer, tone: Tone, note: String = "") {
    let start = text.count
    let script = TerminalText.append(value, to: &text)
    while text.count > start, text.last == 0x20 { text.removeLast() }
    if !note.isEmpty { text.append(text.count > start ? " " + note : note) }
    let width =
      script == .plain && note.isEmpty
      ? text.count - start
      : text.withUnsafeBufferPointer { TextWidth.of(UnsafeBufferPointer(rebasing: $0[start...])) }
    cells.append(Cell(end: UInt32(text.count), width: UInt32(width), tone: tone, script: script))
  }
}

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

  /// Appends a value for people: as ``appendPlain(_:to:)``, but with the elements of arrays, including nested arrays,
  /// joined by commas.
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
