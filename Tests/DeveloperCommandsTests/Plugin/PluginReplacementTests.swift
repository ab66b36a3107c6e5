import Foundation
import JSON
import PluginProtocol
import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// The description of a plugin that replaces another, and the credentials that it inherits.
@Suite struct PluginReplacementTests {
  let plugins = PluginHome(Home.tracking("aa"))
  private let provider = FakeProvider("shelf", [.showConnection])

  private static let manifest = PluginHome.manifest.replacing("\"hosts\"", with: "\"credentials\": [\"*\"], \"hosts\"")

  /// Makes a plugin of this name store or read a credential, as it would when it runs.
  private func ask(_ method: String, _ params: Value, profile: String = "default") -> Result<Value, PluginError>? {
    provider.credentials = ["*"]
    provider.answers["connections/show"] = { _ in
      [.ask(method, params), .answer(["connection": FakeProvider.connection("s1")])]
    }
    FakeProvider.install([provider], in: plugins.home)
    let before = provider.responses.count
    plugins.run("connections show shelf:s1 --profile \(profile)")
    plugins.home.providers = []
    return provider.responses.dropFirst(before).first
  }

  private func store() {
    plugins.run("profile create work")
    #expect(ask("credential/put", ["name": "token", "value": "lantern"]) == .success([:]))
    #expect(ask("credential/put", ["name": "token", "value": "kettle"], profile: "work") == .success([:]))
  }

  private func stored(profile: String = "default") -> Result<Value, PluginError>? {
    ask("credential/get", ["name": "token"], profile: profile)
  }

  private func question(_ path: String) -> String {
    plugins.home.terminal = .interactive(columns: 400)
    defer { plugins.home.terminal = .none }
    let outcome = plugins.run("plugin install \(path)", input: .typed(lines: ["n"]))
    // The last sentence before the prompt, which a terminal shows wrapped.
    let shown = outcome.errors.components(separatedBy: "[y/N]")[0]
    let words = shown.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let starts = ["Replace plugin", "Install plugin"].compactMap { words.range(of: $0, options: .backwards) }
    return starts.map(\.lowerBound).max().map { String(words[$0...]) } ?? outcome.errors
  }

  @Test func theSameVendorInheritsCredentials() throws {
    try plugins.install("shelf", manifest: Self.manifest)
    store()
    let newer = try plugins.write("shelf", manifest: Self.manifest.replacing("1.2.0", with: "1.3.0"))
    #expect(
      question(newer)
        == "Replace plugin 'shelf' 1.2.0 with 1.3.0 (inherits 2 stored credentials (profiles default, work))?")
    let notes = plugins.run("plugin install \(newer) --dry-run").notes
    #expect(notes.contains("  = 2 stored credentials (profiles default, work), inherited"))
    #expect(plugins.run("plugin install \(newer) --yes").exit == .success)
    #expect(stored() == .success(["value": "lantern"]))
    #expect(stored(profile: "work") == .success(["value": "kettle"]))
  }

  @Test(arguments: [#""vendor": "Mallory","#, ""]) func anotherVendorInheritsNothing(vendor: String) throws {
    try plugins.install("shelf", manifest: Self.manifest)
    store()
    let other = try plugins.write(
      "shelf", manifest: Self.manifest.replacing(#""vendor": "Lampost","#, with: vendor))
    let name = vendor.isEmpty ? "none" : "'Mallory'"
    #expect(
      question(other) == """
        Replace plugin 'shelf' 1.2.0 with 1.2.0 (the same version with different files; vendor \(name) instead of 'Lampost'; \
        removes 2 stored credentials (profiles default, work) of the other vendor)?
        """)
    // Neither a declined prompt nor a dry run changes anything.
    let notes = plugins.run("plugin install \(other) --dry-run").notes
    #expect(notes.contains("  + vendor \(name)") && notes.contains("  - vendor 'Lampost'"))
    #expect(stored() == .success(["value": "lantern"]))
    #expect(plugins.run("plugin install \(other) --yes").exit == .success)
    #expect(stored() == .success(["value": nil]))
    #expect(stored(profile: "work") == .success(["value": nil]))
  }

  /// A failed installation keeps the old plugin and its credentials.
  @Test func aFailureRemovesNothing() throws {
    try plugins.install("shelf", manifest: Self.manifest)
    store()
    let other = try plugins.write("shelf", manifest: Self.manifest.replacing("Lampost", with: "Mallory"))
    let prepare = plugins.home.prepare
    plugins.home.prepare = { test in
      prepare(test)
      test.files.failure = { operation, _ in
        operation == "exchange" ? SystemError(number: 5, call: operation) : nil
      }
    }
    #expect(plugins.run("plugin install \(other) --yes").exit == .failure)
    plugins.home.prepare = prepare
    #expect(stored() == .success(["value": "lantern"]))
  }

  /// A rollback passes credentials on by the same rule.
  @Test(arguments: ["Lampost", "Mallory"]) func aRollbackKeepsTheCredentialsOfItsVendor(vendor: String) throws {
    try plugins.install("shelf", manifest: Self.manifest)
    let newer = Self.manifest.replacing("1.2.0", with: "1.3.0").replacing("Lampost", with: vendor)
    #expect(plugins.run("plugin install \(try plugins.write("shelf", manifest: newer)) --yes").exit == .success)
    store()
    #expect(plugins.run("plugin rollback shelf --yes").exit == .success)
    #expect(stored() == .success(["value": vendor == "Lampost" ? "lantern" : nil]))
  }

  @Test func aDowngradeIsNoted() throws {
    try plugins.install("shelf")
    let older = try plugins.write("shelf", manifest: PluginHome.manifest.replacing("1.2.0", with: "1.10.0-rc.1"))
    #expect(question(older) == "Replace plugin 'shelf' 1.2.0 with 1.10.0-rc.1?")
    let much = try plugins.write("shelf", manifest: PluginHome.manifest.replacing("1.2.0", with: "1.1.9"))
    #expect(question(much) == "Replace plugin 'shelf' 1.2.0 with 1.1.9 (a downgrade)?")
    #expect(plugins.run("plugin install \(much) --dry-run").notes.contains("It replaces 1.2.0 and is older:"))
  }

  /// The state after restoring a backup: credentials without a plugin. Their vendor is unknown.
  @Test func credentialsWithoutAPluginAreRemoved() throws {
    store()
    let path = try plugins.write("shelf", manifest: Self.manifest)
    let removal = "2 stored credentials (profiles default, work) of an unknown vendor"
    #expect(question(path) == "Install plugin 'shelf' (removes \(removal))?")
    #expect(plugins.run("plugin install \(path) --dry-run").notes.contains("It removes \(removal)."))
    #expect(stored() == .success(["value": "lantern"]))
    #expect(plugins.run("plugin install \(path) --yes").exit == .success)
    #expect(stored() == .success(["value": nil]))
  }

  @Test func credentialsOfAnUnreadablePluginAreRemoved() throws {
    try plugins.install("shelf", manifest: Self.manifest)
    store()
    plugins.folder.write("plugins/shelf/plugin.json", "{}", mode: 0o644)
    let path = try plugins.write("shelf", manifest: Self.manifest)
    #expect(question(path).contains("removes 2 stored credentials (profiles default, work) of an unknown vendor"))
    // What an unreadable plugin declared is unknown, so that every host counts as added.
    #expect(plugins.run("plugin install \(path) --yes --allow-new-permissions").exit == .success)
    #expect(stored() == .success(["value": nil]))
  }

  /// The earlier version, of which nothing is known, does not get the credentials of the present one.
  @Test func aRollbackFromAnUnreadablePluginKeepsNoCredentials() throws {
    try plugins.install("shelf", manifest: Self.manifest)
    let newer = Self.manifest.replacing("1.2.0", with: "1.3.0").replacing(#""vendor": "Lampost","#, with: "")
    let older = Self.manifest.replacing("1.2.0", with: "1.1.0").replacing(#""vendor": "Lampost","#, with: "")
    for manifest in [older, newer] {
      #expect(plugins.run("plugin install \(try plugins.write("shelf", manifest: manifest)) --yes").exit == .success)
    }
    store()
    plugins.folder.write("plugins/shelf/plugin.json", "{}", mode: 0o644)
    let rollback = plugins.run("plugin rollback shelf --yes")
    #expect(rollback.exit == .success, "\(rollback.errors)")
    #expect(stored() == .success(["value": nil]))
  }

  /// Another process installs the plugin of another vendor after the question.
  @Test func aChangeAfterTheQuestionIsAConflict() throws {
    try plugins.install("shelf", manifest: Self.manifest)
    store()
    let newer = try plugins.write("shelf", manifest: Self.manifest.replacing("1.2.0", with: "1.3.0"))
    let installed = Self.manifest.replacing("NAME", with: "shelf")
    let prepare = plugins.home.prepare
    plugins.home.prepare = { [folder = plugins.folder] test in
      prepare(test)
      test.files.failure = { operation, path in
        if operation == "locked", path.hasPrefix(folder["plugins"]) {
          folder.write("plugins/shelf/plugin.json", installed.replacing("Lampost", with: "Mallory"), mode: 0o644)
        }
        return nil
      }
    }
    let outcome = plugins.run("plugin install \(newer) --yes")
    plugins.home.prepare = prepare
    #expect(outcome.exit == .failure && outcome.errors.contains("was changed meanwhile"), "\(outcome.errors)")
    plugins.folder.write("plugins/shelf/plugin.json", installed, mode: 0o644)
    #expect(stored() == .success(["value": "lantern"]))
  }

  // MARK: Names and texts

  @Test(arguments: ["connect", "ifttt", "connections"]) func reservedNamesAreRejectedEverywhere(name: String)
    throws
  {
    let created = plugins.run("plugin new \(name)")
    #expect(created.exit == .failure)
    #expect(created.notes.first == "ifttt: a plugin cannot be named '\(name)'")
    #expect(created.notes.last == "  Choose another name, such as: ifttt plugin new my-\(name)")
    #expect(plugins.run("plugin new my-\(name)").exit == .success)
    let reason = created.notes[1]
    let path = try plugins.write(name)
    #expect(plugins.run("plugin install \(path) --yes").notes.dropFirst().first == reason)
    // Such a plugin is listed but not run if it was copied there, or was installed before the name was reserved.
    try plugins.write(name, in: "plugins")
    #expect(try plugins.listed() == [[name, "shadowed", String(reason.dropFirst(2))]])
    #expect(plugins.run("\(name) empty").exit != .success)
    #expect(plugins.became == nil)
  }

  @Test func onlySupportedProtocolsAreReady() throws {
    let manifest =
      #"{"schema_version":1,"name":"NAME","version":"1","summary":"s","kind":"provider","executable":"run","protocol":["99","2"]}"#
    let path = try plugins.write("shelf", manifest: manifest)
    let reason = "it supports protocol '99', '2', but this program supports '1'"
    #expect(plugins.run("plugin install \(path) --yes").notes.dropFirst().first == "  \(reason)")
    try plugins.write("shelf", in: "plugins", manifest: manifest)
    #expect(try plugins.listed() == [["shelf", "broken", reason]])
    try plugins.install("tides", manifest: manifest.replacing("\"99\"", with: "\"1\""))
    #expect(try plugins.listed().last == ["tides", "ready", nil])
  }

  @Test func confusableLettersAreEscaped() throws {
    let manifest = PluginHome.manifest.replacing("Lampost", with: "L\u{430}mpost").replacing(
      "https://api.lampost.test", with: "https://api.l\u{430}mpost.test")
    let path = try plugins.write("shelf", manifest: manifest)
    let notes = plugins.run("plugin install \(path) --dry-run").notes
    #expect(notes.first == #"shelf 1.2.0, a command plugin by L\u{430}mpost: Things on a shelf"#)
    #expect(notes.contains("  hosts        https://api.xn--lmpost-3nf.test (declared, not enforced)"))
    #expect(plugins.run("plugin install \(path) --yes").exit == .success)
    #expect(plugins.run("plugin show shelf").output.contains(#"L\u{430}mpost"#))
    // JSON output contains the manifest's text unchanged.
    #expect(plugins.run("plugin show shelf --json --fields vendor").output == "{\"vendor\":\"L\u{430}mpost\"}\n")
  }
}
