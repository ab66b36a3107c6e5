import CommandLine
import Support
import Testing

/// Candidates from bytes, most of which are printed unchanged.
@Suite struct CompletionLinesTests {
  private func lines(_ value: [UInt8], _ description: [UInt8]) -> String {
    var lines = CompletionLines()
    value.withUnsafeBytes { value in description.withUnsafeBytes { lines.add(value, $0) } }
    return String(decoding: lines.bytes, as: UTF8.self)
  }

  /// Texts of all lengths in which spaces, tabs and control characters are frequent.
  @Test func aDescriptionIsOneLineOfPrintableText() {
    var generator = SeededGenerator(seed: 7)
    let alphabet = Array("abcdefghijk ~ \t\u{7f}".utf8)
    for _ in 0..<20_000 {
      let length = Int.random(in: 0..<40, using: &generator)
      let choices = Bool.random(using: &generator) ? alphabet[...] : alphabet[..<14]
      let text = (0..<length).map { _ in choices.randomElement(using: &generator) ?? 0 }
      let words = text.split { $0 == 0x20 || $0 == 0x09 }
        .map { String(decoding: $0, as: UTF8.self).replacing("\u{7f}", with: "\\u{7f}") }
      let expected = words.isEmpty ? "value\n" : "value\t\(words.joined(separator: " "))\n"
      #expect(lines(Array("value".utf8), text) == expected, "\(text)")
    }
  }

  @Test func aValueThatCannotBeTypedOnOneLineIsLeftOut() {
    #expect(lines(Array("a\u{1b}[31m".utf8), Array("red".utf8)) == "")
    #expect(lines([], Array("nothing".utf8)) == "")
    #expect(lines(Array(" two  words ".utf8), []) == " two  words \n")
    #expect(lines(Array("été".utf8), Array("é  è".utf8)) == "été\té è\n")
  }
}
