import Foundation
import JSON
import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// Listing, verifying, locking and removing plugins.
@Suite struct PluginMaintenanceTests {
  let plugins = PluginHome()

  @Test func everyStatusIsListedWithItsReason() throws {
    for name in ["broken", "changed", "exposed", "good"] { try plugins.install(name) }
    plugins.folder.write("plugins/broken/plugin.json", "{}")
    plugins.folder.write("plugins/changed/run", "#!/bin/sh\n", mode: 0o700)
    chmod(plugins.folder["plugins/exposed/run"], 0o722)
    for name in ["help", "stray"] { try plugins.write(name, in: "plugins") }
    try plugins.write("grab", in: "plugins")
    try plugins.bundle("grab")
    // No variable can make plugins run that were not installed.
    try plugins.write("tides", in: "elsewhere")
    plugins.home.environment["IFTTT_LIBEXEC"] = plugins.folder["elsewhere"]
    let rows = try plugins.listed()
    #expect(
      rows.map { "\($0[0] ?? "") \($0[1] ?? "")" } == [
        "broken broken", "changed changed", "exposed unsafe", "good ready", "grab bundled", "grab shadowed",
        "help shadowed", "stray untrusted",
      ])
    for row in rows where !["ready", "bundled"].contains(row[1]) { #expect(row[2]?.isEmpty == false) }
    let first = plugins.run("plugin list --json").lines.dropFirst().first ?? ""
    let problems = ["schema_version", "name", "kind", "version", "summary"].map { "the manifest has no '\($0)'" }
    #expect(
      first.replacing(plugins.folder.path, with: "~")
        == #"{"name":"broken","version":null,"kind":null,"path":"~/plugins/broken","status":"broken","problem":"\#(problems.joined(separator: "; "))"},"#
    )
    // Bundled plugins need no trust.
    #expect(plugins.run("grab empty").exit == .success)
    #expect(plugins.became?.path == plugins.folder["libexec/ifttt/grab/run"])
    #expect(plugins.run("plugin install \(plugins.folder["source/good"]) --yes").exit == .success)
    let taken = try plugins.write("grab")
    #expect(
      plugins.run("plugin install \(taken) --yes").notes.suffix(2) == [
        "  a plugin with this name is included with the program", "  Give it another name in its plugin.json.",
      ])
  }

  @Test func removingDeletesTrustAndFiles() throws {
    try plugins.install("shelf")
    #expect(plugins.run("plugin remove shelf").exit == .failure)
    #expect(plugins.run("plugin remove shelf --dry-run").errors == "Would remove plugin 'shelf'.\n")
    #expect(plugins.run("plugin remove shelf --yes").errors == "Removed plugin 'shelf'.\n")
    #expect(try plugins.listed().isEmpty)
    #expect(plugins.run("shelf empty").exit == .usage)
    #expect(plugins.run("plugin remove shelf --yes").exit == .notFound)
    // The same files are not trusted when they are copied back.
    try plugins.write("shelf", in: "plugins")
    #expect(try plugins.listed().first?[1] == "untrusted")
    #expect(plugins.run("plugin remove shelf --yes").exit == .success)
  }

  @Test func aMissingPluginCanBeRemoved() throws {
    try plugins.install("shelf")
    try FileManager.default.removeItem(atPath: plugins.folder["plugins/shelf"])
    #expect(try plugins.listed() == [["shelf", "missing", "its files are missing"]])
    let listed = plugins.run("plugin list --json --fields name,version,kind").output
    #expect(listed.contains(#"{"name":"shelf","version":"1.2.0","kind":"command"}"#))
    let source = plugins.folder["source/shelf"]
    let advice = "Remove it with 'ifttt plugin remove shelf', or run: ifttt plugin install \(source)"
    #expect(plugins.run("plugin show shelf --output json --fields advice").output.contains(advice))
    let verified = plugins.run("plugin verify")
    #expect(verified.exit == .failure)
    #expect(verified.errors.contains("shelf: its files are missing"))
    #expect(plugins.run("plugin remove shelf --yes").exit == .success)
    #expect(plugins.run("plugin verify").exit == .success)
  }

  @Test func bundledPluginsCannotBeRemoved() throws {
    try plugins.bundle("grab")
    #expect(plugins.run("plugin remove grab --yes").notes.first == "ifttt: plugin 'grab' is included with the program")
  }

  @Test func verifyingReadsEveryFile() throws {
    try plugins.install("shelf")
    #expect(plugins.run("plugin verify --json --fields name,status").output.contains(#""shelf","status":"ready""#))
    // A change that size and metadata do not reveal.
    plugins.folder.write("plugins/shelf/run", "#!/bin/sh\necho bad!!\n", mode: 0o700)
    let outcome = plugins.run("plugin verify shelf --json --fields name,status")
    #expect(outcome.output.contains(#""shelf","status":"changed""#))
    #expect(outcome.exit == .failure)
    #expect(plugins.run("plugin verify nope").exit == .notFound)
  }

  @Test func theLockFileRestrictsInstallVerifyAndRun() throws {
    try plugins.install("shelf")
    try plugins.install("tides")
    #expect(plugins.run("plugin verify shelf --write-lock").exit == .usage)
    #expect(plugins.run("plugin verify --write-lock").exit == .success)
    let lock = try #require(plugins.folder.text("ifttt-plugins.lock"))
    #expect(plugins.run("shelf empty").exit == .success)
    // A different version, and a plugin that the lock file does not list.
    let newer = try plugins.write("shelf", manifest: PluginHome.manifest.replacing("1.2.0", with: "1.3.0"))
    let refused = plugins.run("plugin install \(newer) --yes")
    #expect(refused.exit == .failure)
    #expect(refused.errors.contains("it pins version 1.2.0 of 'shelf', not 1.3.0"))
    plugins.folder.write("ifttt-plugins.lock", lock.replacing("tides", with: "waves"))
    let start = plugins.run("tides empty")
    #expect(start.exit == .failure)
    #expect(start.errors.contains("it does not contain 'tides'"))
    #expect(plugins.became == nil)
    #expect(plugins.run("plugin verify").exit == .failure)
    #expect(try plugins.listed().last?[2]?.hasSuffix("it does not contain 'tides'") == true)
    #expect(plugins.run("shelf empty").exit == .success)
  }

  @Test func anUnreadableLockFileBlocksAllPlugins() throws {
    try plugins.install("shelf")
    plugins.folder.write("ifttt-plugins.lock", "{")
    #expect(plugins.run("shelf empty").exit == .failure)
    try FileManager.default.removeItem(atPath: plugins.folder["ifttt-plugins.lock"])
    plugins.home.environment["IFTTT_PLUGINS_LOCK"] = plugins.folder["ci.lock"]
    let missing = plugins.run("shelf empty")
    #expect(missing.exit == .failure)
    #expect(missing.notes.last == "  IFTTT_PLUGINS_LOCK names it.")
    #expect(plugins.run("plugin verify --write-lock").exit == .success)
    #expect(plugins.run("shelf empty").exit == .success)
  }

  /// Opening a pipe blocks until it has a writer.
  @Test func aPipeAsLockFileDoesNotBlock() throws {
    try plugins.install("shelf")
    mkfifo(plugins.folder["ifttt-plugins.lock"], 0o600)
    for line in [
      "shelf empty", "plugin list", "plugin verify", "plugin install \(plugins.folder["source/shelf"]) --yes",
    ] {
      let outcome = plugins.run(line)
      #expect(outcome.exit == .failure)
      #expect(outcome.errors.contains("ifttt-plugins.lock: not a regular file"), "\(outcome.errors)")
    }
  }

  /// Files that the program writes for itself and reads again unasked.
  @Test(arguments: [
    ("recording/recording.json", "connections list --replay REPLAY"),
    ("sandbox.json", "connections list --profile sandbox"),
  ])
  func pipesInPlaceOfOwnFilesDoNotBlock(name: String, line: String) throws {
    try FileManager.default.createDirectory(
      atPath: plugins.folder["recording"], withIntermediateDirectories: true)
    mkfifo(plugins.folder[name], 0o600)
    let outcome = plugins.run(line.replacing("REPLAY", with: plugins.folder["recording"]))
    #expect(outcome.exit != .success)
    #expect(outcome.errors.contains("not a regular file"), "\(outcome.errors)")
  }

  /// A symbolic link in place of the plugins' folder may lead anywhere.
  @Test func aLinkedPluginsFolderIsRejected() throws {
    try plugins.install("shelf")
    let folder = plugins.folder["plugins"]
    rename(folder, plugins.folder["far"])
    symlink(plugins.folder["far"], folder)
    #expect(try plugins.listed() == [["shelf", "unsafe", "\(folder) is a symbolic link"]])
    let run = plugins.run("shelf empty")
    #expect(run.exit == .failure && plugins.became == nil)
    let install = plugins.run("plugin install \(plugins.folder["source/shelf"]) --yes")
    #expect(install.notes.first == "ifttt: plugin 'shelf' cannot be installed")
    let advice = try #require(run.notes.last?.split(separator: "Run: ").last)
    #expect(install.notes.last?.hasSuffix(advice) == true)
    // The suggested command works as printed.
    #expect(try Tool.required("sh").run(["-c", String(advice)], in: ScratchFolder()).status == 0)
    #expect(try plugins.listed() == [["shelf", "ready", nil]])
    #expect(plugins.run("shelf empty").exit == .success)
  }

  /// The link is neither followed nor ignored, and its target remains when the plugin is removed.
  @Test func aLinkedPluginIsBroken() throws {
    try plugins.install("shelf")
    let (folder, far) = (plugins.folder["plugins/shelf"], plugins.folder["far"])
    rename(folder, far)
    symlink(far, folder)
    #expect(try plugins.listed() == [["shelf", "broken", "its folder is a symbolic link, which is not followed"]])
    #expect(plugins.run("shelf empty").exit == .failure)
    #expect(plugins.run("plugin remove shelf --yes").exit == .success)
    #expect(try plugins.listed().isEmpty)
    #expect(plugins.folder.text("far/run") != nil)
  }

  @Test func doctorChecksThePlugins() throws {
    func row() throws -> JSONValue {
      let output = plugins.run("doctor --offline --json").output
      return try #require(
        try JSONValue(parsing: Array(output.utf8))["checks"]?.array?.first { $0["check"] == "plugins" }
          ?? JSONValue(parsing: Array(output.utf8)).array?.first { $0["check"] == "plugins" })
    }
    #expect(try row()["status"] == "ok")
    let interpreter = plugins.folder.write("sh", "", mode: 0o755)
    let source = try plugins.write("shelf")
    plugins.folder.write("source/shelf/run", "#!\(interpreter)\n", mode: 0o755)
    #expect(plugins.run("plugin install \(source) --yes").exit == .success)
    #expect(try row()["found"] == "shelf (ready)")
    chmod(plugins.folder["plugins/shelf/run"], 0o722)
    let path = plugins.folder["plugins/shelf/run"]
    #expect(try row()["found"]?.string == "shelf: other users can write to \(path)")
    #expect(try row()["status"] == "warning")
  }
}
