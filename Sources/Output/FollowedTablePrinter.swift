import Text

/// Prints rows as an aligned table, each as soon as it arrives. The widths of all columns but the last must be known.
struct FollowedTablePrinter: RowPrinter {
  private let columns: [Column]
  private let line: TableLine
  private var hasHeader: Bool
  private var reader: TableReader
  private var cells = TableCells()

  init(_ columns: [Column], _ presentation: Presentation) {
    self.columns = columns
    hasHeader = presentation.header
    reader = TableReader(columns)
    let widths = columns.map { column in
      // The last column has the rest of the line.
      max(column.width ?? presentation.width ?? 0, presentation.header ? TextWidth.of(column.title) : 0)
    }
    line = TableLine(
      columns, presentation,
      widths: TableLayout.widths(natural: widths, overflow: columns.map(\.overflow), fitting: presentation.width))
  }

  /// Whether a table of these columns can be printed row by row.
  static func canPrint(_ columns: [Column]) -> Bool { columns.dropLast().allSatisfy { $0.width != nil } }

  mutating func print(_ row: UnsafeRawBufferPointer, to output: inout BufferedOutput) throws {
    cells.removeAll()
    try reader.append(row, to: &cells)
    if hasHeader {
      try line.print(TableCells(titles: columns), from: 0, to: &output)
      hasHeader = false
    }
    try line.print(cells, from: 0, to: &output)
    try output.flush()
  }

  mutating func finish(again rows: Rows?, to output: inout BufferedOutput) {}
}
