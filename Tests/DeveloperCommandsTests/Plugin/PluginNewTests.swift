import Foundation
import JSON
import PluginProtocol
import ProgramDriver
import Support
import Testing

@testable import Session

/// The templates work unchanged.
@Suite struct PluginNewTests {
  let plugins = PluginHome()
  private static let repository = [".gitignore", "README.md", ".github/workflows/release.yml"]

  @Test(arguments: [
    ("sh", "command", ["ifttt-tides", "plugin.json"] + repository),
    ("python", "both", ["ifttt-tides", "ifttt_plugin.py", "plugin.json"] + repository),
  ])
  func templatesCanBeInstalled(language: String, kind: String, files: [String]) throws {
    let outcome = plugins.run("plugin new tides --language \(language) --json")
    #expect(outcome.exit == .success)
    let row = try JSONValue(parsing: Array(outcome.output.utf8))
    #expect(row["path"]?.string == plugins.folder["ifttt-tides"])
    #expect(row["kind"]?.string == kind)
    #expect(row["files"] == .array(files.map { .string($0) }))
    #expect(plugins.run("plugin install \(plugins.folder["ifttt-tides"]) --yes").exit == .success)
    #expect(try plugins.listed() == [["tides", "ready", nil]])
    // The language's own checker finds no errors.
    let checker = language == "sh" ? ["sh", "-n"] : ["python3", "-m", "py_compile"]
    guard let tool = Tool(checker[0]) else { return }
    let program = plugins.folder["ifttt-tides/ifttt-tides"]
    #expect(try tool.run(checker.dropFirst() + [program], in: ScratchFolder()) == Tool.Outcome(status: 0))
  }

  @Test func theShellTemplateGreets() throws {
    plugins.run("plugin new tides")
    let outcome = try Tool.required("sh").run(
      [plugins.folder["ifttt-tides/ifttt-tides"], "big", "world", "--loud"], in: ScratchFolder(),
      environment: ["IFTTT_PROFILE": "default", "IFTTT_OUTPUT": "table"])
    #expect(outcome == Tool.Outcome(status: 0, output: "HELLO, BIG WORLD.\n"))
    // After two dashes, nothing is an option.
    let named = try Tool.required("sh").run(
      [plugins.folder["ifttt-tides/ifttt-tides"], "a", "--", "--loud", "--", "yes --loud"], in: ScratchFolder(),
      environment: ["IFTTT_PROFILE": "default", "IFTTT_OUTPUT": "table"])
    #expect(named == Tool.Outcome(status: 0, output: "Hello, a --loud -- yes --loud.\n"))
  }

  @Test(.enabled(if: Tool.isInstalled("python3"), "skipped: needs python3")) func thePythonTemplateResponds() throws {
    plugins.run("plugin new shelf --language python")
    func ask(_ requests: [String]) throws -> [JSONValue] {
      let lines = requests.enumerated().map { #"{"jsonrpc":"2.0","id":\#($0 + 1),\#($1)}"# + "\n" }
      let outcome = try Tool.required("python3").run(
        [plugins.folder["ifttt-shelf/ifttt-shelf"]], in: scratch, input: lines.joined())
      #expect(outcome.status == 0)
      #expect(outcome.errors == "")
      // Invalid lines are answered as they are read, whatever request is in progress.
      let answers = try outcome.output.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
      #expect(answers.filter { $0["error"]?["code"] == -32700 }.count == requests.count { $0 == "rubbish" })
      return answers.filter { $0["error"]?["code"] != -32700 }
    }
    let scratch = try ScratchFolder()
    let answers = try ask([
      #""method":"initialize","params":{"protocol":["1"]}"#,
      #""method":"connections/list","params":{"status":"disabled"}"#,
      #""method":"connections/enable","params":{"id":"2"}"#, #""method":"connections/show","params":{"id":"2"}"#,
      #""method":"connections/show","params":{"id":"9"}"#, #""method":"no/such""#,
      #""method":"command/run","params":{"command":["add"],"arguments":["Ünï"],"options":{}}"#, "rubbish",
      #""method":"connections/list","params":{"status":"enabled"}"#,
    ])
    #expect(answers[0]["result"]?["protocol"] == "1")
    #expect(answers[0]["result"]?["name"] == "shelf")
    #expect(answers[1]["params"]?["item"]?["name"] == "Fan")
    #expect(answers[1]["params"]?["id"] == 2)
    #expect(answers[2]["result"] == [:])
    #expect(answers[3]["result"] == ["status": "enabled", "previous_status": "disabled", "changed": true])
    #expect(answers[4]["result"]?["connection"]?["status"] == "enabled")
    #expect(answers[5]["error"]?["data"]?["code"] == "not_found")
    #expect(answers[6]["error"]?["code"] == -32601)
    #expect(answers[7]["params"]?["item"]?["name"] == "Ünï")
    #expect(answers.last?["id"] == 9)
    #expect(try ask([#""method":"initialize","params":{"protocol":["2"]}"#])[0]["error"]?["code"] == -32602)
  }

  @Test func theSwiftTemplatesManifestIsValid() throws {
    plugins.run("plugin new rack --language swift")
    let names = plugins.folder.names.filter { $0.hasPrefix("ifttt-rack/") && !$0.hasSuffix("Sources") }
      .filter { !$0.contains(".git") && !$0.hasSuffix("README.md") }
    #expect(
      names == [
        "ifttt-rack/Package.swift", "ifttt-rack/Sources/ifttt-rack", "ifttt-rack/Sources/ifttt-rack/Things.swift",
        "ifttt-rack/Sources/ifttt-rack/main.swift", "ifttt-rack/make-plugin", "ifttt-rack/plugin.json",
      ])
    let text = try #require(plugins.folder.text("ifttt-rack/plugin.json"))
    #expect(try Manifest(parsing: Array(text.utf8)).executable == "ifttt-rack")
    for name in names { #expect(plugins.folder.text(name)?.contains("@NAME@") != true) }
  }

  @Test func existingFilesAreNotChanged() throws {
    plugins.run("plugin new tides")
    plugins.folder.write("ifttt-tides/plugin.json", "mine")
    #expect(plugins.run("plugin new tides").exit == .failure)
    #expect(plugins.folder.text("ifttt-tides/plugin.json") == "mine")
    #expect(plugins.run("plugin new tides --directory \(plugins.folder["other"])").exit == .success)
    #expect(plugins.run("plugin new connections").exit == .failure)
    #expect(plugins.run("plugin new Tides").exit == .usage)
    #expect(plugins.run("plugin new waves --dry-run").errors.hasPrefix("Would create a plugin in "))
    #expect(!plugins.folder.names.contains("ifttt-waves"))
  }
}
