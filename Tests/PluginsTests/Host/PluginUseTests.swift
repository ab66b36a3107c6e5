import Foundation
import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// Running a command plugin: the executable, its arguments and variables, and the conditions under which it is not
/// run.
@Suite struct PluginUseTests {
  let plugins = PluginHome()

  @Test func theProcessBecomesThePlugin() throws {
    try plugins.install("shelf")
    plugins.home.environment = ["LAMPOST_REGION": "eu", "PATH": "/bin", "IFTTT_SERVICE_KEY": "secret", "OTHER": "x"]
    let outcome = plugins.run("-o csv shelf add --profile sandbox --colour red -q 'A vase'")
    #expect(outcome.exit == .success)
    let became = try #require(plugins.became)
    #expect(became.path == plugins.folder["plugins/shelf/run"])
    #expect(
      became.arguments.map { String(decoding: $0, as: UTF8.self) } == ["run", "add", "--colour", "red", "A vase"])
    #expect(
      became.environment == [
        "PATH=/bin", "LAMPOST_REGION=eu", "PYTHONDONTWRITEBYTECODE=1",
        "IFTTT_PLUGIN_DIR=\(plugins.folder["plugins/shelf"])", "IFTTT_PROGRAM=ifttt", "IFTTT_PROFILE=sandbox",
        "IFTTT_OUTPUT=csv",
      ])
  }

  @Test func argumentsAreValidatedFirst() throws {
    try plugins.install("shelf")
    for (line, text) in [
      ("shelf add --colour green x", "invalid value 'green' for '--colour'"), ("shelf add", "missing argument TITLE"),
      ("shelf remove", "unknown command 'remove' of 'ifttt shelf'"), ("shelf empty x", "unexpected argument 'x'"),
    ] {
      let outcome = plugins.run(line)
      #expect(outcome.exit == .usage)
      #expect(outcome.notes.first == "ifttt: \(text)")
      #expect(plugins.became == nil)
    }
  }

  @Test func withoutDeclaredCommandsArgumentsArePassedThrough() throws {
    let manifest =
      #"{"schema_version":1,"name":"NAME","version":"1","summary":"Raw","kind":"command","executable":"run"}"#
    try plugins.install("raw", manifest: manifest)
    plugins.run("raw --unknown --json -- -x --json")
    let arguments = plugins.became?.arguments.map { String(decoding: $0, as: UTF8.self) }
    #expect(arguments == ["run", "--unknown", "--", "-x", "--json"])
  }

  @Test func aChangedPluginIsNotRun() throws {
    try plugins.install("shelf")
    plugins.folder.write("plugins/shelf/run", "#!/bin/sh\necho bad\n", mode: 0o700)
    let outcome = plugins.run("shelf empty --json")
    #expect(outcome.exit == .failure)
    #expect(outcome.errors.contains(#""code":"refused""#))
    #expect(outcome.errors.contains("its files have changed since it was installed"))
    #expect(plugins.became == nil)
  }

  @Test func aBrokenPluginReportsTheReason() throws {
    try plugins.install("shelf")
    plugins.folder.write("plugins/shelf/plugin.json", "{}")
    let outcome = plugins.run("shelf --what ever")
    #expect(
      outcome.errors == """
        ifttt: plugin 'shelf' is not run
          the manifest has no 'schema_version'; the manifest has no 'name'; the manifest has no 'kind'; the manifest has no 'version'; the manifest has no 'summary'
          Install it again, or run: ifttt plugin remove shelf

        """)
    #expect(plugins.run("shelf --json").errors.contains(#""code":"plugin_failed""#))
    #expect(!plugins.run("--help").output.contains("shelf"))
  }

  /// The same bytes in new files, for example after a disk was restored from a backup.
  @Test func theSameBytesInNewFilesAreReadOnce() throws {
    try plugins.install("shelf")
    plugins.folder.write("plugins/shelf/run", "#!/bin/sh\necho hello\n", mode: 0o700)
    var reads = 0
    let prepare = plugins.home.prepare
    plugins.home.prepare = { test in
      prepare(test)
      test.files.failure = { operation, path in
        if operation == "read", path.hasSuffix("shelf/run") { reads += 1 }
        return nil
      }
    }
    for _ in 0..<2 { #expect(plugins.run("shelf empty").exit == .success) }
    #expect(reads == 1)
    plugins.home.environment["IFTTT_PLUGIN_VERIFY"] = "always"
    #expect(plugins.run("shelf empty").exit == .success)
    #expect(reads == 2)
  }

  @Test func disabledPluginsAreNotLocated() throws {
    try plugins.install("shelf")
    let prepare = plugins.home.prepare
    plugins.home.prepare = { test in
      prepare(test)
      test.files.failure = { _, path in
        if path.contains("/plugins") { Issue.record("\(path) was accessed") }
        return nil
      }
    }
    for line in ["--no-plugins shelf empty", "shelf empty --no-plugins", "--no-plugins --help", "help --no-plugins"] {
      #expect(!plugins.run(line).output.contains("Things"))
    }
    #expect(plugins.run("plugin list --no-plugins").exit == .failure)
    plugins.home.environment["IFTTT_NO_PLUGINS"] = "1"
    #expect(plugins.run("shelf empty").exit == .usage)
  }

  /// The program's own commands never look for plugins.
  @Test(arguments: ["connections list", "version", "connections list --help", "profile list", "connections lsit"])
  func ownCommandsDoNotLocatePlugins(line: String) throws {
    try plugins.install("shelf")
    let prepare = plugins.home.prepare
    plugins.home.prepare = { test in
      prepare(test)
      test.files.failure = { _, path in
        if path.contains("/plugins") { Issue.record("\(path) was accessed") }
        return nil
      }
    }
    _ = plugins.run(line)
  }

  @Test func aProviderMayHaveNoCommands() throws {
    let manifest =
      #"{"schema_version":1,"name":"NAME","version":"1","summary":"Feeds","kind":"provider","protocol":["1"],"executable":"run"}"#
    try plugins.install("feeds", manifest: manifest)
    let outcome = plugins.run("feeds any thing")
    #expect(outcome.exit == .failure)
    #expect(outcome.notes.first == "ifttt: plugin 'feeds' has no commands")
    #expect(plugins.run("help feeds").output.hasPrefix("Feeds\n"))
    #expect(!plugins.run("--help").output.contains("Feeds"))
  }

  @Test func aDryRunRunsNothing() throws {
    try plugins.install("shelf")
    let outcome = plugins.run("shelf empty --dry-run")
    #expect(outcome.errors == "Would run plugin 'shelf', which does not support --dry-run.\n")
    #expect(plugins.became == nil)
  }

  @Test func aCommandPluginCannotBeRecorded() throws {
    try plugins.install("shelf")
    let outcome = plugins.run("shelf empty --record \(plugins.folder["record"])")
    #expect(outcome.exit == .failure)
    #expect(outcome.notes.contains("ifttt: plugin 'shelf' cannot be recorded"))
    #expect(plugins.became == nil)
  }

  @Test func aStartFailureIsAPluginFailure() throws {
    try plugins.install("shelf")
    plugins.home.prepare = { $0.processes.becoming = .failure(SystemError(number: ENOEXEC, call: "start")) }
    let outcome = plugins.run("shelf empty --json")
    #expect(outcome.exit == .failure)
    #expect(outcome.errors.contains(#""code":"plugin_failed""#))
  }
}
