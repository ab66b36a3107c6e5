import Plugins
import Testing

@Suite struct ErrorLinesTests {
  @Test func returnsCompleteLines() {
    var lines = ErrorLines()
    #expect(lines.receive(Array("one\ntw".utf8)) == ["one"])
    #expect(lines.receive(Array("o\n\nthr".utf8)) == ["two", ""])
    #expect(lines.end() == ["thr"])
    #expect(lines.end() == [])
  }

  @Test func splitsALineWithoutEnd() {
    var lines = ErrorLines()
    let taken = lines.receive([UInt8](repeating: UInt8(ascii: "x"), count: 10_000))
    #expect(taken.map(\.utf8.count) == [4096, 4096])
  }

  @Test func dropsOutputBeyondAMebibyteWithANote() {
    var lines = ErrorLines()
    let line = Array((String(repeating: "x", count: 1023) + "\n").utf8)
    var taken = 0
    for _ in 0..<1024 { taken += lines.receive(line).count }
    #expect(taken == 1024)
    #expect(lines.receive(line) == ["(It writes more than 1 MiB to stderr; the rest is omitted.)"])
    #expect(lines.receive(line) == [])
  }

  @Test(arguments: [
    ("plain\ttext", "plain\ttext"), ("\u{1b}[31mred\u{1b}[0m", "red"), ("\u{1b}]0;title\u{7}shown", "shown"),
    ("\u{1b}]8;;https://x\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"), ("a\u{8}\rb\u{0}", "ab"), ("\u{9b}2Jgone", "gone"),
    ("\u{1b}(Bset", "set"), ("\u{1b}", ""), ("\u{1b}[", ""), ("äö\u{85}ü", "äöü"), ("\u{1b}Pq#0\u{1b}\\x", "x"),
  ])
  func removesTerminalSequences(_ text: String, _ plain: String) {
    #expect(PlainText.withoutEscapes(text) == plain)
  }
}
