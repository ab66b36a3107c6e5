import Foundation
import Store
import Testing
import World

/// The records of installed plugins.
@Suite struct PluginTrustTests {
  let home = TestHome()

  static let shelf = PluginTrust(
    name: "shelf", version: "1.2.0", kind: "provider", sha256: String(repeating: "1", count: 64), files: "[]",
    origin: "./shelf", installedAt: Timestamp(milliseconds: 1_790_000_000_000), credentials: ["account/*"],
    environment: ["REGION"])

  @Test func trustIsStoredReplacedAndRemoved() throws {
    try home.store().trust(Self.shelf)
    #expect(try PluginRecords(home.store()).trusted("shelf") == Self.shelf)
    #expect(Self.shelf.needsCredentials)
    var newer = Self.shelf
    (newer.version, newer.credentials) = ("1.3.0", [])
    try home.store().trust(newer)
    #expect(try PluginRecords(home.store()).trusted() == [newer])
    #expect(!newer.needsCredentials)
    try home.store().distrustPlugin("shelf")
    #expect(try PluginRecords(home.store()).trusted() == [])
  }

  private static func link(_ name: String) -> PluginTrust {
    var link = shelf
    (link.name, link.sha256, link.files, link.origin) = (name, "", "", "/plugins/\(name)")
    return link
  }

  @Test func permissionsAreStored() throws {
    var shelf = Self.shelf
    (shelf.usesBrowser, shelf.readPaths, shelf.writePaths) = (true, ["~/a"], ["/b", "~/c"])
    try home.store().trust(shelf)
    #expect(try PluginRecords(home.store()).trusted("shelf") == shelf)
  }

  @Test func linksAreStoredBesideTheInstalledPlugin() throws {
    try home.store().trust(Self.shelf)
    var link = Self.link("shelf")
    (link.usesBrowser, link.readPaths, link.writePaths) = (true, ["~/a"], ["/b"])
    try home.store().link(link)
    #expect(try PluginRecords(home.store()).linked("shelf") == link)
    #expect(try PluginRecords(home.store()).trusted("shelf") == Self.shelf)
    (link.origin, link.usesBrowser) = ("/elsewhere", false)
    try home.store().link(link)
    #expect(try PluginRecords(home.store()).linked() == [link])
    try home.store().unlinkPlugin("shelf")
    #expect(try PluginRecords(home.store()).linked() == [])
    #expect(try PluginRecords(home.store()).trusted() == [Self.shelf])
  }

  @Test func renewTrustRequiresTheTrustedContent() throws {
    try home.store().trust(Self.shelf)
    try PluginRecords(home.store()).renewTrust(in: "shelf", of: String(repeating: "2", count: 64), files: "other")
    #expect(try PluginRecords(home.store()).trusted("shelf")?.files == "[]")
    try PluginRecords(home.store()).renewTrust(in: "shelf", of: Self.shelf.sha256, files: "new")
    #expect(try PluginRecords(home.store()).trusted("shelf")?.files == "new")
  }

  @Test func readingCreatesNoFile() throws {
    #expect(try PluginRecords(home.store()).trusted() == [])
    #expect(try PluginRecords(home.store()).unfinishedChanges() == [])
    #expect(home.names() == [])
  }

  /// A file from another source neither adds nor removes trust.
  @Test func restoreDoesNotChangeTrust() throws {
    try home.store().trust(Self.shelf)
    try home.store().link(Self.link("shelf"))
    _ = try home.store().backUp(to: "\(home.path)/b.db", replacing: false)
    try home.store().distrustPlugin("shelf")
    try home.store().unlinkPlugin("shelf")
    try home.store().link(Self.link("rack"))
    var other = Self.shelf
    other.name = "tides"
    try home.store().trust(other)
    _ = try home.store().restore(home.store().planRestore(of: "\(home.path)/b.db"))
    #expect(try PluginRecords(home.store()).linked() == [Self.link("rack")])
    #expect(try PluginRecords(home.store()).trustedProviders(ofKind: other.kind).map(\.name).contains("tides"))
    #expect(try PluginRecords(home.store()).trustedProviders(ofKind: "neither") == [])
    #expect(try PluginRecords(home.store()).trusted() == [other])
    // Without a store, nothing is trusted.
    try home.remove("ifttt.db")
    for name in home.names() where name.hasPrefix("ifttt.db-") { try home.remove(name) }
    _ = try home.store().restore(home.store().planRestore(of: "\(home.path)/b.db"))
    #expect(try PluginRecords(home.store()).linked() == [])
    #expect(try PluginRecords(home.store()).trusted() == [])
  }

  /// What a list of connections needs: a link hides the installed plugin of its name, whatever its kind.
  @Test func providersAreReadWithoutTheirRecords() throws {
    var (open, hidden, command) = (Self.shelf, Self.shelf, Self.shelf)
    (open.name, open.credentials, open.capabilities, open.kind) = ("tides", [], ["complete"], "provider")
    (hidden.name, hidden.kind) = ("rack", "provider")
    (command.name, command.kind) = ("attic", "command")
    for plugin in [open, hidden, command] { try home.store().trust(plugin) }
    var link = Self.link("rack")
    (link.kind, link.credentials, link.capabilities) = ("provider", ["a"], [])
    try home.store().link(link)
    #expect(
      try PluginRecords(home.store()).trustedProviders(ofKind: "provider") == [
        TrustedProvider(name: "rack", capabilities: [], needsCredentials: true),
        TrustedProvider(name: "tides", capabilities: ["complete"], needsCredentials: false),
      ])
    link.kind = "command"
    try home.store().link(link)
    #expect(try PluginRecords(home.store()).trustedProviders(ofKind: "provider").map(\.name) == ["tides"])
  }
}
