import Output
import Testing

/// The bytes that redraw lines in place.
@Suite struct RedrawTests {
  private static let start = "\u{1b}[?25l\u{1b}[?7l"
  private static let end = "\u{1b}[J\u{1b}[?7h\u{1b}[?25h"
  private static func line(_ text: String) -> String { "\u{1b}[K\(text)\n" }

  @Test func firstDrawingStartsAtCursor() {
    var redraw = Redraw()
    #expect(
      redraw.drawing(of: ["a", "b"], columns: 80, rows: 24)
        == Self.start + Self.line("a") + Self.line("b") + Self.end)
  }

  @Test func nextDrawingReplacesPrevious() {
    var redraw = Redraw()
    _ = redraw.drawing(of: ["a", "b"], columns: 80, rows: 24)
    #expect(redraw.drawing(of: ["a", "b"], columns: 80, rows: 24) == "", "nothing changed")
    #expect(
      redraw.drawing(of: ["c"], columns: 80, rows: 24) == Self.start + "\u{1b}[2A\r" + Self.line("c") + Self.end)
    #expect(redraw.drawing(of: ["d", "e"], columns: 80, rows: 24).contains("\u{1b}[1A\r"))
  }

  @Test func omitsLinesThatDoNotFit() {
    var redraw = Redraw()
    let drawing = redraw.drawing(of: (1...50).map(String.init), columns: 80, rows: 10)
    #expect(drawing.split(separator: "\n").count == 10)
    #expect(!drawing.contains("\u{1b}[K10\n"))
  }

  @Test func resizingClearsScreen() {
    var redraw = Redraw()
    _ = redraw.drawing(of: ["a"], columns: 80, rows: 24)
    #expect(redraw.drawing(of: ["a"], columns: 60, rows: 24).contains("\u{1b}[H\u{1b}[2J"))
    #expect(redraw.drawing(of: ["a"], columns: 60, rows: 24) == "")
  }
}
