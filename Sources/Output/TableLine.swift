import Text

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
    for place in widths.indices {
      let cell = cells.cells[first + place]
      let range = start..<Int(cell.end)
      start = Int(cell.end)
      let isShortened = isLimited && Int(cell.width) > widths[place]
      let room = isShortened ? 0 : max(widths[place] - Int(cell.width), 0)
      if !range.isEmpty {
        output.bytes.appendSpaces(pending + (isNumber[place] ? room : 0))
        let shortened = isShortened ? (width: widths[place], overflow: overflow[place]) : nil
        pending = print(cells, range, cell, shortened, to: &output.bytes)
        pending += (isNumber[place] ? 0 : room) + TableLayout.gap
      } else {
        pending += widths[place] + TableLayout.gap
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
