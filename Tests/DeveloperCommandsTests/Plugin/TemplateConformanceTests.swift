import PluginProtocol
import ProgramDriver
import Support
import Testing

@testable import Session

/// A plugin created by `plugin new` passes unchanged, in any language and of any kind. Those in Swift are tested with
/// the built program.
@Suite struct TemplateConformanceTests {
  private static let kinds = ["provider", "command", "both"]

  private func expectPasses(_ language: String, _ kind: String, build: (String) throws -> Void = { _ in }) throws {
    let home = LivePlugins.home()
    #expect(home.run("plugin new tides --language \(language) --kind \(kind)").exit == .success)
    var folder = home.folder["ifttt-tides"]
    if language == "go" {
      try build(folder)
      folder += "/plugin"
    }
    let (checks, outcome) = try LivePlugins.test(folder, "--timeout 60s", in: home)
    #expect(outcome.exit == .success && outcome.errors == "", "\(outcome.errors)")
    #expect(Set(checks.keys) == LivePlugins.checks(of: kind == "command" ? .command : .provider))
    #expect(checks.allSatisfy { $0.value.status != "fail" }, "\(checks)")
    for check in ["connections", "show", "enable", "disable"] {
      #expect(checks[check]?.status == (kind == "command" ? nil : "pass"), "\(check)")
    }
    let manifest = try #require(home.folder.text("ifttt-tides/plugin.json"))
    #expect(manifest.contains("\"commands\"") == (kind != "provider"))
  }

  @Test func sh() throws { try expectPasses("sh", "command") }

  @Test(.enabled(if: Tool.isInstalled("python3"), "skipped: needs python3"), arguments: kinds)
  func python(_ kind: String) throws { try expectPasses("python", kind) }

  @Test(.enabled(if: Tool.isInstalled("node"), "skipped: needs node"), arguments: kinds)
  func javascript(_ kind: String) throws { try expectPasses("javascript", kind) }

  @Test(.enabled(if: Tool.isInstalled("go"), "skipped: needs go"), arguments: kinds)
  func go(_ kind: String) throws {
    try expectPasses("go", kind) { folder in
      try LivePlugins.buildGo(in: folder, "test -z \"$(gofmt -l .)\" && go vet . && ./make-plugin")
    }
  }

  @Test(arguments: ["provider", "both"]) func shIsNoProvider(_ kind: String) {
    let outcome = Home().run("plugin new tides --kind \(kind)")
    #expect(outcome.exit == .usage)
    #expect(outcome.errors.contains("sh has no library"), "\(outcome.errors)")
  }
}
