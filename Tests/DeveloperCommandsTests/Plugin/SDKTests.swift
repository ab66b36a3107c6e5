import Foundation
import PluginProtocol
import ProgramDriver
import Support
import Testing

@testable import Session

/// The libraries for plugins: a provider that signs in passes every check with scripted answers.
@Suite struct SDKTests {
  private let home = LivePlugins.home()

  private static func library(_ ending: String) throws -> String {
    try Checkout.text("Examples/plugins/sdk/ifttt_plugin.\(ending)")
  }

  private func makePlugin(_ files: [String: String], executable: String) throws -> String {
    let folder = home.folder["bank"]
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    home.folder.write(
      "bank/plugin.json", SDKSamples.manifest.replacingOccurrences(of: "EXECUTABLE", with: executable), mode: 0o600)
    for (name, text) in files {
      home.folder.write("bank/\(name)", text + "\n", mode: name == executable ? 0o700 : 0o600)
    }
    home.folder.write("answers.json", SDKSamples.answers)
    return folder
  }

  private func expectAllPass(_ folder: String) throws {
    let (checks, outcome) = try LivePlugins.test(
      folder, "--answers \(home.folder["answers.json"]) --timeout 60s", in: home)
    #expect(outcome.exit == .success, "\(outcome.errors)")
    #expect(Set(checks.keys) == LivePlugins.checks(of: .provider))
    let others = checks.filter { $0.value.status != "pass" }
    #expect(others.allSatisfy { $0.value.status == "skip" }, "\(others)")
    #expect(Set(others.keys) == ["show", "enable", "disable", "configure", "credential-status", "complete"])
    // What it prints goes to stderr, and no secret does.
    #expect(outcome.errors.contains("bank: stdout of the plugin\n"))
    for secret in ["stored-token", "entered-secret", "granted-code"] {
      #expect(!(outcome.errors + outcome.output).contains(secret))
    }
  }

  @Test(.enabled(if: Tool.isInstalled("python3"), "skipped: needs python3")) func aProviderInPythonPasses() throws {
    try expectAllPass(
      makePlugin(["ifttt-bank": SDKSamples.python, "ifttt_plugin.py": Self.library("py")], executable: "ifttt-bank"))
  }

  @Test(.enabled(if: Tool.isInstalled("node"), "skipped: needs node")) func aProviderInJavaScriptPasses() throws {
    try expectAllPass(
      makePlugin(
        ["ifttt-bank.mjs": SDKSamples.javascript, "ifttt_plugin.mjs": Self.library("mjs")],
        executable: "ifttt-bank.mjs"))
  }

  @Test(.enabled(if: Tool.isInstalled("go"), "skipped: needs go")) func aProviderInGoPasses() throws {
    let folder = try makePlugin(
      ["main.go": SDKSamples.go, "ifttt_plugin.go": Self.library("go"), "go.mod": "module bank\n\ngo 1.19"],
      executable: "ifttt-bank")
    try LivePlugins.buildGo(in: folder, "go vet . && go build -o ifttt-bank .")
    try expectAllPass(folder)
  }

  /// The trace of a test has neither scripted nor saved secrets.
  @Test(.enabled(if: Tool.isInstalled("python3"), "skipped: needs python3")) func theTraceHasNoSecret() throws {
    let folder = try makePlugin(
      ["ifttt-bank": SDKSamples.python, "ifttt_plugin.py": Self.library("py")], executable: "ifttt-bank")
    let options = "--check activate,commands,connections --answers \(home.folder["answers.json"]) --trace-plugins"
    let (checks, outcome) = try LivePlugins.test(folder, options, in: home)
    #expect(checks.allSatisfy { $0.value.status == "pass" }, "\(checks)")
    #expect(outcome.errors.contains(#""method":"prompt","params":{"message":"Secret","secret":true}"#))
    #expect(outcome.errors.contains(#""query":"code=…&state=…""#), "\(outcome.errors)")
    for secret in ["stored-token", "entered-secret", "granted-code"] { #expect(!outcome.errors.contains(secret)) }
  }

  /// `plugin new` and the examples copy the libraries unchanged.
  @Test(arguments: [("python", "py"), ("javascript", "mjs"), ("go", "go")])
  func copiesAreCurrent(_ language: String, _ ending: String) throws {
    #expect(home.run("plugin new tides --language \(language)").exit == .success)
    #expect(try home.folder.text("ifttt-tides/ifttt_plugin.\(ending)") == Self.library(ending))
    #expect(try Checkout.text("Examples/plugins/feeds/ifttt_plugin.py") == Self.library("py"))
  }
}
