import Foundation
import JSON
import PluginProtocol
import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// `--trace-plugins` and IFTTT_PLUGIN_TRACE.
@Suite struct PluginTraceCommandTests {
  let home = Home.tracking("aa")
  private let shelf = FakeProvider("shelf", [.showConnection, .enableConnection])
  private var file: String { home.folder["trace.jsonl"] }

  init() {
    shelf.credentials = ["token"]
    shelf.answers["connections/enable"] = { _ in
      [
        .ask("credential/put", ["name": "token", "value": "tok-0123456789"]),
        .ask("credential/get", ["name": "token"]), .enabled,
      ]
    }
    FakeProvider.install([shelf], in: home)
    home.secrets.append("tok-0123456789")
  }

  private func messages(_ text: String) throws -> [JSONValue] {
    try text.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
  }

  @Test func messagesInBothDirectionsGoToStderr() throws {
    let outcome = home.run("connections enable shelf:s1 --trace-plugins")
    #expect(outcome.exit == .success)
    let lines = try messages(outcome.errors)
    #expect(
      lines.map { $0["message"]?["method"]?.string ?? "result" } == [
        "initialize", "result", "connections/show", "result", "connections/enable", "credential/put", "result",
        "credential/get", "result", "result",
      ])
    #expect(
      lines.map { $0["direction"]?.string } == [
        "host", "plugin", "host", "plugin", "host", "plugin", "host", "plugin", "host", "plugin",
      ])
    #expect(lines.allSatisfy { $0["plugin"] == "shelf" && $0["time"]?.string?.hasSuffix("Z") == true })
    #expect(lines[5]["message"]?["params"] == ["name": "token", "value": "…"])
    #expect(lines[8]["message"]?["result"] == ["value": "…"])
  }

  /// What a plugin prints to stdout by mistake is quoted, without the secrets that it received.
  @Test func strayOutputIsQuotedWithoutSecrets() {
    shelf.answers["connections/enable"] = { _ in
      [
        .ask("credential/put", ["name": "token", "value": "tok-0123456789"]),
        .raw(.output(Array("Using \u{1b}[1mtok-0123456789 now\n".utf8))),
      ]
    }
    let outcome = home.run("connections enable shelf:s1")
    #expect(outcome.exit == .failure)
    let text = outcome.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains("it wrote 'Using "), "\(text)")
    #expect(text.contains("now' to stdout, which belongs to the protocol: not JSON"), "\(text)")
    #expect(text.contains("must print to stderr") && text.contains("--trace-plugins"), "\(text)")
    #expect(!text.contains("0123456789"))
  }

  @Test func withoutTheOptionNothingIsTraced() {
    #expect(home.run("connections enable shelf:s1").errors == "")
  }

  @Test func theFileIsPrivateAndAppendedTo() throws {
    home.environment["IFTTT_PLUGIN_TRACE"] = file
    #expect(home.run("connections enable shelf:s1").errors == "")
    let first = try messages(#require(home.folder.text("trace.jsonl"))).count
    #expect(first == 10)
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    home.run("connections enable shelf:s1")
    let text = try #require(home.folder.text("trace.jsonl"))
    #expect(try messages(text).count == 20)
    #expect(!text.contains("tok-0123456789"))
  }

  @Test func aFileThatCannotBeWrittenIsAnErrorBeforeThePluginStarts() {
    home.environment["IFTTT_PLUGIN_TRACE"] = home.folder["nowhere/trace.jsonl"]
    let outcome = home.run("connections enable shelf:s1 --json")
    #expect(outcome.errors.contains("\"code\":\"output_failed\""), "\(outcome.errors)")
    #expect(shelf.starts == 0)
  }

  @Test func rubbishIsQuoted() throws {
    shelf.answers["connections/enable"] = { _ in [.raw(.output(Array("Hello! I am a plugin.\n".utf8)))] }
    let outcome = home.run("connections enable shelf:s1 --trace-plugins")
    #expect(outcome.exit != .success)
    #expect(outcome.errors.contains(#""direction":"plugin","text":"Hello! I am a plugin."}"#), "\(outcome.errors)")
  }
}
