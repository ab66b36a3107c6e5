import Testing

@testable import Properties

/// The reference rule for the JSON reader, checked against RFC 8259.
@Suite struct JSONRuleTests {
  @Test(arguments: [
    "1", " [ ] ", "[1,{\"a\":null}]", "-0.5e+7", "\"\\u00e9\\n\"", "{\"\":\"\"}", "\"\u{10ffff}\"", "true", "[[[]]]",
  ])
  func acceptsValidJSON(_ text: String) { #expect(JSONRule.accepts(Array(text.utf8), levels: 3)) }

  @Test(arguments: [
    "", " ", "01", "[1,]", "{,}", "{\"a\"}", "[1}", "+1", "1.", ".5", "1e", "\"\\x\"", "\"\\u12g4\"", "\"a", "nul",
    "1 2",
    "\"\n\"", "[[[[]]]]", "\u{feff}1",
  ])
  func rejectsInvalidJSON(_ text: String) { #expect(!JSONRule.accepts(Array(text.utf8), levels: 3)) }

  @Test(arguments: [[0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe9], [0x80]] as [[UInt8]])
  func rejectsInvalidUTF8(_ bytes: [UInt8]) { #expect(!JSONRule.accepts([0x22] + bytes + [0x22], levels: 1)) }
}
