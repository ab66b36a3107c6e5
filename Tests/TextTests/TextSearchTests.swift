import Testing

@testable import Text

@Suite struct TextSearchTests {
  @Test(arguments: [
    ("https://a", "://", true), ("a:/b", "://", false), ("aab", "ab", true), ("ab", "aab", false), ("", "a", false),
    ("日本語", "本", true), ("ab", "ab", true),
  ])
  func findsAPartAnywhere(text: String, part: String, isFound: Bool) { #expect(text.includes(part) == isFound) }

  /// The program compares its own text, so a letter and its accented form in two scalars differ.
  @Test func comparesBytes() { #expect(!"caf\u{e9}".includes("e\u{301}")) }
}
