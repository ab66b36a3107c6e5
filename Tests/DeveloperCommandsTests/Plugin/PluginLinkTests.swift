import Foundation
import JSON
import PluginProtocol
import ProgramDriver
import Store
import Support
import Testing
import World

@testable import Session

/// `plugin link` and `plugin unlink`, and the use of a linked plugin.
@Suite struct PluginLinkTests {
  let plugins = PluginHome()

  private func link(_ name: String = "shelf", manifest: String = PluginHome.manifest) throws -> String {
    let path = try plugins.write(name, manifest: manifest)
    #expect(plugins.run("plugin link \(path) --yes").exit == .success)
    return try #require(realpath(path, nil).map { String(cString: $0) })
  }

  @Test func aLinkedPluginRunsInPlaceAndUnhashed() throws {
    let path = try link()
    #expect(try plugins.listed() == [["shelf", "linked", nil]])
    #expect(plugins.run("shelf add x").exit == .success)
    #expect(plugins.became?.path == "\(path)/run")
    plugins.folder.write("source/shelf/run", "#!/bin/sh\necho changed\n", mode: 0o755)
    #expect(plugins.run("shelf add x").exit == .success)
    let details = plugins.run("plugin show shelf --json").output
    #expect(details.contains(#""status":"linked""#) && details.contains(#""sha256":null"#), "\(details)")
    #expect(details.contains(#""path":"\#(path)""#))
    #expect(plugins.run("plugin verify").exit == .success)
  }

  @Test func theQuestionShowsWhatItMayDo() throws {
    let manifest = PluginHome.manifest.replacing(
      #""executable": "run","#,
      with: #""executable": "run", "browser": true, "files": [{"path": "~/notes", "access": "write"}],"#)
    let path = try plugins.write("shelf", manifest: manifest)
    let outcome = plugins.run("plugin link \(path) --json")
    #expect(outcome.exit == .failure)
    for text in [
      "Link plugin 'shelf'?", "opens pages in your browser", "write ~/notes (declared, not enforced on this system)",
      "https://api.lampost.test (declared, not enforced)", "not checked: changes in its folder take effect at once",
    ] {
      #expect(outcome.errors.contains(text), "\(text) in \(outcome.errors)")
    }
    #expect(try plugins.listed() == [])
    #expect(plugins.run("plugin link \(path) --dry-run").exit == .success)
    #expect(try plugins.listed() == [])
  }

  @Test func ciAndTheOptionDisableIt() throws {
    let path = try link()
    let option = plugins.run("shelf add x --no-linked-plugins --json")
    #expect(option.exit == .failure && plugins.became == nil)
    #expect(option.errors.contains("--no-linked-plugins disables linked plugins"))
    #expect(option.errors.contains("ifttt plugin install \(path)"))
    plugins.home.environment["CI"] = "true"
    let ci = plugins.run("shelf add x --json")
    #expect(ci.exit == .failure && plugins.became == nil)
    #expect(ci.errors.contains("linked plugins are not run if CI is set"))
    #expect(try plugins.listed() == [["shelf", "linked", "it is linked, and linked plugins are not run if CI is set"]])
    plugins.home.environment["CI"] = ""
    #expect(plugins.run("shelf add x").exit == .success)
  }

  @Test func aLockFileExcludesIt() throws {
    _ = try link()
    plugins.folder.write("pins.lock", #"{"version":1,"plugins":{}}"#)
    #expect(plugins.run("plugin verify --write-lock").exit == .success)
    plugins.home.environment["IFTTT_PLUGINS_LOCK"] = plugins.folder["pins.lock"]
    #expect(plugins.run("plugin verify --write-lock").exit == .success)
    #expect(plugins.folder.text("pins.lock")?.contains("shelf") == false)
    let outcome = plugins.run("shelf add x --json")
    #expect(outcome.exit == .failure)
    #expect(outcome.errors.contains("allows only installed plugins"), "\(outcome.errors)")
  }

  @Test func aLinkFileAloneIsNotTrusted() throws {
    let path = try link()
    let other = try plugins.write("shelf", in: "other")
    plugins.folder.write("plugins/shelf.link", other + "\n")
    #expect(plugins.run("shelf add x").exit == .failure)
    #expect(try plugins.listed().first?[1] == "untrusted")
    plugins.folder.write("plugins/shelf.link", path + "\n")
    #expect(plugins.run("shelf add x").exit == .success)
  }

  /// The manifest of a linked plugin can change, but not what the user granted.
  @Test func aChangedManifestGrantsNothing() throws {
    _ = try link()
    let wider = PluginHome.manifest.replacing(#"["LAMPOST_REGION"]"#, with: #"["LAMPOST_REGION", "MORE"]"#)
      .replacing("NAME", with: "shelf")
    plugins.folder.write("source/shelf/plugin.json", wider)
    plugins.home.environment = ["LAMPOST_REGION": "eu", "MORE": "secret"]
    #expect(plugins.run("shelf add x").exit == .success)
    let environment = plugins.became?.environment ?? []
    #expect(environment.contains("LAMPOST_REGION=eu") && !environment.contains { $0.hasPrefix("MORE=") })
    #expect(plugins.run("plugin link \(plugins.folder["source/shelf"]) --yes").exit == .success)
    #expect(plugins.run("shelf add x").exit == .success)
    #expect(plugins.became?.environment.contains("MORE=secret") == true)
  }

  @Test func aLinkHidesAnInstalledPluginUntilUnlinked() throws {
    try plugins.install("shelf")
    let path = try link()
    #expect(try plugins.listed().map { $0[1] } == ["linked", "shadowed"])
    #expect(plugins.run("shelf add x").exit == .success)
    #expect(plugins.became?.path == "\(path)/run")
    let install = plugins.run("plugin install \(path) --yes")
    #expect(install.exit == .failure && install.errors.contains("plugin unlink shelf"))
    #expect(plugins.run("plugin unlink shelf").exit == .success)
    #expect(try plugins.listed() == [["shelf", "ready", nil]])
    #expect(plugins.run("shelf add x").exit == .success)
    #expect(plugins.became?.path == plugins.folder["plugins/shelf/run"])
    #expect(plugins.run("plugin unlink shelf").exit == .notFound)
  }

  @Test func removingDoesNotTouchTheLinkedFolder() throws {
    let path = try link()
    let remove = plugins.run("plugin remove shelf --yes")
    #expect(remove.exit == .failure && remove.errors.contains("plugin unlink shelf"))
    #expect(plugins.run("plugin unlink shelf").exit == .success)
    #expect(FileManager.default.fileExists(atPath: "\(path)/plugin.json"))
    #expect(try plugins.listed() == [])
    #expect(plugins.run("shelf add x").exit == .usage)
  }

  @Test func aMissingLinkFileIsReported() throws {
    _ = try link()
    try FileManager.default.removeItem(atPath: plugins.folder["plugins/shelf.link"])
    #expect(try plugins.listed() == [["shelf", "missing", "its link is missing"]])
    #expect(plugins.run("plugin unlink shelf").exit == .success)
    #expect(try plugins.listed() == [])
  }

  @Test func anotherVendorsPluginIsNotReplaced() throws {
    try plugins.install("shelf")
    let path = try plugins.write(
      "shelf", in: "other", manifest: PluginHome.manifest.replacing("Lampost", with: "Somewhere"))
    let outcome = plugins.run("plugin link \(path) --yes")
    #expect(outcome.exit == .failure && outcome.errors.contains("a plugin of another vendor"), "\(outcome.errors)")
  }

  @Test func anotherVendorsLinkIsNotReplaced() throws {
    _ = try link()
    let path = try plugins.write(
      "shelf", in: "other", manifest: PluginHome.manifest.replacing("Lampost", with: "Somewhere"))
    let outcome = plugins.run("plugin link \(path) --yes")
    #expect(outcome.exit == .failure && outcome.errors.contains("a plugin of another vendor"), "\(outcome.errors)")
    #expect(outcome.errors.contains("plugin unlink shelf"))
    #expect(plugins.run("plugin unlink shelf").exit == .success)
    #expect(plugins.run("plugin link \(path) --yes").exit == .success)
  }

  /// Nothing is known about an unreadable plugin, so that only its stored credentials are in the way.
  @Test(arguments: [false, true]) func anUnreadablePluginIsHiddenUnlessItHasCredentials(_ hasCredentials: Bool) throws {
    try plugins.install("shelf")
    plugins.folder.write("plugins/shelf/plugin.json", "{}", mode: 0o644)
    if hasCredentials { try store() }
    let outcome = plugins.run("plugin link \(try plugins.write("shelf", in: "other")) --yes")
    #expect(outcome.exit == (hasCredentials ? .failure : .success), "\(outcome.errors)")
    #expect(outcome.errors.contains("unreadable, and it has stored credentials") == hasCredentials)
    #expect(try credentials() == (hasCredentials ? 1 : 0))
  }

  @Test func credentialsOfAnUnknownVendorAreRemoved() throws {
    try store()
    let path = try plugins.write("shelf", in: "other")
    let dryRun = plugins.run("plugin link \(path) --dry-run")
    #expect(dryRun.errors.contains("removes      credentials of an unknown vendor"), "\(dryRun.errors)")
    #expect(try credentials() == 1)
    #expect(plugins.run("plugin link \(path) --yes").exit == .success)
    #expect(try credentials() == 0)
  }

  /// Stores a credential of a plugin with this name, as it would when it runs.
  private func store() throws {
    let provider = FakeProvider("shelf", [.showConnection])
    provider.credentials = ["*"]
    provider.answers["connections/show"] = { _ in
      [
        .ask("credential/put", ["name": "token", "value": "lantern"]),
        .answer(["connection": FakeProvider.connection("s1")]),
      ]
    }
    FakeProvider.install([provider], in: plugins.home)
    plugins.run("connections show shelf:s1")
    plugins.home.providers = []
    try #require(try credentials() == 1)
  }

  private func credentials() throws -> Int {
    let store = Store(directories: AppDirectories(all: plugins.folder.path), world: .live())
    return try PluginRecords(store).credentialNames(of: "shelf").count
  }

  @Test func invalidManifestsAreNotLinkedOrInstalled() throws {
    let misspelled = PluginHome.manifest.replacing(#""hosts""#, with: #""host""#)
    let path = try plugins.write("shelf", manifest: misspelled)
    for command in ["link", "install"] {
      let outcome = plugins.run("plugin \(command) \(path) --yes")
      #expect(outcome.exit == .failure)
      #expect(outcome.errors.contains("the unknown member 'host'; did you mean 'hosts'?"), "\(outcome.errors)")
    }
    #expect(try plugins.listed() == [])
    #expect(plugins.run("plugin link \(plugins.folder["nowhere"]) --yes").exit == .notFound)
    let reserved = try plugins.write("connections")
    #expect(plugins.run("plugin link \(reserved) --yes").exit == .failure)
  }

  /// An installed plugin may have been written for a later version.
  @Test func anInstalledPluginWithUnknownMembersKeepsWorking() throws {
    try plugins.install("shelf")
    // As if an earlier version, which knew the member, had installed it.
    let manifest = PluginHome.manifest.replacing("NAME", with: "shelf")
      .replacing(#""kind": "command","#, with: #""kind": "command", "later": 1,"#)
    plugins.folder.write("plugins/shelf/plugin.json", manifest)
    #expect(try plugins.listed().first?[1] == "changed")
    #expect(plugins.run("help shelf").exit == .success)
  }
}
