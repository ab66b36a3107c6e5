import Foundation
import JSON
import ProgramDriver
import Session
import Support
import Testing
import World

/// Plugins that came with the program, and the lock file that pins them.
@Suite struct BundledPluginTests {
  let plugins = PluginHome()

  private func show(_ name: String) throws -> JSONValue {
    try JSONValue(parsing: Array(plugins.run("plugin show \(name) --json").output.utf8))
  }

  /// Bundles a plugin, and pins it as script/bundle does.
  private func bundle(_ more: String = "", sha256: String? = nil) throws -> String {
    try plugins.bundle("grab")
    let verified = try JSONValue(parsing: Array(plugins.run("plugin verify grab --json").output.utf8))
    let own = try #require(verified.array?.first?["sha256"]?.string)
    plugins.folder.write(
      "libexec/ifttt/ifttt-plugins.lock",
      #"{"version": 1, "plugins": {"grab": {"version": "1.2.0", "sha256": "\#(sha256 ?? own)"\#(more)}}}"#)
    return own
  }

  @Test func aBuildFromSourceIsNotSigned() throws {
    let sha256 = try bundle()
    let shown = try show("grab")
    #expect(shown["status"]?.string == "bundled")
    #expect(shown["origin"]?.string == "included with the program, from a build that is not signed")
    #expect(shown["signer"] == .null && shown["signer_key"] == .null)
    #expect(shown["sha256"]?.string == sha256)
    #expect(plugins.run("plugin show grab").output.contains("from a build that is not signed"))
  }

  @Test func aReleaseShowsItsSigner() throws {
    _ = try bundle(#", "archive_sha256": "ab", "signer": "ifttt-releases", "signer_key": "SHA256:x""#)
    let shown = try show("grab")
    #expect(shown["origin"]?.string == "included with the program")
    #expect(shown["signer"]?.string == "ifttt-releases" && shown["signer_key"]?.string == "SHA256:x")
    #expect(shown["archive_sha256"]?.string == "ab")
  }

  @Test func changedFilesAreFound() throws {
    _ = try bundle()
    #expect(plugins.run("plugin verify").exit == .success)
    plugins.folder.write("libexec/ifttt/grab/run", "#!/bin/sh\necho other\n", mode: 0o755)
    let verified = plugins.run("plugin verify")
    #expect(verified.exit == .failure)
    #expect(verified.notes.contains("  grab: its files have changed since the program was built"))
    plugins.home.environment["IFTTT_PLUGIN_VERIFY"] = "always"
    #expect(plugins.run("grab empty").exit == .failure)
    #expect(plugins.became == nil)
  }

  /// Without the bundled plugin, its name is like any other.
  @Test func itsNameIsNotReserved() throws {
    try plugins.install("grab")
    #expect(try plugins.listed().map { $0[1] } == ["ready"])
    #expect(plugins.run("grab empty").exit == .success)
    #expect(plugins.became?.path == plugins.folder["plugins/grab/run"])
    try plugins.bundle("grab")
    #expect(try plugins.listed().map { $0[1] } == ["bundled", "shadowed"])
    #expect(plugins.run("grab empty").exit == .success)
    #expect(plugins.became?.path == plugins.folder["libexec/ifttt/grab/run"])
    // The origin of the installed plugin is not that of the bundled one.
    #expect(try show("grab")["origin"]?.string?.hasPrefix("included with the program") == true)
  }
}
