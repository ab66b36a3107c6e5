import Testing

@testable import Output

@Suite struct ValueTextTests {
  private func text(_ json: String, isTerminal: Bool = false, isIndented: Bool = true, isColored: Bool = false)
    -> String
  {
    let value = ValueText(isTerminal: isTerminal, isIndented: isIndented, isColored: isColored)
    return String(decoding: Array(json.utf8).withUnsafeBytes(value.text), as: UTF8.self)
  }

  @Test func stringsHaveNoQuotesAndOtherValuesAreJSON() {
    #expect(text(#""a\n\"b\"\u00e9""#) == "a\n\"b\"é\n")
    #expect(text(#"{"a":[1,null]}"#) == #"{"a":[1,null]}"# + "\n")
    #expect(text("12.50") == "12.50\n" && text("null") == "null\n" && text(#""""#) == "\n")
  }

  @Test func aTerminalGetsIndentedJSONAndNoControlCharacters() {
    #expect(text(#"{"a":[1]}"#, isTerminal: true) == "{\n  \"a\": [\n    1\n  ]\n}\n")
    #expect(text(#"{"a":[1]}"#, isTerminal: true, isIndented: false) == "{\"a\":[1]}\n")
    #expect(text(#""a\u001b[31mb\nc""#, isTerminal: true) == "a\\u001b[31mb\nc\n")
    #expect(text("{\"a\":\"\u{202e}\"}", isTerminal: true, isIndented: false) == #"{"a":"\u202e"}"# + "\n")
  }

  @Test func colorsBelongToJSONOnly() {
    let colored = text(#"{"a":["s",1,null]}"#, isColored: true)
    #expect(
      colored
        == "{\u{1b}[1m\"a\"\u{1b}[0m:[\u{1b}[32m\"s\"\u{1b}[0m,\u{1b}[33m1\u{1b}[0m,\u{1b}[2mnull\u{1b}[0m]}\n")
    #expect(text(#""s""#, isColored: true) == "s\n")
  }

  /// Whatever a program of the name `jq` prints is text.
  @Test(arguments: ["\"", "\"a", "{", "jq: error \u{1b}[31m", "", "\\"]) func otherTextIsPrintedSafely(json: String) {
    for isTerminal in [false, true] {
      let text = text(json, isTerminal: isTerminal)
      #expect(text.hasSuffix("\n"))
      if isTerminal { #expect(!text.contains("\u{1b}")) }
    }
  }
}
