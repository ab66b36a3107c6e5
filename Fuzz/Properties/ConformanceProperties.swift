import CommandLine
import Commands
import HTTP
import JSON
import PluginProtocol
import Plugins
import World

/// `plugin test` with a hostile plugin: each check has a result, the output is JSON, nothing is printed that a terminal
/// would interpret, no page is opened, and every process is ended.
enum ConformanceProperties {
  private static let manifest = """
    {"schema_version":1,"name":"shelf","version":"1","summary":"Things","vendor":"V","kind":"provider",
    "executable":"run","protocol":["1"],"capabilities":["connections/list","connections/show","connections/enable",
    "connections/activate","command/run","complete"],"credentials":["shelf_*"],"browser":true,"commands":{"name":"shelf","summary":"S"}}
    """
  private static let answers = """
    {"credentials":{"shelf_token":"granted-0123456789"},"prompts":["a","b"],"confirms":[true],
    "redirects":["code=1&state={state}"],"input":"x","activate":{"id":"a"},"commands":[{"command":[]}]}
    """

  /// All checks but the one that sends 16 MiB, which takes longer than all others together.
  private static let checks = ConformanceCheck.all.filter { $0.name != "huge-message" && $0.kind != .command }
    .map(\.name).joined(separator: ",")

  static func problem(in bytes: [UInt8]) -> String? {
    let folder = FuzzFolder("conformance")
    folder.makeFolder("plugin")
    folder.write(Array(manifest.utf8), to: "plugin/plugin.json")
    folder.write(Array("#!/bin/sh\n".utf8), to: "plugin/run")
    folder.write(Array(answers.utf8), to: "answers.json")
    var choices = InputChoices(bytes)
    let hasAnswers = choices.flag()
    let (clock, output, errors) = (FuzzClock(), KeptBytes(), KeptBytes())
    var plugins: [HostilePlugin] = []
    let processes = HostileProcesses {
      let greets = choices.number(below: 8) > 0
      let plugin = HostilePlugin(&choices, greets: greets, atMost: 12, clock: clock)
      plugins.append(plugin)
      return plugin
    }
    var world = World.fixed(clock: clock, output: output, errors: errors)
    world.environment = ["IFTTT_HOME": folder["home"], "TMPDIR": folder.path]
    world.processes = processes
    let words =
      ["plugin", "test", folder["plugin"], "--json", "--check", checks]
      + (hasAnswers ? ["--answers", folder["answers.json"]] : [])
    _ = Program.run(words.map { RawArgument($0) }, world: world) { OfflineTransport(world: $0) }
    guard !plugins.isEmpty, plugins.count < 100 else {
      return "\(plugins.count) processes: \(String(decoding: errors.bytes, as: UTF8.self))"
    }
    guard plugins.allSatisfy(\.isEnded) else { return "a plugin was not ended" }
    guard processes.pages.isEmpty else { return "it opens \(processes.pages)" }
    guard !output.bytes.hasControls(except: ["\n"]) else { return "standard output contains a control character" }
    guard !errors.bytes.hasControls(except: ["\n"]) else { return "standard error contains a control character" }
    guard let rows = (try? JSONValue(parsing: output.bytes))?.array, !rows.isEmpty else {
      return "standard output is not JSON"
    }
    let isRight = rows.allSatisfy { row in
      switch row["status"] {
      case "pass": row["reason"]?.isNull == true
      case "fail", "skip": row["reason"]?.string?.isEmpty == false
      default: false
      }
    }
    return isRight ? nil : "a check without a result, or without a reason for it"
  }
}
