import Text

extension ConnectButton {
  /// The button in three lines of text, and its footer in a fourth. Without colors, it has a frame.
  /// - Parameter columns: the width of the terminal.
  package func drawn(columns: Int, colors: TerminalColors) -> String {
    TerminalDrawing(button: self, columns: columns, colors: colors).text
  }
}

/// Draws a button with a terminal's characters.
private struct TerminalDrawing {
  /// The maximum width in columns: 329 points in characters of 8 points.
  static let widest = 41
  static let narrowest = 12
  private static let knobColumns = 5

  let button: ConnectButton
  let colors: TerminalColors
  private let palette: Palette
  private let columns: Int

  init(button: ConnectButton, columns: Int, colors: TerminalColors) {
    (self.button, self.colors) = (button, colors)
    palette = button.palette
    self.columns = max(min(columns, Self.widest), Self.narrowest)
  }

  var text: String {
    var lines = colors == .none ? framed : colored
    if button.hasFooter { lines.append(footer) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The number of columns between the ends of the pill.
  private var inner: Int { columns - 2 }
  private var filled: Int { Int((Double(columns) * (button.state.progress ?? 0)).rounded()) }

  private var framed: [String] {
    let heavy = max(min(filled - 1, inner), 0)
    let bottom = String(repeating: "━", count: heavy) + String(repeating: "─", count: inner - heavy)
    let inside = cells(around: { "(\($0))" }).joined()
    return ["╭" + String(repeating: "─", count: inner) + "╮", "│\(inside)│", "╰\(bottom)╯"]
  }

  private var colored: [String] {
    let middle = cells(around: { " \($0) " })
    return [
      line(" ▗" + String(repeating: "▄", count: inner - 2) + "▖ "),
      ground(middle),
      line(" ▝" + String(repeating: "▀", count: inner - 2) + "▘ "),
    ]
  }

  private func color(at column: Int) -> RGB {
    if button.state.isEmailEntry { return Palette.field }
    return column < filled ? palette.progress : palette.track
  }

  /// An edge of the pill: characters in its colors on the terminal's background.
  private func line(_ characters: String) -> String {
    var result = ""
    var last: RGB?
    for (column, character) in characters.enumerated() {
      let color = color(at: column)
      if color != last { result += "\u{1b}[\(colors.parameters(color, isBackground: false))m" }
      result.append(character)
      last = color
    }
    return result + "\u{1b}[0m"
  }

  /// The middle of the pill.
  private func ground(_ cells: [String]) -> String {
    var result = line("▐")
    var last = ""
    let knob = knobRange
    for (index, cell) in cells.enumerated() {
      let isKnob = knob?.contains(index) ?? false
      let ground = isKnob ? (button.state.isEmailEntry ? .gray(0x22) : palette.knob) : color(at: index + 1)
      let ink = isKnob ? Palette.ink(on: [ground]) : labelColor
      let foreground = colors.parameters(ink, isBackground: false)
      let background = colors.parameters(ground, isBackground: true)
      let style = "\u{1b}[1;\(foreground);\(background)m"
      if style != last { result += style }
      result += cell
      last = style
    }
    let end = "\u{1b}[0;\(colors.parameters(color(at: columns - 1), isBackground: false))m▌"
    return result + end + "\u{1b}[0m"
  }

  private var labelColor: RGB {
    guard button.state.isEmailEntry else { return palette.text }
    return button.email == nil ? Palette.placeholder : Palette.typed
  }

  private var knobRange: Range<Int>? {
    switch button.state.knob {
    case .left: 0..<Self.knobColumns
    case .right: inner - Self.knobColumns..<inner
    case nil: nil
    }
  }

  /// One string per column; empty if the previous character takes two.
  /// - Parameter around: wraps the knob's letter in the characters that show its edge.
  private func cells(around edge: (String) -> String) -> [String] {
    var cells = Array(repeating: " ", count: inner)
    var room = 1..<inner - 1
    if let knob = knobRange {
      let sign = button.state.isEmailEntry ? "→" : button.subject.initial
      put(edge(sign), into: &cells, between: knob, centered: true)
      if knob.lowerBound == 0 { room = knob.upperBound + 1..<inner - 1 }
      if knob.upperBound == inner { room = 1..<knob.lowerBound - 1 }
    }
    put(fitted(to: room.count), into: &cells, between: room, centered: !button.state.isEmailEntry)
    return cells
  }

  private func fitted(to room: Int) -> String {
    if button.state == .checkMark { return "✓" }
    return shortened(button.labelName, to: room) { button.label($0) }
  }

  /// The text with as much of the name as fits; if nothing fits, the text itself is shortened.
  private func shortened(_ name: ButtonText, to room: Int, _ sentence: (ButtonText) -> String) -> String {
    var name = name
    while TextWidth.of(sentence(name)) > room, !name.isEmpty { name = name.shortened }
    var text = plain(sentence(name))
    guard TextWidth.of(text) > room else { return text }
    while TextWidth.of(text) > room - 1, !text.isEmpty { text.removeLast() }
    return text + "…"
  }

  /// Only right-to-left text needs isolates, and not every terminal hides them.
  private func plain(_ text: String) -> String {
    guard !text.unicodeScalars.contains(where: { (0x590...0x8FF).contains($0.value) }) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value != 0x2068 && $0.value != 0x2069 }))
  }

  private func put(_ text: String, into cells: inout [String], between room: Range<Int>, centered: Bool) {
    let width = TextWidth.of(text)
    var column = room.lowerBound + (centered ? max((room.count - width) / 2, 0) : 0)
    // A character without width goes into the cell of the next character; at the end, into the last cell.
    var pending = ""
    for character in text {
      pending.append(character)
      let wide = TextWidth.of(character)
      guard wide > 0 else { continue }
      guard column + wide <= room.upperBound else { return }
      cells[column] = pending
      for covered in column + 1..<column + wide { cells[covered] = "" }
      column += wide
      pending = ""
    }
    if column > room.lowerBound { cells[column - 1] += pending }
  }

  private var footer: String {
    let text = shortened(button.email ?? ButtonText(""), to: columns) { button.footer($0.isEmpty ? nil : $0) }
    let start = String(repeating: " ", count: max((columns - TextWidth.of(text)) / 2, 0))
    guard colors != .none else { return start + text }
    if button.state.isError { return start + "\u{1b}[31m\(text)\u{1b}[0m" }
    return start
      + Runs.around("IFTTT", in: text).map { $0.standsOut ? "\u{1b}[1m\($0.text)\u{1b}[0m" : $0.text }.joined()
  }
}
