import JSON
import Text

/// One object laid out for reading: labeled values, and sections with further values.
package struct Card: Sendable {
  package indirect enum Item: Sendable {
    /// A labeled value. An empty one is omitted unless `keepsEmpty`, so that a card shows only what there is.
    case line(label: String, value: String, tone: Tone = .plain, keepsEmpty: Bool = false)
    /// Text without a label.
    case text(String, tone: Tone = .plain)
    case section(title: String, items: [Item])
  }
  /// The first line; nil for a card without a title.
  package var title: String?
  package var items: [Item]

  package init(title: String? = nil, items: [Item]) { (self.title, self.items) = (title, items) }
}

extension Card.Item {
  fileprivate var isShown: Bool {
    if case .line(_, let value, _, let keepsEmpty) = self { keepsEmpty || !value.isEmpty } else { true }
  }
}

/// Writes cards: labels aligned within their section, long texts wrapped and indented.
///
/// A line feed in a value begins a new line, which is indented below the value. Everything else that a terminal would
/// interpret is escaped. No text can therefore look like a line of its own, such as a name with a line "Status:
/// enabled".
struct CardLayout {
  let width: Int?
  let color: Bool
  let isTerminal: Bool

  /// The minimum width for values; a narrower terminal wraps the lines itself.
  private static let minimumWidth = 20
  /// The additional indent of the further lines of a title: deeper than the items below it.
  private static let hangingIndent = 4

  func append(_ card: Card, to bytes: inout [UInt8]) {
    if let title = card.title { appendText(title, tone: .bold, indent: 0, to: &bytes) }
    append(card.items, indent: 0, to: &bytes)
  }

  private func append(_ items: [Card.Item], indent: Int, to bytes: inout [UInt8]) {
    let items = items.filter(\.isShown)
    let labels = items.map { item in
      if case .line(let label, _, _, _) = item { shortened(label, indent: indent) } else { "" }
    }
    // The colon and two spaces follow the longest label.
    let column = indent + (labels.map(TextWidth.of).max() ?? 0) + 3
    for (label, item) in zip(labels, items) {
      switch item {
      case .text(let text, let tone): appendText(text, tone: tone, indent: indent, to: &bytes)
      case .section(let title, let items):
        appendText(title, tone: .bold, indent: indent, to: &bytes)
        append(items, indent: indent + 2, to: &bytes)
      case .line(_, let value, let tone, _):
        let label = label + ":"
        bytes.appendSpaces(indent)
        append(label, tone: .dim, to: &bytes)
        let lines = lines(of: value, room: column)
        for (lineIndex, line) in lines.enumerated() where !line.isEmpty || lineIndex < lines.count - 1 {
          if lineIndex > 0 { bytes.append("\n") }
          if line.isEmpty { continue }
          bytes.appendSpaces(lineIndex > 0 ? column : column - indent - TextWidth.of(label))
          append(line, tone: tone, to: &bytes)
        }
        bytes.append("\n")
      }
    }
  }

  private func appendText(_ text: String, tone: Tone, indent: Int, to bytes: inout [UInt8]) {
    let text = TerminalText.escaped(text)
    var lines = wrapped(text, room: indent)
    if lines.count > 1 { lines = wrapped(text, room: indent + Self.hangingIndent) }
    for (lineIndex, line) in lines.enumerated() {
      if !line.isEmpty {
        bytes.appendSpaces(lineIndex > 0 ? indent + Self.hangingIndent : indent)
        append(line, tone: tone, to: &bytes)
      }
      bytes.append("\n")
    }
  }

  private func append(_ text: String, tone: Tone, to bytes: inout [UInt8]) {
    let isColored = color && tone != .plain
    let isIsolated = isTerminal && text.unicodeScalars.contains(where: TerminalText.isRightToLeft)
    if isColored { bytes.append(tone.start) }
    bytes.append(isIsolated ? "\u{2068}\(text)\u{2069}" : text)
    if isColored { bytes.append(Tone.end) }
  }

  /// The value's lines, escaped and wrapped to the width that remains after `room` columns.
  private func lines(of value: String, room: Int) -> [String] {
    value.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.flatMap { line in
      wrapped(TerminalText.escaped(line), room: room)
    }
  }

  /// The label, escaped, and shortened if it would leave no room for values. The terminal would wrap the line, and the
  /// rest of the label would look like a line of its own.
  private func shortened(_ label: String, indent: Int) -> String {
    let label = TerminalText.escaped(label)
    guard let width else { return label }
    let room = max(Self.minimumWidth, width - indent - 3 - Self.minimumWidth)
    return TextWidth.of(label) <= room ? label : TextWidth.prefix(of: label[...], fitting: room - 1).text + "…"
  }

  private func wrapped(_ line: String, room: Int) -> [String] {
    TextWrap.lines(of: line, width: width.map { max($0 - room, Self.minimumWidth) })
  }
}

/// Prints each row as a card, with an empty line between cards.
struct CardPrinter: RowPrinter {
  private let layout: CardLayout
  private let card: (UnsafeRawBufferPointer) throws -> Card
  private var isEmpty = true

  /// - Parameter card: creates the card of a row. Its errors end the printing.
  init(_ presentation: Presentation, card: @escaping (UnsafeRawBufferPointer) throws -> Card) {
    layout = CardLayout(
      width: presentation.width, color: presentation.color, isTerminal: presentation.isTerminal)
    self.card = card
  }

  /// Creates a printer whose cards have a line for each selected field, or for each column of the table. Selected
  /// fields are shown even if they are empty.
  init(_ columns: [Column], _ presentation: Presentation) {
    let isSelection = presentation.fields != nil
    var reader = TableReader(columns, presentation)
    self.init(presentation) { row in
      var cells = TableCells()
      try reader.append(row, to: &cells)
      let items = columns.indices.map { column in
        let text = String(decoding: cells.text[cells.start(column)..<Int(cells.cells[column].end)], as: UTF8.self)
        let value = text.isEmpty ? columns[column].absence ?? "" : text
        return Card.Item.line(
          label: columns[column].title, value: value, tone: cells.cells[column].tone, keepsEmpty: isSelection)
      }
      return Card(items: items)
    }
  }

  mutating func print(_ row: UnsafeRawBufferPointer, to output: inout BufferedOutput) throws {
    let card = try card(row)
    if !isEmpty { output.bytes.append("\n") }
    isEmpty = false
    layout.append(card, to: &output.bytes)
    try output.endLine()
  }
}
