import Foundation
import Support
import Testing

private let isAddressSanitized = ProcessInfo.processInfo.environment["IFTTT_SANITIZER"] == "address"

/// The sample command plugin in Examples/plugins, installed and used as documented.
@Suite(.disabled(if: isAddressSanitized, "skipped: a plugin's environment has no setting that stops the leak report"))
struct PluginSampleTests {
  let home = Home(nil, ["IFTTT_PROFILE": "sandbox"])

  init() throws {
    let examples = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Examples/plugins/ifttt-hello").standardizedFileURL
    let outcome = try home.run("plugin", "install", examples.path, "--yes", "--fields", "name,status", "-o", "csv")
    #expect(outcome.text == "name,status\nhello,ready\n", "\(outcome.errors)")
  }

  @Test func greetsWithTheEnabledConnections() throws {
    let outcome = try home.run("hello", "Ann", "Bob")
    #expect(outcome.status == 0)
    #expect(outcome.errors == "")
    let lines = outcome.text.split(separator: "\n")
    #expect(lines.first == "Hello, Ann and Bob. These are enabled:")
    #expect(lines.contains("  Every lamp, every room"))
  }

  @Test func acceptsItsOptions() throws {
    #expect(try home.run("hello", "--status=disabled", "--shout").text.hasPrefix("HELLO. THESE ARE DISABLED:\n"))
    #expect(try home.run("hello", "--shout", "--no-shout", "--", "--shout").text.hasPrefix("Hello, --shout. These"))
    let wrong = try home.run("hello", "--status", "odd")
    #expect(wrong.status == 2)
    #expect(wrong.errors.contains("Accepted values: enabled, disabled, never_enabled."))
  }

  @Test func honorsTheOutputFormat() throws {
    let outcome = try home.run("hello", "--json")
    let rows = try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [[String: String]]
    #expect(rows?.contains(["name": "Every lamp, every room"]) == true)
  }

  @Test func honorsTheProfile() throws {
    #expect(try home.run("hello", "--profile", "default").text == "Hello. Nothing is enabled.\n")
  }

  @Test(.enabled(if: Tool.isInstalled("shellcheck"), "skipped: needs shellcheck")) func shellcheckIsSilent() throws {
    let outcome = try Tool.required("shellcheck").run(
      [home.folder["plugins/hello/ifttt-hello"]], in: ScratchFolder())
    #expect(outcome == Tool.Outcome(status: 0))
  }
}
