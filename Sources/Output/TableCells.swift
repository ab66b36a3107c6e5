import JSON
import Text

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
  func start(_ place: Int) -> Int { place == 0 ? 0 : Int(cells[place - 1].end) }

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
