/// Lines on a terminal that are drawn again over themselves.
///
/// The cursor waits in the line below them. Nothing is switched that would have to be switched back: what a drawing
/// turns off it turns on again itself, so that a program that is killed between two leaves the terminal as it was.
package struct Redraw {
  private var lines: [String] = []
  private var size: (columns: Int, rows: Int)?

  package init() {}

  /// What to write so that `lines` stand where those before them stood; nothing where they stand there already. Lines
  /// beyond the last but one row have no room and are left out; what is wider than the terminal is cut off by it.
  package mutating func drawing(of new: [String], columns: Int, rows: Int) -> String {
    let shown = Array(new.prefix(max(rows - 1, 1)))
    let isResized = size.map { $0 != (columns, rows) } ?? false
    guard shown != lines || isResized || size == nil else { return "" }
    // No terminal tells how it has moved the old lines into its new shape.
    let start = isResized ? "\u{1b}[H\u{1b}[2J" : lines.isEmpty ? "" : "\u{1b}[\(lines.count)A\r"
    (lines, size) = (shown, (columns, rows))
    // Emptied first: behind a line that fills the terminal the cursor stands on its last character.
    let text = shown.map { "\u{1b}[K" + $0 + "\n" }.joined()
    // Without cursor and without wrapping while it is drawn.
    return "\u{1b}[?25l\u{1b}[?7l" + start + text + "\u{1b}[J\u{1b}[?7h\u{1b}[?25h"
  }
}
