import ProgramDriver
import Support
import Testing

/// `script/lint --words` finds rejected words in the text of sources and pages, but not in their code.
@Suite(
  .enabled(
    if: Tool.isInstalled("python3") && Tool.isInstalled("codespell"), "skipped: needs python3 and codespell"))
struct WordListTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func findings() throws -> [String] {
    let script = try #require(Tool(path: Checkout.path("script/lint")))
    let outcome = try script.run(["--words", folder.path], in: ScratchFolder())
    #expect(outcome.errors.isEmpty && outcome.status == (outcome.output.isEmpty ? 0 : 1), "\(outcome)")
    return outcome.output.split(separator: "\n").map { line in
      let parts = line.split(separator: "`")
      return String(parts[0] + parts[1])
    }
  }

  @Test func readsCommentsAndLiteralsOfSwift() throws {
    try folder.write(
      ###"""
      /// It looks all
      /// the same, and `besides` is code.
      let besides = ["anew": "nobody"]  // Nobody.
      let text = "It is \(besides["somebody is here"] ?? "where nothing is") in" + " vain"
      let raw = #"A "quoted" \text at hand"#
      let long = """
        Put it \
        back: "\(text) is \("no reason")".
        """
      /* A comment /* in a comment */ is under way. */
      let mark = #"""#, colour = "\"no colour"
      """###, to: "Sources/A/B.swift")
    #expect(
      try findings() == [
        "Sources/A/B.swift:1: all the same", "Sources/A/B.swift:3: nobody", "Sources/A/B.swift:4: in vain",
        "Sources/A/B.swift:4: somebody", "Sources/A/B.swift:4: where nothing", "Sources/A/B.swift:5: at hand",
        "Sources/A/B.swift:7: put it back", "Sources/A/B.swift:10: under way", "Sources/A/B.swift:11: colour",
      ])
  }

  @Test func readsTheTextOfPages() throws {
    try folder.write("Write it anew: `anew`\n\n```\nanew\n```\n\n[Nobody](#nobody) is\nno one.\n", to: "README.md")
    try folder.write(".Nm besides\nWrite it\n.Em anew\n.Fl anew\n", to: "man/man1/a.1")
    try folder.write("case $anew in\n  anew) ;; # Write it anew.\nesac\n", to: "completions/a.bash")
    #expect(
      try findings() == [
        "README.md:1: anew", "README.md:7: nobody", "completions/a.bash:2: anew", "man/man1/a.1:3: anew",
      ])
  }

  @Test(arguments: [
    "There is no file.", "It is no longer there.", "The program knowingly waits.", "A line of text.",
    "It stands for a name.",
    "The API key.", "The connection is refused.", "Is there none?",
  ])
  func acceptsGoodEnglish(_ text: String) throws {
    try folder.write(text + "\n", to: "docs/a.md")
    #expect(try findings() == [])
  }

  @Test func exemptsOtherLanguages() throws {
    try folder.write("let text = \"colour anew\"\n", to: "Sources/IFTTT/Phrases/Phrase.swift")
    #expect(try findings() == [])
  }
}
