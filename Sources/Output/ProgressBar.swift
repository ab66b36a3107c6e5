import Text

/// The progress of a batch, as one line on stderr that is redrawn in place.
///
/// It has no clock and writes nothing: it receives the time since the start and returns the text to write.
package struct ProgressBar {
  package let title: String
  package let total: Int
  private var drawn: Duration?
  private var isShown = false
  private var isComplete = false

  /// The minimum time between drawings, so that the bar does not slow down a quick batch.
  package static let interval = Duration.milliseconds(100)

  package init(title: String, total: Int) { (self.title, self.total) = (title, max(total, 0)) }

  /// The text to write after `done` of the total, or nil if the last drawing is recent. The final state is always
  /// drawn.
  /// - Parameter width: in columns; evaluated only before drawing.
  package mutating func update(
    done: Int, failed: Int = 0, at elapsed: Duration, width: () -> Int
  ) -> String? {
    if let drawn, elapsed - drawn < Self.interval, done < total || isComplete { return nil }
    drawn = elapsed
    isComplete = done >= total
    isShown = true
    return "\r" + line(done: done, failed: failed, at: elapsed, width: width()) + "\u{1b}[K"
  }

  /// The text that clears the line; empty if nothing is shown.
  package mutating func clear() -> String {
    defer { isShown = false }
    return isShown ? "\r\u{1b}[K" : ""
  }

  /// The line within `width` columns: `Fetching  [=====>    ]  120/500  45/s  8s left`. Parts that do not fit are
  /// omitted.
  package func line(done: Int, failed: Int = 0, at elapsed: Duration, width: Int) -> String {
    let done = min(max(done, 0), total)
    let milliseconds = elapsed.components.seconds * 1000 + elapsed.components.attoseconds / 1_000_000_000_000_000
    var parts: [String] = failed > 0 ? ["\(failed) failed"] : []
    // A rate over less than half a second is not meaningful.
    if done > 0, milliseconds >= 500 {
      let rate = Self.scaled(Int64(done), by: 60_000, over: milliseconds)
      if rate > 0 { parts.append(rate >= 60 ? "\(rate / 60)/s" : "\(rate)/min") }
      if done < total {
        let left = Self.scaled(milliseconds, by: Int64(total - done), over: Int64(done))
        parts.append(Self.time(left / 1000 + (left % 1000 > 0 ? 1 : 0)) + " left")
      }
    }
    let room = max(width - 1, 0)
    let start = TerminalText.escaped(title) + "  "
    var text = "\(done)/\(total)"
    guard TextWidth.of(start) + text.count <= room else { return String(text.prefix(room)) }
    for part in parts where TextWidth.of(start) + text.count + 2 + part.count <= room { text += "  " + part }
    // The brackets and the two spaces after the bar take four columns.
    let bar = min(30, room - TextWidth.of(start) - text.count - 4)
    return start + (bar >= 5 ? Self.bar(done, total, bar) + "  " : "") + text
  }

  private static func bar(_ done: Int, _ total: Int, _ width: Int) -> String {
    let filled = total == 0 ? width : Int(scaled(Int64(done), by: Int64(width), over: Int64(total)))
    let head = filled < width ? ">" : ""
    return "[" + String(repeating: "=", count: filled) + head
      + String(repeating: " ", count: max(width - filled - 1, 0)) + "]"
  }

  /// `value * factor / divisor` of non-negative numbers, rounded down. The product may exceed 64 bits; a result that
  /// exceeds them becomes the largest number.
  private static func scaled(_ value: Int64, by factor: Int64, over divisor: Int64) -> Int64 {
    let product = value.magnitude.multipliedFullWidth(by: factor.magnitude)
    guard product.high < divisor.magnitude else { return .max }
    return Int64(clamping: divisor.magnitude.dividingFullWidth(product).quotient)
  }

  private static func time(_ seconds: Int64) -> String {
    switch seconds {
    case ..<60: "\(seconds)s"
    case ..<3600: "\(seconds / 60)m\(seconds % 60)s"
    default: "\(seconds / 3600)h\(seconds / 60 % 60)m"
    }
  }
}

/// Lines on a terminal that are redrawn in place.
///
/// The cursor stays in the line below them. Each drawing restores every mode it changes, so that a program that is
/// killed between two drawings leaves the terminal unchanged.
package struct Redraw {
  private var lines: [String] = []
  private var size: (columns: Int, rows: Int)?

  package init() {}

  /// The text that replaces the previous lines with `lines`; empty if nothing changed. Lines beyond the last row but
  /// one do not fit and are omitted. The terminal cuts off lines that are too wide.
  package mutating func drawing(of new: [String], columns: Int, rows: Int) -> String {
    let shown = Array(new.prefix(max(rows - 1, 1)))
    let isResized = size.map { $0 != (columns, rows) } ?? false
    guard shown != lines || isResized || size == nil else { return "" }
    // No terminal reports how it has rewrapped the old lines.
    let start = isResized ? "\u{1b}[H\u{1b}[2J" : lines.isEmpty ? "" : "\u{1b}[\(lines.count)A\r"
    (lines, size) = (shown, (columns, rows))
    // The line is cleared first: after a line that fills the terminal, the cursor is on its last character.
    let text = shown.map { "\u{1b}[K" + $0 + "\n" }.joined()
    // The cursor and line wrapping are disabled while drawing.
    return "\u{1b}[?25l\u{1b}[?7l" + start + text + "\u{1b}[J\u{1b}[?7h\u{1b}[?25h"
  }
}
