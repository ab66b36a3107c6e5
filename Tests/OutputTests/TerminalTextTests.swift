import Output
import Support
import Testing

@Suite struct TerminalTextTests {
  @Test(
    arguments: [
      ("plain ~ text", "plain ~ text"), ("\u{1b}[31mred", #"\u{1b}[31mred"#), ("a\nb\tc\rd\r\n", #"a\nb\tc\rd\r\n"#),
      ("\0\u{7f}\u{9b}", #"\u{0}\u{7f}\u{9b}"#), ("pay\u{202e}lap\u{202c}", #"pay\u{202e}lap\u{202c}"#),
      ("\u{200e}\u{200f}\u{61c}\u{2066}\u{2069}", #"\u{200e}\u{200f}\u{61c}\u{2066}\u{2069}"#),
      ("a\u{2028}b\u{2029}", #"a\u{2028}b\u{2029}"#), ("\u{feff}x\u{fffb}", #"\u{feff}x\u{fffb}"#),
      ("x\u{e0041}\u{e007f}", #"x\u{e0041}\u{e007f}"#), ("🏴󠁧󠁢󠁳󠁣󠁴󠁿 é 日本", "🏴󠁧󠁢󠁳󠁣󠁴󠁿 é 日本"), ("👩‍🚀\u{200b}", "👩‍🚀\u{200b}"),
    ])
  func escapesTerminalHazards(text: String, expected: String) {
    #expect(TerminalText.escaped(text) == expected)
  }

  @Test func outputHasNoHazards() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<500 {
      let text = generator.text()
      #expect(
        TerminalText.escaped(text).unicodeScalars.allSatisfy { !TerminalText.isHazard($0) }, "\(text.debugDescription)")
    }
    for value in 0...(0x2_0000 as UInt32) {
      guard let scalar = Unicode.Scalar(value), TerminalText.isHazard(scalar) else { continue }
      #expect(TerminalText.escaped(String(scalar)).utf8.allSatisfy { 0x20...0x7e ~= $0 })
    }
  }
}
