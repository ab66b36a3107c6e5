import Text

/// Prints rows as an aligned table, which must read all of them before writing the first line.
///
/// The cells are buffered for that. If the rows can be iterated again and exceed ``memoryLimit`` bytes, only the widths
/// are stored and the rows are read a second time.
struct TablePrinter: RowPrinter {
  /// The maximum number of buffered bytes if the rows can be iterated again.
  static let memoryLimit = 8 << 20

  private let columns: [Column]
  private let presentation: Presentation
  private let isReiterable: Bool
  private var reader: TableReader
  private var cells = TableCells()
  private var count = 0
  private var isMeasuring = false
  private var widths: [Int]

  init(_ columns: [Column], _ presentation: Presentation, isReiterable: Bool) {
    (self.columns, self.presentation, self.isReiterable) = (columns, presentation, isReiterable)
    reader = TableReader(columns, presentation)
    widths = columns.map { presentation.header ? TextWidth.of(TerminalText.escaped($0.title)) : 0 }
  }

  mutating func print(_ row: UnsafeRawBufferPointer, to output: inout BufferedOutput) throws {
    if isMeasuring { cells.removeAll() }
    let first = cells.cells.count
    do { try reader.append(row, to: &cells) } catch {
      cells.remove(from: first)
      throw error
    }
    for column in columns.indices { widths[column] = max(widths[column], Int(cells.cells[first + column].width)) }
    count += 1
    if isReiterable, !isMeasuring, cells.size > Self.memoryLimit {
      isMeasuring = true
      cells.release()
    }
  }

  mutating func finish(again rows: Rows, to output: inout BufferedOutput) throws {
    guard count > 0 else { return }
    let line = TableLine(
      columns, presentation,
      widths: TableLayout.widths(
        natural: widths, overflow: columns.map(\.overflow), fitting: presentation.width))
    if presentation.header { try line.print(TableCells(titles: columns), from: 0, to: &output) }
    guard isMeasuring else {
      for row in 0..<count { try line.print(cells, from: row * columns.count, to: &output) }
      return
    }
    try rows.forEach { row in
      cells.removeAll()
      try reader.append(row, to: &cells)
      try line.print(cells, from: 0, to: &output)
    }
  }
}

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
    reader = TableReader(columns, presentation)
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

}

/// Writes one line of a table: cells padded or shortened to their columns, two spaces between them, none at the end.
struct TableLine {
  private let widths: [Int]
  private let isNumber: [Bool]
  private let overflow: [Column.Overflow]
  private let isLimited: Bool
  private let color: Bool
  private let isTerminal: Bool

  init(_ columns: [Column], _ presentation: Presentation, widths: [Int]) {
    self.widths = widths
    isNumber = columns.map { $0.style.isNumber }
    overflow = columns.map(\.overflow)
    isLimited = presentation.width != nil
    (color, isTerminal) = (presentation.color, presentation.isTerminal)
  }

  /// Writes the cells that begin at `first`.
  func print(_ cells: TableCells, from first: Int, to output: inout BufferedOutput) throws {
    var pending = 0
    var start = cells.start(first)
    for column in widths.indices {
      let cell = cells.cells[first + column]
      let range = start..<Int(cell.end)
      start = Int(cell.end)
      let isShortened = isLimited && Int(cell.width) > widths[column]
      let room = isShortened ? 0 : max(widths[column] - Int(cell.width), 0)
      if !range.isEmpty {
        output.bytes.appendSpaces(pending + (isNumber[column] ? room : 0))
        let shortened = isShortened ? (width: widths[column], overflow: overflow[column]) : nil
        pending = print(cells, range, cell, shortened, to: &output.bytes)
        pending += (isNumber[column] ? 0 : room) + TableLayout.gap
      } else {
        pending += widths[column] + TableLayout.gap
      }
    }
    output.bytes.append("\n")
    try output.endLine()
  }

  /// Writes one cell. Returns the number of columns that a shortened cell leaves free because a wide character did
  /// not fit.
  private func print(
    _ cells: TableCells, _ range: Range<Int>, _ cell: TableCells.Cell,
    _ shortened: (width: Int, overflow: Column.Overflow)?, to bytes: inout [UInt8]
  ) -> Int {
    let isColored = color && cell.tone != .plain
    // Isolating right-to-left text keeps it from reordering its neighbors (UAX #9). In a pipe, the text stays
    // unchanged.
    let isIsolated = isTerminal && cell.script == .mixed
    if isColored { bytes.append(cell.tone.start) }
    if isIsolated { bytes.append("\u{2068}") }
    var free = 0
    if let shortened {
      let text = String(decoding: cells.text[range], as: UTF8.self)
      let room = shortened.width - 1
      let end = if case .elide = shortened.overflow { room / 2 } else { 0 }
      let prefix = TextWidth.prefix(of: text[...], fitting: room - end)
      let suffix = TextWidth.suffix(of: text[...], fitting: end)
      bytes.append(contentsOf: prefix.text.utf8)
      bytes.append("…")
      bytes.append(contentsOf: suffix.text.utf8)
      free = room - prefix.width - suffix.width
    } else {
      cells.text.withUnsafeBytes { bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: $0[range])) }
    }
    if isIsolated { bytes.append("\u{2069}") }
    if isColored { bytes.append(Tone.end) }
    return free
  }
}

/// Distributes a terminal's width among columns.
enum TableLayout {
  static let gap = 2
  /// The minimum width of a shortened column: three letters and the ellipsis.
  static let minimumWidth = 4

  /// The columns' widths: `natural` if they fit or there is no limit. Otherwise the widest columns that may be
  /// shortened are reduced to one width. If that is not enough, the columns that should stay complete are shortened
  /// too, and only if even the minimum does not fit, lines exceed the terminal's width.
  static func widths(natural: [Int], overflow: [Column.Overflow], fitting limit: Int?) -> [Int] {
    guard let limit else { return natural }
    var widths = natural
    let minimumWidths = zip(natural, overflow).map { width, overflow in
      switch overflow {
      case .truncate: minimumWidth
      case .elide(let least): max(least, Self.minimumWidth)
      case .keep: width
      }
    }
    shrink(&widths, to: limit, minimumWidths)
    shrink(&widths, to: limit, natural.map { min($0, minimumWidth) })
    return widths
  }

  private static func shrink(_ widths: inout [Int], to limit: Int, _ minimumWidths: [Int]) {
    var excess = widths.reduce(gap * (widths.count - 1), +) - limit
    while excess > 0 {
      let shrinkable = widths.indices.filter { widths[$0] > minimumWidths[$0] }
      guard let widest = shrinkable.map({ widths[$0] }).max() else { break }
      let all = shrinkable.filter { widths[$0] == widest }
      // Shrink the widest columns to the next width or their minimum width, but not further than needed.
      let next =
        (shrinkable.map { widths[$0] }.filter { $0 < widest } + all.map { minimumWidths[$0] }).max() ?? minimumWidth
      let step = min(widest - next, (excess + all.count - 1) / all.count)
      for column in all {
        let cut = min(step, excess)
        widths[column] -= cut
        excess -= cut
      }
    }
  }
}
