import Text
import Testing

@Suite struct CommandWrapTests {
  @Test func breaksLinesBetweenWords() {
    #expect(CommandWrap.lines(of: "one two three four", width: 9) == ["one two", "three", "four"])
    #expect(CommandWrap.lines(of: "one two three four", width: nil) == ["one two three four"])
    #expect(CommandWrap.lines(of: "", width: 9) == [""])
  }

  @Test func everyLineHasTheIndentOfTheText() {
    #expect(CommandWrap.lines(of: "  one two three", width: 9) == ["  one two", "  three"])
    #expect(CommandWrap.lines(of: "  one", width: 9) == ["  one"])
    // Units, as a hint has them, have no indent.
    #expect(CommandWrap.lines(of: "  a bc", units: ["a", "bc"], width: 4) == ["  a", "  bc"])
  }

  @Test func widthIsInColumns() {
    #expect(CommandWrap.lines(of: "日本語 日本語", width: 10) == ["日本語", "日本語"])
    #expect(CommandWrap.lines(of: "日本語 日本語", width: 13) == ["日本語 日本語"])
  }

  @Test func longWordIsNotBroken() {
    let path = "/a/rather/long/path/that/somebody/copies"
    #expect(CommandWrap.lines(of: "See \(path) first", width: 12) == ["See", path, "first"])
  }

  /// A command can be copied as one line.
  @Test(arguments: [
    ("Turn it on: 'ifttt connections enable Kd7Rn2Qx'.", "'ifttt connections enable Kd7Rn2Qx'."),
    ("Or run this: ifttt location on Kd7Rn2Qx Fq3Lw8Zt", "ifttt location on Kd7Rn2Qx Fq3Lw8Zt"),
  ]) func commandIsNotBroken(text: String, command: String) {
    #expect(CommandWrap.lines(of: text, width: 20).contains(command))
    #expect(CommandWrap.lines(of: text, width: 20).joined(separator: " ") == text)
  }
}
