import JSON

/// The cells of a table as text that is safe to show, in one stretch of memory.
struct TableCells {
  struct Cell {
    /// Where its text ends; it begins where the cell before ends.
    let end: UInt32
    let width: UInt32
    let tone: Tone
    let script: TerminalText.Script
  }

  private(set) var text: [UInt8] = []
  private(set) var cells: [Cell] = []

  /// About how many bytes it holds.
  var size: Int { text.count + cells.count * MemoryLayout<Cell>.stride }

  mutating func removeAll() {
    text.removeAll(keepingCapacity: true)
    cells.removeAll(keepingCapacity: true)
  }

  /// Takes back the cells from `first` on.
  mutating func remove(from first: Int) {
    text.removeLast(text.count - start(first))
    cells.removeLast(cells.count - first)
  }

  /// Gives the memory back.
  mutating func release() { (text, cells) = ([], []) }

  /// Where a cell's text begins.
  func start(_ place: Int) -> Int { place == 0 ? 0 : Int(cells[place - 1].end) }

  /// Adds what `value` shows, without spaces at its end, then a note.
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
