import Testing

@testable import Text

@Suite struct TextSearchTests {
  @Test(arguments: [
    ("https://a", "://", true), ("a:/b", "://", false), ("aab", "ab", true), ("ab", "aab", false), ("", "a", false),
    ("日本語", "本", true), ("ab", "ab", true),
  ])
  func findsAPartAnywhere(text: String, part: String, isFound: Bool) { #expect(text.includes(part) == isFound) }

  @Test(arguments: [
    ("a@N@b@N@", "@N@", "x", "axbx"), ("@N@", "@N@", "@N@@N@", "@N@@N@"), ("aaa", "aa", "b", "ba"), ("", "a", "b", ""),
    ("日本", "本", "", "日"), ("a@N", "@N@", "x", "a@N"),
  ])
  func replacesEveryOccurrence(text: String, part: String, replacement: String, expected: String) {
    #expect(text.replacing(part, by: replacement) == expected)
  }

  /// The program compares its own text, so a letter and its accented form in two scalars differ.
  @Test func comparesBytes() { #expect(!"caf\u{e9}".includes("e\u{301}")) }

  @Test func findsTheFirstOccurrence() throws {
    let text = "é{{{name}} {{other}}"
    let range = try #require(text.firstRange(ofText: "{{"))
    #expect(text[range.upperBound...] == "{name}} {{other}}")
    #expect(text.firstRange(ofText: "[") == nil)
    let rest = text.dropFirst(5)
    #expect(rest.firstRange(ofText: "{{").map { rest[..<$0.lowerBound] } == "ame}} ")
  }

  @Test(arguments: [
    ("aaa", "aa", "b", "ba"), ("a{x}b{x}", "{x}", "", "ab"), ("", "a", "b", ""), ("日本", "本", "本本", "日本本"),
    ("caf\u{e9}", "e", "i", "caf\u{e9}"),
  ])
  func replacesEachOccurrence(text: String, old: String, new: String, result: String) {
    #expect(text.replacing(old, by: new) == result)
  }
}
