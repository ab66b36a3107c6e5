import Foundation
import Store
import Testing
import Time
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
    #expect(try home.store().provenance(of: "shelf") == provenance)
    #expect(try home.store().provenance(of: "other") == nil)
    // A record of an earlier version of the program has none.
    try home.store().trust(plugin("1"))
    #expect(try home.store().provenance(of: "shelf") == nil)
  }

  @Test func thePreviousVersionIsRestoredOnce() throws {
    let store = home.store()
    let old = PluginProvenance(.url, "https://host/1")
    try store.trust(plugin("1"), from: old)
    try store.trust(plugin("2"), previous: .replaced(folder: ".version-1"))
    try store.trust(plugin("2"), previous: .kept)
    #expect(try store.previousPlugin("shelf")?.trust == plugin("1"))
    #expect(try store.previousPluginFolders() == [".version-1"])
    try store.restorePreviousPlugin("shelf", files: "[1]", inheriting: true)
    var restored = plugin("1")
    restored.files = "[1]"
    #expect(try store.trustedPlugin("shelf") == restored)
    #expect(try store.provenance(of: "shelf") == old)
    #expect(try store.previousPlugin("shelf") == nil)
    try store.trust(plugin("2"), previous: .replaced(folder: ".version-2"))
    try store.trust(plugin("3"), previous: .removed)
    #expect(try store.previousPluginFolders() == [])
  }

  /// A file from elsewhere must not decide which programs are run, or whose signatures count.
  @Test func aRestoredBackupChangesNoTrust() throws {
    let store = home.store()
    let theirs = TrustedSigner(label: "eve", key: "k", fingerprint: "f", validBefore: nil, addedAt: Self.day)
    let mine = TrustedSigner(label: "ann", key: "k", fingerprint: "f", validBefore: Self.day, addedAt: Self.day)
    func index(_ name: String) -> StoredPluginIndex {
      StoredPluginIndex(name: name, location: "/\(name)", updatedAt: Self.day, document: [1, 2])
    }
    try store.saveSigner(theirs)
    try store.savePluginIndex(index("evil"))
    let backup = home.path + "/backup.db"
    _ = try store.backUp(to: backup, replacing: false)
    try store.removeSigner("eve")
    try store.removePluginIndex("evil")
    try store.saveSigner(mine)
    try store.savePluginIndex(index("acme"))
    try store.trust(plugin("1"))
    try store.trust(plugin("2"), previous: .replaced(folder: ".version-1"))
    _ = try home.store().restore(home.store().planRestore(of: backup))
    let after = home.store()
    #expect(try after.trustedSigners() == [mine])
    #expect(try after.pluginIndexes() == [index("acme")])
    #expect(try after.previousPluginFolders() == [".version-1"])
  }
}
