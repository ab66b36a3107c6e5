import Support
import Testing

@testable import Text

/// Words that a shell expands to the original text.
@Suite struct ShellWordTests {
  static let hostile = [
    "plain", "a b", " ", "", "it's", "'", "''", "\"", "$(touch made)", "`touch made`", "a;touch made", "a|b&c>made",
    "*",
    "~", "!!", "a\\b", "a\\\\b", "ends\\", "\\'", "$HOME", "${x}", "-rf", "--", "=ls", "a=b", "{a,b}", "#x", "[a]",
    "(a)",
    "\\0101", "100%", "%s%n", "é", "日本", "e\u{301}", "a\nb", "\na", "a\rb", "tab\there", "\u{1b}[31mred\u{7}", "\u{7f}",
    "\u{85}", "\u{202e}txt.exe", "zero\u{200b}width", "\u{feff}mark", "no\u{a0}break", "soft\u{ad}hyphen",
    "\u{e0041}tag",
    "a\u{1b}1", "it's\u{1b}$(touch made)!`x`\"%d\\", "-\u{1b}n", "##[group]x", "\u{2028}",
  ]

  @Test(arguments: ["sh", "dash", "bash", "zsh", "ksh", "fish"]) func shellsExpandToTheWord(shell: String) throws {
    guard let tool = Tool(shell) else { return }
    // fish expands command substitutions in quotes since 3.4.
    let words = Self.hostile.filter { shell != "fish" || ShellWord.pastable($0)?.contains("$(printf") == false }
    let folder = try ScratchFolder()
    let line = try words.map { try #require(ShellWord.pastable($0)) }.joined(separator: " ")
    let outcome = try tool.run(["-c", "printf '%s\\0' \(line)"], in: folder)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    let read = outcome.output.split(separator: "\0", omittingEmptySubsequences: false).dropLast().map(String.init)
    #expect(read.map { Array($0.utf8) } == words.map { Array($0.utf8) })
    #expect(Tool(path: "\(folder.path)/made") == nil)
  }

  /// A terminal, a log or a person who copies the text by hand gets only visible characters.
  @Test(arguments: hostile) func everythingIsVisible(word: String) throws {
    let shown = try #require(ShellWord.pastable(word))
    for scalar in shown.unicodeScalars {
      #expect(0x20...0x7e ~= scalar.value || scalar.properties.isAlphabetic || scalar.value == 0x301)
    }
    #expect(!shown.contains("##["))
  }

  @Test func plainWordsAreNotQuoted() {
    for word in ["Kd7Rn2Qx", "grab:a-1", "/home/ann/a.db", "http://127.0.0.1:8976/x", "ann@mail.test", "a=b", "100%"] {
      #expect(ShellWord.pastable(word) == word)
    }
    #expect(ShellWord.pastable("a b") == "'a b'")
    #expect(ShellWord.pastable("it's") == #"'it'\''s'"#)
  }

  @Test(arguments: ["a\0b", "line end\u{1b}\n", "end\n", String(repeating: "x", count: 1001)])
  func rejectsWordsThatCannotBePasted(word: String) {
    #expect(ShellWord.pastable(word) == nil)
  }
}
