import Testing

@testable import World

@Suite struct LineEditorTests {
  private func typed(_ text: String) -> (lines: String, echo: String, hasEnded: Bool) {
    var typed = LineEditor()
    let echo = typed.receive(Array(text.utf8))
    return (
      String(decoding: typed.takeLines(), as: UTF8.self), String(decoding: echo, as: UTF8.self), typed.hasEnded
    )
  }

  @Test func returnsOnlyCompleteLines() {
    var typed = LineEditor()
    #expect(typed.receive(Array("http://127.0.0.1".utf8)) == Array("http://127.0.0.1".utf8))
    #expect(typed.takeLines() == [])
    _ = typed.receive(Array("/back\rmore".utf8))
    #expect(typed.takeLines() == Array("http://127.0.0.1/back\n".utf8))
    #expect(typed.takeLines() == [])
  }

  @Test func linesHaveNoLengthLimit() {
    let long = String(repeating: "x", count: 100_000)
    #expect(typed(long + "\n").lines == long + "\n")
  }

  @Test func editsLikeATerminal() {
    #expect(typed("ab\u{7f}c\n") == ("ac\n", "ab\u{8} \u{8}c\n", false))
    #expect(typed("aé\u{8}\n").lines == "a\n", "erases a whole character")
    #expect(typed("\u{7f}a\n").echo == "a\n", "nothing to erase")
    #expect(typed("wrong\u{15}right\n").lines == "right\n")
    #expect(typed("a\u{1b}[31m\u{7}b\n").lines == "a[31mb\n", "control characters are not echoed")
  }

  @Test func ctrlDEndsTheInput() {
    #expect(typed("\u{4}") == ("", "", true))
    #expect(typed("a\u{4}") == ("a", "a", false), "within a line, it completes the line")
  }
}
