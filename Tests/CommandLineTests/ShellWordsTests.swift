import CommandLine
import Support
import Testing

@Suite struct ShellWordsTests {
  @Test(arguments: [
    ("", []), ("  \t\n ", []), ("a b", ["a", "b"]), (" a   b ", ["a", "b"]), ("'a b' c", ["a b", "c"]),
    ("\"a b\"c", ["a bc"]), ("''", [""]), ("\"\" ''x", ["", "x"]), (#"a\ b"#, ["a b"]), (#"\'"#, ["'"]),
    (#""\"\\\$\`\a""#, [#""\$`\a"#]), (#"'\a'"#, [#"\a"#]), ("--x='1 2'", ["--x=1 2"]), ("é 日本", ["é", "日本"]),
    ("'it'\\''s'", ["it's"]),
  ])
  func splitsLikeAShell(_ line: String, _ words: [String]) { #expect(ShellWords.split(line)?.map(\.text) == words) }

  @Test(arguments: ["'", "\"", "a 'b", #"\"#, #"a "b\"#, #""a\""#]) func rejectsUnterminatedQuotes(_ line: String) {
    #expect(ShellWords.split(line) == nil)
  }
}
