import Text

/// Prints rows as an aligned table, which must read all of them before writing the first line.
///
/// The cells are buffered for that. If the rows can be iterated again and exceed ``memory`` bytes, only the widths
/// are stored and the rows are read a second time.
struct TablePrinter: RowPrinter {
  /// The maximum number of buffered bytes if the rows can be iterated again.
  static let memory = 8 << 20

  private let columns: [Column]
  private let presentation: Presentation
  private let isReiterable: Bool
  private var reader: TableReader
  private var kept = TableCells()
  private var count = 0
  private var isMeasuring = false
  private var widths: [Int]

  init(_ columns: [Column], _ presentation: Presentation, isReiterable: Bool) {
    (self.columns, self.presentation, self.isReiterable) = (columns, presentation, isReiterable)
    reader = TableReader(columns)
    widths = columns.map { presentation.header ? TextWidth.of(TerminalText.escaped($0.title)) : 0 }
  }

  mutating func print(_ row: UnsafeRawBufferPointer, to output: inout BufferedOutput) throws {
    if isMeasuring { kept.removeAll() }
    let first = kept.cells.count
    do { try reader.append(row, to: &kept) } catch {
      kept.remove(from: first)
      throw error
    }
    for place in columns.indices { widths[place] = max(widths[place], Int(kept.cells[first + place].width)) }
    count += 1
    if isReiterable, !isMeasuring, kept.size > Self.memory {
      isMeasuring = true
      kept.release()
    }
  }

  mutating func finish(again rows: Rows?, to output: inout BufferedOutput) throws {
    guard count > 0 else { return }
    let line = TableLine(
      columns, presentation,
      widths: TableLayout.widths(
        natural: widths, overflow: columns.map(\.overflow), fitting: presentation.width))
    if presentation.header { try line.print(TableCells(titles: columns), from: 0, to: &output) }
    guard isMeasuring, let rows else {
      for row in 0..<count { try line.print(kept, from: row * columns.count, to: &output) }
      return
    }
    try rows.forEach { row in
      kept.removeAll()
      try reader.append(row, to: &kept)
      try line.print(kept, from: 0, to: &output)
    }
  }
}
