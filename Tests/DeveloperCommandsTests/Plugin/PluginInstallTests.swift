import Foundation
import JSON
import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// Installing: the description, the prompt, the rejections and the result.
@Suite struct PluginInstallTests {
  let plugins = PluginHome()

  @Test func promptsAfterTheDescription() throws {
    let path = try plugins.write("shelf")
    plugins.home.terminal = .interactive(columns: 200)
    plugins.home.environment["NO_COLOR"] = "1"
    let refused = plugins.run("plugin install \(path)", input: .typed(lines: ["n"]))
    #expect(refused.exit == .failure)
    let notes = refused.notes.map { $0.replacing(plugins.folder.path, with: "~") }
    #expect(
      notes.prefix(8) == [
        "shelf 1.2.0, a command plugin by Lampost: Things on a shelf",
        "  from         ~/source/shelf",
        "  hosts        https://api.lampost.test (declared, not enforced)",
        "  credentials  none",
        "  environment  LAMPOST_REGION",
        "  browser      none",
        "  file access  none",
        "  size         2 files, \(try size(path)) bytes",
      ])
    #expect(notes.dropFirst(8).first?.hasPrefix("  SHA-256      ") == true)
    #expect(notes.last?.contains("not confirmed, nothing was changed") == true)
    #expect(try plugins.listed().isEmpty)
    #expect(plugins.run("plugin install \(path)", input: .typed(lines: ["y"])).exit == .success)
    #expect(try plugins.listed() == [["shelf", "ready", nil]])
  }

  private func size(_ path: String) throws -> Int {
    try ["plugin.json", "run"].reduce(0) {
      $0 + (try FileManager.default.attributesOfItem(atPath: "\(path)/\($1)")[.size] as? Int ?? 0)
    }
  }

  @Test func withoutATerminalItFailsWithTheDescription() throws {
    let path = try plugins.write("shelf")
    let refused = plugins.run("plugin install \(path) --json")
    #expect(refused.exit == .failure)
    let error = try JSONValue(parsing: Array(refused.errors.utf8))["error"]
    #expect(error?["code"] == "confirmation_required")
    #expect(error?["details"]?.array?.count == 9)
    #expect(!plugins.folder.names.contains { $0.hasPrefix("plugins") })
  }

  @Test func aPrivateCopyIsInstalled() throws {
    let path = try plugins.write("shelf")
    plugins.folder.write("source/shelf/.secret", "x")
    let row = try JSONValue(parsing: Array(plugins.run("plugin install \(path) --yes --json").output.utf8))
    #expect(row["origin"]?.string == path)
    #expect(row["status"] == "ready")
    #expect(row["commands"] == ["shelf add", "shelf empty"])
    #expect(row["environment"] == ["LAMPOST_REGION"])
    #expect(row["installed_at"] == "2026-09-21T14:13:20Z")
    let names = plugins.folder.names.filter { $0.hasPrefix("plugins/") }
    #expect(names == ["plugins/.lock", "plugins/shelf", "plugins/shelf/plugin.json", "plugins/shelf/run"])
    for (name, mode) in [("", 0o700), ("/run", 0o700), ("/plugin.json", 0o600)] {
      let attributes = try FileManager.default.attributesOfItem(atPath: plugins.folder["plugins/shelf\(name)"])
      #expect(attributes[.posixPermissions] as? Int == mode)
    }
  }

  @Test func anUpdateShowsItsChanges() throws {
    try plugins.install("shelf")
    let newer = PluginHome.manifest.replacing("1.2.0", with: "1.3.0")
      .replacing("LAMPOST_REGION", with: "LAMPOST_ZONE").replacing(
        "\"hosts\"", with: "\"credentials\": [\"account/*\"], \"hosts\"")
    let path = try plugins.write("shelf", manifest: newer)
    plugins.folder.write("source/shelf/data", "x")
    let notes = plugins.run("plugin install \(path) --dry-run").notes.dropFirst(9)
    #expect(
      Array(notes) == [
        "It replaces 1.2.0:", "  + credential account/*", "  + variable LAMPOST_ZONE", "  - variable LAMPOST_REGION",
        "  + file data", "  ~ file plugin.json", "Would install plugin 'shelf'.",
      ])
    #expect(plugins.run("plugin show shelf --json --fields version").output.contains("1.2.0"))
    #expect(plugins.run("plugin install \(path) --yes --allow-new-permissions").exit == .success)
    let row = plugins.run("plugin show shelf --json --fields version,credentials,environment,status").output
    #expect(
      row == #"{"version":"1.3.0","credentials":["account/*"],"environment":["LAMPOST_ZONE"],"status":"ready"}"# + "\n")
    // The files before are kept for a rollback.
    let hidden = plugins.folder.names.filter { $0.hasPrefix("plugins/.") && $0.hasSuffix("/plugin.json") }
    #expect(hidden.count == 1)
  }

  @Test func anUntrustedPluginCanBeTrustedInPlace() throws {
    let path = try plugins.write("shelf", in: "plugins")
    #expect(try plugins.listed().first?[1] == "untrusted")
    let refused = plugins.run("shelf empty")
    #expect(refused.exit == .failure)
    #expect(refused.notes.last == "  Inspect it, then run: ifttt plugin install \(path)")
    #expect(plugins.run("plugin install \(path) --yes").exit == .success)
    #expect(try plugins.listed() == [["shelf", "ready", nil]])
  }

  @Test(arguments: ["run", "plugin.json"]) func installingAFileCopiesOnlyListedFiles(name: String) throws {
    let path = try plugins.write("shelf")
    plugins.folder.write("source/shelf/other.txt", "not a part of it")
    #expect(plugins.run("plugin install \(path)/\(name) --yes").exit == .success)
    #expect(!plugins.folder.names.contains("plugins/shelf/other.txt"))
    #expect(plugins.run("plugin install \(path)/other.txt --yes").exit == .failure)
  }

  @Test func invalidPluginsAreRejected() throws {
    let own = try plugins.write("connections")
    #expect(
      plugins.run("plugin install \(own) --yes").errors == """
        ifttt: plugin 'connections' cannot be installed
          'ifttt connections' is a command of the program itself
          Give it another name in its plugin.json.

        """)
    let missing = plugins.run("plugin install \(plugins.folder["nowhere"]) --yes")
    #expect(missing.exit == .notFound)
    let broken = try plugins.write("broken", manifest: "{}")
    let outcome = plugins.run("plugin install \(broken) --yes --json")
    #expect(outcome.exit == .failure)
    #expect(outcome.errors.contains(#""code":"plugin_failed""#))
    #expect(outcome.errors.contains("the manifest has no 'schema_version'"))
    let hiding = try plugins.write("hiding", manifest: PluginHome.manifest.replacing("colour\",", with: "json\","))
    #expect(
      plugins.run("plugin install \(hiding) --yes").notes.suffix(2)
        == [
          "  option '--json' of 'hiding add' conflicts with the global option '--json'",
          "  Fix this in its plugin.json.",
        ])
    let linked = try plugins.write("linked")
    symlink("/etc/passwd", linked + "/link")
    #expect(
      plugins.run("plugin install \(linked) --yes").notes.suffix(2) == [
        "  'link' is neither a file nor a folder", "  See ifttt-plugin(5) for the files that a plugin may contain.",
      ])
    #expect(try plugins.listed().isEmpty)
  }

  /// If any step fails, the installed plugin remains and still runs.
  @Test(arguments: ["replace", "makeNewFolder", "exchange"]) func aFailureKeepsTheOldPlugin(operation: String) throws {
    try plugins.install("shelf")
    let path = try plugins.write("shelf", manifest: PluginHome.manifest.replacing("1.2.0", with: "1.3.0"))
    let prepare = plugins.home.prepare
    plugins.home.prepare = { test in
      prepare(test)
      test.files.failure = { asked, _ in
        asked == operation ? SystemError(number: ENOSPC, call: operation) : nil
      }
    }
    #expect(plugins.run("plugin install \(path) --yes").exit == .failure)
    plugins.home.prepare = prepare
    #expect(
      plugins.run("plugin show shelf --json --fields version,status").output.contains(#""1.2.0","status":"ready""#))
    #expect(plugins.run("shelf empty").exit == .success)
    #expect(plugins.folder.names.filter { $0.hasPrefix("plugins/.") } == ["plugins/.lock"])
  }

  /// The files are in place before the store records them, and are restored if that fails.
  @Test(arguments: [true, false]) func anUnusableStoreInstallsNothing(hasOlder: Bool) throws {
    plugins.run("profile create work")
    if hasOlder { try plugins.install("shelf") }
    let path = try plugins.write("shelf", manifest: PluginHome.manifest.replacing("1.2.0", with: "1.3.0"))
    let before = plugins.folder.names
    chmod(plugins.folder["ifttt.db"], 0o666)
    #expect(plugins.run("plugin install \(path) --yes").exit == .store)
    chmod(plugins.folder["ifttt.db"], 0o600)
    #expect(plugins.folder.names == before)
  }

  /// The same at the last moment, when the files are already exchanged.
  @Test(.enabled(if: Tool.isInstalled("python3"), "skipped: needs python3"), arguments: [true, false])
  func aFailedRecordRestoresTheOldFiles(hasOlder: Bool) throws {
    plugins.run("profile create work")
    if hasOlder { try plugins.install("shelf") }
    let path = try plugins.write("shelf", manifest: PluginHome.manifest.replacing("1.2.0", with: "1.3.0"))
    let database = plugins.folder["ifttt.db"]
    func rename(_ table: String, to other: String) throws {
      let script =
        "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('ALTER TABLE \(table) RENAME TO \(other)')"
      #expect(try Tool.required("python3").run(["-c", script, database], in: ScratchFolder()).status == 0)
    }
    let prepare = plugins.home.prepare
    plugins.home.prepare = { test in
      prepare(test)
      var isFirst = true
      test.files.failure = { operation, _ in
        if operation == "exchange", isFirst {
          isFirst = false
          try? rename("plugin", to: "elsewhere")
        }
        return nil
      }
    }
    #expect(plugins.run("plugin install \(path) --yes").exit == .store)
    plugins.home.prepare = prepare
    try rename("elsewhere", to: "plugin")
    #expect(plugins.folder.names.filter { $0.hasPrefix("plugins/.") } == ["plugins/.lock"])
    let present = plugins.folder.text("plugins/shelf/plugin.json")
    #expect(present?.contains("1.2.0") == (hasOlder ? true : nil))
    if hasOlder { #expect(plugins.run("shelf empty").exit == .success) }
  }
}
