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
