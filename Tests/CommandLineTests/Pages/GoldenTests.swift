import CommandLine
import JSON
import Support
import Testing

/// Every page of the sample tree, compared with its last reviewed version.
@Suite struct GoldenTests {
  @Test(arguments: CompletionShell.allCases) func scriptMatchesTheGoldenFile(shell: CompletionShell) throws {
    let text = Completion.script(for: shell, root: SampleTree.root)
    #expect(try Golden.difference(text, from: shell.fileName(for: "ifttt")) == nil)
  }

  @Test(arguments: ["", "connections", "connections list", "configure"])
  func helpMatchesTheGoldenFile(path: String) throws {
    let words = path.split(separator: " ").map(String.init)
    let page = try #require(HelpPage(root: SampleTree.root, path: words))
    let name = (["help"] + words).joined(separator: "-")
    #expect(try Golden.difference(page.text(.brief), from: "\(name).brief.txt") == nil)
    #expect(try Golden.difference(page.text(.full), from: "\(name).full.txt") == nil)
  }

  @Test func manPagesMatchTheGoldenFiles() throws {
    for page in ManPage.all(root: SampleTree.root, contents: SampleTree.contents) {
      #expect(try Golden.difference(page.text, from: page.fileName) == nil)
    }
  }

  @Test func treeMatchesTheGoldenFile() throws {
    let bytes = try #require(HelpJSON.bytes(root: SampleTree.root))
    #expect(try Golden.difference(String(decoding: bytes, as: UTF8.self) + "\n", from: "help.json") == nil)
    let names = try JSONValue(parsing: bytes)["subcommands"]?.array?.map { $0["name"]?.string }
    #expect(names == ["connections", "configure", "help", "token"])
    #expect(try JSONValue(parsing: Array(HelpSchema.text.utf8))["$defs"] != nil)
    #expect(try Golden.difference(HelpSchema.text, from: "help.schema.json") == nil)
  }

  @Test func theTableOfCommandsMatchesTheGoldenFile() throws {
    #expect(try Golden.difference(CommandTable.table(root: SampleTree.root), from: "commands.md") == nil)
  }
}
