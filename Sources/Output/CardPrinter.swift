import JSON

/// Prints each row as a card, with an empty line between cards.
struct CardPrinter: RowPrinter {
  private let layout: CardLayout
  private let card: (JSONValue) -> Card
  private var isEmpty = true

  init(_ presentation: Presentation, card: @escaping (JSONValue) -> Card) {
    layout = CardLayout(
      width: presentation.width, color: presentation.color, isTerminal: presentation.isTerminal)
    self.card = card
  }

  mutating func print(_ row: UnsafeRawBufferPointer, to output: inout BufferedOutput) throws {
    let value = try JSONValue(parsing: Array(row))
    if !isEmpty { output.bytes.append("\n") }
    isEmpty = false
    layout.append(card(value), to: &output.bytes)
    try output.endLine()
  }

  mutating func finish(again rows: Rows?, to output: inout BufferedOutput) throws {}
}

/// Prints the selected fields or the table's columns of each row as a card with one line each.
struct FieldCardPrinter: RowPrinter {
  private let columns: [Column]
  private let layout: CardLayout
  private var reader: TableReader
  private var isEmpty = true

  init(_ columns: [Column], _ presentation: Presentation) {
    self.columns = columns
    reader = TableReader(columns)
    layout = CardLayout(
      width: presentation.width, color: presentation.color, isTerminal: presentation.isTerminal)
  }

  mutating func print(_ row: UnsafeRawBufferPointer, to output: inout BufferedOutput) throws {
    var cells = TableCells()
    try reader.append(row, to: &cells)
    if !isEmpty { output.bytes.append("\n") }
    isEmpty = false
    let items = columns.indices.map { place in
      let text = String(decoding: cells.text[cells.start(place)..<Int(cells.cells[place].end)], as: UTF8.self)
      return Card.Item.line(label: columns[place].title, value: text, tone: cells.cells[place].tone)
    }
    layout.append(Card(items: items), to: &output.bytes)
    try output.endLine()
  }

  mutating func finish(again rows: Rows?, to output: inout BufferedOutput) throws {}
}
