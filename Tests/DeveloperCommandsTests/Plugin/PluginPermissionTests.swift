import Foundation
import JSON
import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// `--yes` covers the permissions that were granted before, and versions that the user can expect.
@Suite struct PluginPermissionTests {
  let site = PublishedPlugins()
  private static let plain = PluginHome.manifest.replacing(
    #""environment": ["LAMPOST_REGION"],"#,
    with:
      #""environment": ["LAMPOST_REGION"], "credentials": ["account/*"], "files": [{"path": "~/notes", "access": "read"}],"#
  )

  init() throws {
    try publish("1.2.0")
    site.addIndex()
    #expect(site.run("plugin install shelf --yes").exit == .success)
  }

  private func publish(_ version: String, _ changes: [(old: String, new: String)] = []) throws {
    let manifest = changes.reduce(Self.plain.replacing("1.2.0", with: version)) { $0.replacing($1.old, with: $1.new) }
    let path = try site.plugins.write("shelf", manifest: manifest)
    let folder = site.plugins.folder["site"]
    // A careful publisher cannot replace an archive; this one can.
    try? FileManager.default.removeItem(atPath: "\(folder)/shelf-\(version)-any.tar.gz")
    let outcome = site.run("plugin package \(path) --directory \(folder) --index \(folder)/index.json")
    #expect(outcome.exit == .success, "\(outcome.errors)")
    site.run("plugin index update")
  }

  static let added: [(old: String, new: String, line: String)] = [
    ("https://api.lampost.test", "https://evil.test", "host https://evil.test"),
    (#"["LAMPOST_REGION"]"#, #"["LAMPOST_REGION", "TOKEN"]"#, "variable TOKEN"),
    (#"["account/*"]"#, #"["*"]"#, "credential *"),
    (#""hosts""#, #""browser": true, "hosts""#, "browser: opens pages"),
    (#""access": "read""#, #""access": "write""#, "file access: write ~/notes"),
    ("~/notes", "~", "file access: read your home folder"),
    ("~/notes", "~/notes2", "file access: read ~/notes2"),
  ]

  /// Neither `upgrade`, with or without `--all`, nor `install` grants a permission silently.
  @Test(arguments: added) func addedPermissionsNeedConsent(old: String, new: String, line: String) throws {
    try publish("1.3.0", [(old, new)])
    for command in ["upgrade shelf", "upgrade --all", "install shelf"] {
      let outcome = site.run("plugin \(command) --yes")
      #expect(outcome.exit == .failure, "\(command)")
      #expect((outcome.errors + outcome.output).contains(line), "\(command): \(outcome.errors)")
      #expect(site.shown("version") == #"{"version":"1.2.0"}"#)
    }
    #expect(site.run("plugin install shelf --yes").errors.contains("--allow-new-permissions"))
    let row = site.run("plugin upgrade --all --yes -o tsv --no-header --fields status,problem").output
    #expect(row.hasPrefix("failed\t") && row.contains(line), "\(row)")
    let granted = site.run("plugin upgrade shelf --yes --allow-new-permissions")
    #expect(granted.exit == .success)
    #expect(granted.notes.contains { $0.hasPrefix("  + ") }, "\(granted.errors)")
    #expect(site.shown("version") == #"{"version":"1.3.0"}"#)
  }

  /// What a granted permission includes is not a new one.
  @Test func narrowerPermissionsNeedNoConsent() throws {
    try publish(
      "1.3.0", [("account/*", "account/main"), ("~/notes", "~/notes/today"), (#""https://api.lampost.test""#, "")])
    #expect(site.run("plugin upgrade shelf --yes").exit == .success)
    // The earlier version gets back what the newer one gave up.
    let back = site.run("plugin rollback shelf --yes")
    #expect(
      back.errors.contains(
        "regains: host https://api.lampost.test; credential account/*; file access: read ~/notes"), "\(back.errors)")
  }

  @Test func aPromptCoversThem() throws {
    try publish("1.3.0", [("https://api.lampost.test", "https://evil.test")])
    site.home.terminal = .interactive(columns: 200)
    let outcome = site.run("plugin upgrade shelf", input: .typed(lines: ["y"]))
    #expect(
      outcome.errors.contains("Replace plugin 'shelf' 1.2.0 with 1.3.0 (adds 1 permission)?"), "\(outcome.errors)")
    site.home.terminal = .none
    #expect(site.shown("version") == #"{"version":"1.3.0"}"#)
  }

  /// A name alone, with `--yes`, does not bring an older version or other files of the same version.
  @Test func aNameAloneNeitherDowngradesNorReplaces() throws {
    let newer = try site.plugins.write("shelf", manifest: Self.plain.replacing("1.2.0", with: "2.0.0"))
    #expect(site.run("plugin install \(newer) --yes").exit == .success)
    let downgrade = site.run("plugin install shelf --yes")
    #expect(downgrade.exit == .failure)
    #expect(downgrade.errors.contains("version 1.2.0 is older than the installed 2.0.0"), "\(downgrade.errors)")
    #expect(downgrade.notes.last?.hasSuffix("plugin install shelf@1.2.0 --yes") == true)
    let named = site.run("plugin install shelf@1.2.0 --yes")
    #expect(named.exit == .success && named.notes.contains("It replaces 2.0.0 and is older:"), "\(named.errors)")
    let other = try site.plugins.write("shelf", manifest: Self.plain.replacing("Things", with: "Stuff"))
    let replaced = site.run("plugin install \(other) --yes")
    #expect(replaced.exit == .success && replaced.notes.contains("  ~ file plugin.json"), "\(replaced.errors)")
    let same = site.run("plugin install shelf --yes")
    #expect(same.exit == .failure)
    #expect(same.errors.contains("version 1.2.0 is installed with different files"), "\(same.errors)")
  }

  // MARK: Versions that were installed before

  /// The publisher lists other files for a version that was rolled back from, or removed.
  @Test(arguments: ["rollback", "remove"]) func otherFilesOfAKnownVersionAreRejected(by command: String) throws {
    try publish("1.3.0")
    #expect(site.run("plugin upgrade shelf --yes").exit == .success)
    #expect(site.run("plugin \(command) shelf --yes").exit == .success)
    try publish("1.3.0", [("Things on", "Stuff on")])
    let commands =
      command == "rollback" ? ["upgrade shelf", "install shelf", "install shelf@1.3.0"] : ["install shelf"]
    for words in commands {
      let outcome = site.run("plugin \(words) --yes")
      #expect(outcome.exit == .failure, "\(words)")
      #expect(
        (outcome.errors + outcome.output).contains(
          "version 1.3.0 had other files when it was installed from index 'local' before"),
        "\(outcome.errors)")
    }
    // A person can accept them.
    site.home.terminal = .interactive(columns: 300)
    let outcome = site.run("plugin install shelf", input: .typed(lines: ["y"]))
    let words = outcome.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("the same version had different files when it was installed before"), "\(words)")
    site.home.terminal = .none
    #expect(site.shown("version") == #"{"version":"1.3.0"}"#)
  }

  @Test func allSkipsAVersionThatWasRolledBackFrom() throws {
    try publish("1.3.0")
    #expect(site.run("plugin upgrade --all --yes").exit == .success)
    #expect(site.run("plugin rollback shelf --yes").exit == .success)
    let skipped = site.run("plugin upgrade --all --yes -o tsv --no-header --fields version,status")
    #expect(skipped.exit == .success && skipped.output == "1.2.0\tskipped\n")
    #expect(skipped.errors.contains("Plugin 'shelf' was rolled back from version 1.3.0"), "\(skipped.errors)")
    // A newer version is not skipped, and neither is one that the user named.
    #expect(site.run("plugin upgrade shelf --yes").exit == .success)
    #expect(site.run("plugin rollback shelf --yes").exit == .success)
    try publish("1.4.0")
    #expect(site.run("plugin upgrade --all --yes -o tsv --no-header --fields version").output == "1.4.0\n")
  }
}
