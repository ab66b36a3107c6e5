import CommandLine
import Foundation
import JSON
import ProgramDriver
import Session
import Support
import Testing
import World

@testable import Commands

/// Plugins in pages, completion and suggestions: their manifests are read, and nothing is run.
@Suite struct PluginPagesTests {
  let plugins = PluginHome()

  init() throws { try plugins.install("shelf") }

  @Test func helpListsPluginsUnderTheirOwnHeading() {
    #expect(plugins.run("--help").output.contains("\nPlugins:\n  shelf        Look after things\n"))
    #expect(plugins.run("help shelf").output.hasPrefix("Look after things\n"))
    #expect(plugins.run("shelf add --help").output.contains("--colour COLOUR"))
    #expect(plugins.run("shelf").output.contains("add    Add a thing"))
    #expect(plugins.became == nil)
  }

  /// A list of commands reads only the outline of each manifest. Errors deep inside are reported when the command is
  /// used.
  @Test func anInvalidCommandIsReportedWhenItIsUsed() throws {
    let path = plugins.folder["plugins/shelf/plugin.json"]
    let manifest = try String(contentsOfFile: path, encoding: .utf8)
    plugins.folder.write("plugins/shelf/plugin.json", manifest.replacing("Throw all away", with: "\\u001b[2J"))
    #expect(plugins.run("--help").output.contains("\n  shelf        Look after things\n"))
    #expect(plugins.run("shelf empty").errors.contains("has a control character"))
    #expect(plugins.run("plugin list").output.contains("broken"))
    #expect(!plugins.run("completion bash").output.contains("shelf"))
  }

  @Test func helpAsJSONIncludesPluginCommands() throws {
    let command = try JSONValue(parsing: Array(plugins.run("help shelf add --json").output.utf8))
    #expect(command["path"] == ["ifttt", "shelf", "add"])
    #expect(command["options"]?.array?.first?["value"]?["choices"]?.array?.count == 2)
    #expect(plugins.run("help --json").output.contains(#""name":"shelf""#))
  }

  /// A manifest may declare the schema of a command's output, as that of `grab` does.
  @Test func schemasOfPluginCommandsAreListed() throws {
    let path = plugins.folder["plugins/shelf/plugin.json"]
    var manifest = try #require(
      JSONValue(parsing: Array(try String(contentsOfFile: path, encoding: .utf8).utf8)).object)
    var commands = try #require(manifest["commands"]?.object)
    let output: JSONValue = [
      "form": "many", "columns": [["title": "THING", "field": "thing"]],
      "schema": ["type": "object", "properties": ["thing": ["type": "string"]]],
    ]
    commands["subcommands"] = .array(
      try #require(commands["subcommands"]?.array).map { command in
        guard var members = command.object, command["name"] == "add" else { return command }
        members["output"] = output
        return .object(members)
      })
    manifest["commands"] = .object(commands)
    plugins.folder.write("plugins/shelf/plugin.json", JSONValue.object(manifest).text)
    let names = plugins.run("schema --fields name -o tsv --no-header").output.split(separator: "\n")
    #expect(names.contains("shelf-add") && names.contains("connections-list") && !names.contains("shelf-empty"))
    let schema = try JSONValue(parsing: Array(plugins.run("schema shelf add").output.utf8))
    #expect(schema["type"] == "array" && schema["items"]?["properties"]?["thing"] != nil)
    #expect(plugins.run("schema shelf empty").exit == .notFound)
    #expect(plugins.became == nil)
  }

  @Test(.enabled(if: Tool.isInstalled("mandoc"), "skipped: needs mandoc")) func manPagesOfPluginsAreValid() throws {
    let page = plugins.run("man shelf add").output
    #expect(page.contains(".Nm ifttt shelf add"))
    #expect(try PageReader.mandocComplaints([(fileName: "ifttt-shelf-add.1", text: page)]) == [])
  }

  @Test(.enabled(if: Tool.isInstalled("bash"), "skipped: needs bash")) func shellsCompletePluginCommands() throws {
    let script = plugins.run("completion bash").output
    let offered = try Shells.bashCompletions(
      script: script, lines: ["ifttt sh", "ifttt shelf ", "ifttt shelf add --colour ", "ifttt help shelf a"])
    #expect(offered == [["shelf"], ["add", "empty"], ["red", "blue"], ["add"]])
  }

  /// The contents of a manifest are data in every shell: nothing is executed, and everything can be typed.
  @Test(
    .enabled(
      if: Tool.isInstalled("bash") && Tool.isInstalled("zsh") && Tool.isInstalled("fish"), "skipped: needs shells"))
  func hostileManifestTextIsNotExecuted() throws {
    let mark = plugins.folder["ran"]
    let words = ["$(touch \(mark))", "`touch \(mark)`", "'; touch \(mark); '", "a\\b", "* ? [", "\"x\""]
    let choices = words.map { JSONValue.object(["value": .string($0), "help": .string($0)]).text }.joined(
      separator: ",")
    let manifest = PluginHome.manifest.replacing(#"{"value": "red"}, {"value": "blue"}"#, with: choices)
      .replacing("Its colour", with: "$(touch \(mark)) `touch \(mark)` '")
    try plugins.install("odd", manifest: manifest)
    for (shell, check) in [("bash", "-n"), ("zsh", "-n"), ("fish", "--no-execute")] {
      let folder = try ScratchFolder()
      try folder.write(plugins.run("completion \(shell)").output, to: "script")
      #expect(try Tool.required(shell).run([check, "script"], in: folder) == Tool.Outcome(status: 0))
    }
    let bash = try Shells.bashCompletions(
      script: plugins.run("completion bash").output, lines: ["ifttt odd add --colour ", "ifttt odd add --"])
    #expect(bash.first?.count == words.count)
    let fish = try Shells.fishCompletions(
      script: plugins.run("completion fish").output, lines: ["ifttt odd add --colour "])
    let offered = Set((fish.first ?? []).map(\.value))
    #expect(offered.isSuperset(of: words))
    #expect(!plugins.folder.names.contains("ran"))
  }

  @Test func pluginNamesAreSuggested() {
    #expect(plugins.run("shlef").notes.contains("Did you mean 'ifttt shelf'?"))
    #expect(plugins.run("help shlf").notes.contains("Did you mean 'ifttt help shelf'?"))
    #expect(plugins.run("plugin show shlf").exit == .notFound)
  }

  @Test func completionOffersPluginNames() {
    #expect(plugins.run("__complete plugin '--command=plugin show' -- s").output == "shelf\tThings on a shelf\n")
  }

  /// Fields are validated before the command runs if the manifest has a schema.
  @Test func fieldsAreCheckedAgainstTheManifest() throws {
    let output =
      #""output":{"columns":[{"title":"ID","field":"id"}],"schema":{"type":"object","properties":{"id":{"type":"string"},"#
      + #""at":{"type":"object","properties":{"place":{"type":"string"}}}}}}"#
    let manifest = PluginHome.manifest.replacing(
      #""summary": "Throw all away""#, with: #""summary": "Throw all away", \#(output)"#)
    try plugins.install("rows", manifest: manifest)
    let wrong = plugins.run("rows empty --fields idd")
    #expect(wrong.exit == .usage)
    #expect(wrong.errors.contains("Did you mean 'id'?"))
    #expect(plugins.became == nil)
    #expect(plugins.run("rows empty --fields id,at.place").exit == .success)
    // Without a schema, the fields are unknown.
    #expect(plugins.run("shelf empty --fields anything").exit == .success)
  }

  /// The committed pages must not depend on plugins installed on the machine that generates them.
  @Test func committedPagesContainNoPlugins() {
    #expect(!Root.tree.ownSchema.subcommands.contains { $0.name == "shelf" })
  }
}
