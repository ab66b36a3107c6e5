import Foundation
import Store
import Testing
import World

/// Where plugins come from, the versions before them, indexes and trusted keys.
@Suite struct PluginOriginsTests {
  let home = TestHome()
  private static let day = Timestamp(milliseconds: 1_790_000_000_000)

  private func plugin(_ version: String) -> PluginTrust {
    PluginTrust(
      name: "shelf", version: version, kind: "command", sha256: version, files: "[]", origin: "/\(version)",
      installedAt: Self.day, credentials: ["a"], environment: ["B"], capabilities: [])
  }

  @Test func everyFactOfAnOriginIsKept() throws {
    var provenance = PluginProvenance(.git, "https://host/a")
    (provenance.index, provenance.tag, provenance.commit) = ("acme", "v1", "abc")
    (provenance.archiveSHA256, provenance.isPinned) = ("def", true)
    (provenance.signer, provenance.signerKey) = ("ann", "SHA256:x")
    try home.store().trust(plugin("1"), from: provenance)
    #expect(try PluginRecords(home.store()).provenance(of: "shelf") == provenance)
    #expect(try PluginRecords(home.store()).provenance(of: "other") == nil)
    // A record of an earlier version of the program has none.
    try home.store().trust(plugin("1"))
    #expect(try PluginRecords(home.store()).provenance(of: "shelf") == nil)
  }

  @Test func thePreviousVersionIsRestoredOnce() throws {
    let store = home.store()
    let old = PluginProvenance(.url, "https://host/1")
    try store.trust(plugin("1"), from: old)
    try store.trust(plugin("2"), .installed, folder: ".version-1")
    try store.trust(plugin("2"), .reinstalled)
    let previous = try #require(try PluginRecords(store).previous("shelf"))
    #expect(previous.trust == plugin("1") && previous.provenance == old)
    #expect(try PluginRecords(store).hiddenFolders() == [".version-1"])
    try store.trust(previous.trust, from: previous.provenance, .rolledBack, folder: ".version-1")
    #expect(try PluginRecords(store).trusted("shelf") == plugin("1"))
    #expect(try PluginRecords(store).provenance(of: "shelf") == old)
    #expect(try PluginRecords(store).previous("shelf") == nil)
    try store.trust(plugin("2"), .installed, folder: ".version-2")
    try store.trust(plugin("3"))
    #expect(try PluginRecords(store).hiddenFolders() == [])
  }

  /// A change is saved before the files are changed, and its folder is in use until it is settled.
  @Test func anUnfinishedChangeIsKept() throws {
    let store = home.store()
    let change = PluginChange(
      .installed, plugin("2"), from: PluginProvenance(.git, "https://host/a"), folder: ".version-1",
      keepsCredentials: false)
    for end in ["abandon", "complete"] {
      try PluginRecords(store).begin(change)
      #expect(try PluginRecords(home.store()).unfinishedChanges() == [change])
      #expect(try PluginRecords(store).hiddenFolders() == [".version-1"])
      #expect(try PluginRecords(store).trusted() == [])
      if end == "abandon" {
        try PluginRecords(store).abandon(change)
      } else {
        try PluginRecords(store).complete(change, files: "[1]")
      }
      #expect(try PluginRecords(store).unfinishedChanges() == [])
    }
    #expect(try PluginRecords(store).trusted("shelf")?.files == "[1]")
  }

  /// The content of each version is remembered for each origin, also after a rollback and a removal.
  @Test func everyVersionIsRemembered() throws {
    let (store, git) = (home.store(), PluginProvenance(.git, "https://host/a"))
    func known(_ version: String, _ provenance: PluginProvenance) throws -> KnownPluginVersion? {
      try PluginRecords(home.store()).knownVersion(version, of: "shelf", from: provenance)
    }
    try store.trust(plugin("1"), from: git)
    try store.trust(plugin("2"), from: git, .installed, folder: ".version-1")
    #expect(try known("2", git)?.rolledBackAt == nil)
    try store.trust(plugin("1"), from: git, .rolledBack, folder: ".version-1")
    #expect(try known("2", git)?.rolledBackAt != nil && known("1", git)?.rolledBackAt == nil)
    try store.distrustPlugin("shelf")
    #expect(try known("1", git)?.sha256 == "1" && known("2", git)?.sha256 == "2")
    #expect(try known("1", PluginProvenance(.git, "https://host/b")) == nil)
    #expect(try known("1", PluginProvenance(.path, "/1")) == nil)
    // The URLs of one folder are one origin, whatever their queries.
    try store.trust(plugin("3"), from: PluginProvenance(.url, "https://host/a/x-3.tar?token=1"))
    #expect(try known("3", PluginProvenance(.url, "https://host/a/y.tar"))?.sha256 == "3")
    #expect(try known("3", PluginProvenance(.url, "https://host/b/x-3.tar")) == nil)
    // An index is known by its location, not by its name.
    for (name, location) in [("acme", "https://host/index.json"), ("other", "https://host/other.json")] {
      try PluginRecords(store).save(
        StoredPluginIndex(name: name, location: location, updatedAt: Self.day, document: []))
    }
    var index = PluginProvenance(.index, "https://host/x.tar")
    index.index = "acme"
    try store.trust(plugin("4"), from: index)
    #expect(try known("4", index)?.sha256 == "4")
    index.index = "other"
    #expect(try known("4", index) == nil)
  }

  /// A file from elsewhere must not decide which programs are run, or whose signatures count.
  @Test func aRestoredBackupChangesNoTrust() throws {
    let store = home.store()
    let theirs = TrustedSigner(label: "eve", key: "k", fingerprint: "f", validBefore: nil, addedAt: Self.day)
    let mine = TrustedSigner(label: "ann", key: "k", fingerprint: "f", validBefore: Self.day, addedAt: Self.day)
    func index(_ name: String) -> StoredPluginIndex {
      StoredPluginIndex(name: name, location: "/\(name)", updatedAt: Self.day, document: [1, 2])
    }
    try PluginRecords(store).save(theirs)
    try PluginRecords(store).save(index("evil"))
    let backup = home.path + "/backup.db"
    _ = try store.backUp(to: backup, replacing: false)
    try PluginRecords(store).removeSigner("eve")
    try PluginRecords(store).removeIndex("evil")
    try PluginRecords(store).save(mine)
    try PluginRecords(store).save(index("acme"))
    try store.trust(plugin("1"))
    try store.trust(plugin("2"), .installed, folder: ".version-1")
    _ = try home.store().restore(home.store().planRestore(of: backup))
    let after = home.store()
    #expect(try PluginRecords(after).signers() == [mine])
    #expect(try PluginRecords(after).indexes() == [index("acme")])
    #expect(try PluginRecords(after).hiddenFolders() == [".version-1"])
  }
}
