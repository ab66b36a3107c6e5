import Foundation
import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// Upgrades, and the rollback to the version before.
@Suite struct PluginUpgradeTests {
  let site = PublishedPlugins()

  init() throws {
    try site.publish()
    site.addIndex()
    #expect(site.run("plugin install shelf --yes").exit == .success)
  }

  private func publish(_ version: String, vendor: String = "Lampost") throws {
    try site.publish("shelf", version, vendor: vendor)
    #expect(site.run("plugin index update").exit == .success)
  }

  @Test func anUpgradeCanBeRolledBackOnce() throws {
    #expect(site.run("plugin outdated --json").output == "[]\n")
    #expect(site.run("plugin upgrade shelf -o tsv --no-header").output == "shelf\t1.2.0\t1.2.0\tcurrent\t\n")
    try publish("1.3.0")
    #expect(
      site.run("plugin outdated --json --fields name,version,latest,status").output
        == "[\n" + #"{"name":"shelf","version":"1.2.0","latest":"1.3.0","status":"outdated"}"# + "\n]\n")
    #expect(site.run("plugin upgrade --all --yes -o tsv --no-header").output == "shelf\t1.2.0\t1.3.0\tupgraded\t\n")
    #expect(
      site.shown("version,previous_version,status")
        == #"{"version":"1.3.0","previous_version":"1.2.0","status":"ready"}"#)
    #expect(site.hidden.count == 1)
    let back = site.run("plugin rollback shelf --yes")
    #expect(back.exit == .success, "\(back.errors)")
    #expect(site.shown("version,status") == #"{"version":"1.2.0","status":"ready"}"#)
    #expect(site.run("shelf empty").exit == .success)
    #expect(site.hidden == [])
    let again = site.run("plugin rollback shelf --yes")
    #expect(again.exit == .failure && again.errors.contains("already rolled back"))
    // The way forward is open again.
    #expect(site.run("plugin upgrade shelf --yes").exit == .success)
    #expect(site.run("plugin rollback shelf --yes").exit == .success)
  }

  @Test func onlyTheLastVersionIsRetained() throws {
    for version in ["1.3.0", "1.4.0"] {
      try publish(version)
      #expect(site.run("plugin upgrade shelf --yes").exit == .success)
    }
    #expect(site.hidden.count == 1)
    // The same files again do not displace it.
    #expect(site.run("plugin install shelf --yes").exit == .success)
    #expect(site.hidden.count == 1)
    #expect(site.shown("version,previous_version") == #"{"version":"1.4.0","previous_version":"1.3.0"}"#)
    #expect(site.run("plugin remove shelf --yes").exit == .success)
    #expect(site.hidden == [])
    #expect(site.run("plugin rollback shelf --yes").exit == .notFound)
  }

  @Test func aPluginWithoutFilesCanBeRemoved() throws {
    try FileManager.default.removeItem(atPath: site.plugins.folder["plugins"])
    #expect(site.run("plugin remove shelf --yes").exit == .success)
    #expect(try site.plugins.listed().isEmpty)
  }

  @Test func permissionsAreShownBeforeFiles() throws {
    let manifest = PluginHome.manifest.replacing("1.2.0", with: "1.3.0")
      .replacing("https://api.lampost.test", with: "https://evil.test").replacing("\"empty\"", with: "\"burn\"")
    let path = try site.plugins.write("shelf", manifest: manifest)
    let folder = site.plugins.folder["site"]
    site.run("plugin package \(path) --directory \(folder) --index \(folder)/index.json")
    site.run("plugin index update")
    let notes = site.run("plugin upgrade shelf --dry-run").notes.drop { $0 != "It replaces 1.2.0:" }.dropFirst()
    #expect(
      Array(notes) == [
        "  + host https://evil.test", "  - host https://api.lampost.test", "  + command shelf burn",
        "  - command shelf empty",
        "  ~ file plugin.json", "Would upgrade shelf.",
      ])
    #expect(site.shown("version") == #"{"version":"1.2.0"}"#)
  }

  @Test func olderVersionsAndPreReleasesMustBeNamed() throws {
    try publish("1.1.0")
    try publish("1.3.0-rc.1")
    #expect(site.run("plugin upgrade shelf --yes -o tsv --no-header --fields status").output == "current\n")
    #expect(site.run("plugin upgrade shelf@1.3.0-rc.1 --yes").exit == .success)
    #expect(site.run("plugin upgrade shelf@1.1.0 --yes").exit == .success)
    #expect(site.shown("version,previous_version") == #"{"version":"1.1.0","previous_version":"1.3.0-rc.1"}"#)
    #expect(site.run("plugin upgrade shelf@9 --yes").exit == .notFound)
    #expect(site.run("plugin upgrade other --yes").exit == .notFound)
    #expect(site.run("plugin upgrade").exit == .usage)
    #expect(site.run("plugin upgrade shelf --all").exit == .usage)
  }

  @Test func otherFilesForTheSameVersionAreRejected() throws {
    let path = site.plugins.folder["site/index.json"]
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try text.replacing(try Regex(#""content_sha256":"........"#), with: #""content_sha256":"00000000"#)
      .write(toFile: path, atomically: true, encoding: .utf8)
    site.run("plugin index update")
    let outcome = site.run("plugin upgrade shelf --yes")
    #expect(outcome.exit == .failure && outcome.errors.contains("now lists other files for version 1.2.0"))
    #expect(site.run("plugin outdated --json --fields status").output.contains("failed"))
  }

  @Test func changedFilesAreNotRetained() throws {
    try publish("1.3.0")
    site.plugins.folder.write("plugins/shelf/run", "#!/bin/sh\necho changed\n", mode: 0o700)
    #expect(site.run("plugin upgrade shelf --yes").exit == .success)
    #expect(site.hidden == [])
    #expect(site.run("plugin rollback shelf --yes").exit == .failure)
  }

  @Test func aChangedPreviousVersionIsNotRestored() throws {
    try publish("1.3.0")
    #expect(site.run("plugin upgrade shelf --yes").exit == .success)
    site.plugins.folder.write("\(try #require(site.hidden.first))/run", "#!/bin/sh\necho changed\n", mode: 0o700)
    let outcome = site.run("plugin rollback shelf --yes")
    #expect(outcome.exit == .failure && outcome.errors.contains("the files of the earlier version have changed"))
    #expect(site.shown("version,status") == #"{"version":"1.3.0","status":"ready"}"#)
  }

  @Test func theLockFileAppliesToBoth() throws {
    #expect(site.run("plugin verify --write-lock").exit == .success)
    let lock = try #require(site.plugins.folder.text("ifttt-plugins.lock"))
    #expect(lock.contains(#""origin":"\#(site.plugins.folder["site/shelf-1.2.0-any.tar.gz"])""#))
    try publish("1.3.0")
    let outcome = site.run("plugin upgrade shelf --yes")
    #expect(outcome.exit == .failure && outcome.errors.contains("it pins version 1.2.0 of 'shelf', not 1.3.0"))
    try FileManager.default.removeItem(atPath: site.plugins.folder["ifttt-plugins.lock"])
    #expect(site.run("plugin upgrade shelf --yes").exit == .success)
    #expect(site.run("plugin verify --write-lock").exit == .success)
    #expect(site.run("plugin rollback shelf --yes").errors.contains("it pins version 1.3.0"))
  }

  /// If a step of a rollback fails, the plugin stays as it is.
  @Test(arguments: ["exchange", "locked"]) func aFailedRollbackChangesNothing(operation: String) throws {
    try publish("1.3.0")
    #expect(site.run("plugin upgrade shelf --yes").exit == .success)
    let prepare = site.home.prepare
    site.home.prepare = { test in
      prepare(test)
      test.files.failure = { asked, _ in asked == operation ? SystemError(number: 5, call: operation) : nil }
    }
    #expect(site.run("plugin rollback shelf --yes").exit == .failure)
    site.home.prepare = prepare
    #expect(site.shown("version,status") == #"{"version":"1.3.0","status":"ready"}"#)
    #expect(site.run("plugin rollback shelf --yes").exit == .success)
  }

  @Test func aURLIsUpgradedWhenItsChecksumChanges() throws {
    let url = "\(PublishedPlugins.origin)/shelf.tar.gz"
    let (old, new) = ("shelf-1.2.0-any.tar.gz", try site.publish("shelf", "1.3.0"))
    let sums = try #require(site.plugins.folder.text("site/SHA256SUMS")).split(separator: "\n")
    func list(_ archive: String) throws -> [UInt8] {
      Array("\(try #require(sums.first { $0.hasSuffix(archive) }).prefix(64))  shelf.tar.gz\n".utf8)
    }
    let first = Server().answering(with: try list(old)).answering(with: try site.bytes(old)).answering(404)
    #expect(site.run("plugin install \(url) --yes", first).exit == .success)
    #expect(site.run("plugin outdated --json", Server().answering(with: try list(old))).output == "[]\n")
    let outdated = site.run("plugin outdated --json --fields latest,status", Server().answering(with: try list(new)))
    #expect(outdated.output.contains(#"{"latest":null,"status":"outdated"}"#))
    #expect(site.run("plugin upgrade shelf --offline").exit == .unavailable)
    let second = Server().answering(with: try list(new))
      .answering(with: try site.bytes(new)).answering(404)
    let upgrade = site.run("plugin upgrade shelf --yes", second)
    #expect(upgrade.exit == .success, "\(upgrade.errors)")
    // What is there next is older than the installed version.
    let third = Server().answering(with: try list(old))
      .answering(with: try site.bytes(old)).answering(404)
    let downgrade = site.run("plugin upgrade shelf --yes", third)
    #expect(downgrade.exit == .failure && downgrade.errors.contains("version 1.2.0 is older than the installed 1.3.0"))
  }

  @Test func aPathHasNoNewerVersions() throws {
    #expect(site.run("plugin install \(site.plugins.folder["source/shelf"]) --yes").exit == .success)
    #expect(site.run("plugin outdated --json").output == "[]\n")
    let outcome = site.run("plugin upgrade shelf")
    #expect(outcome.exit == .failure && outcome.errors.contains("it was installed from a path"))
    #expect(site.run("plugin upgrade --all --json").output == "[]\n")
  }
}
