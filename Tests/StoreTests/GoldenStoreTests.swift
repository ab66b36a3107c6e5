import Foundation
import Store
import Testing
import World

/// Databases written by released versions, each with its key. Their content must survive all migrations.
@Suite struct GoldenStoreTests {
  let home = TestHome()

  private static let folder = (Bundle.module.resourceURL ?? Bundle.main.bundleURL).appendingPathComponent("Releases")

  /// Returns the versions that have a file. Each release adds its own.
  private static func versions(_ name: String) -> [Int] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasPrefix(name) }.compactMap { Int($0.dropFirst(name.count + 1).dropLast(4)) }.sorted()
  }

  private func load(_ version: Int, from name: String, _ schema: Schema) throws {
    let script = try String(contentsOf: Self.folder.appendingPathComponent("\(name)-\(version).sql"), encoding: .utf8)
    try home.write([], to: schema.fileName)
    try home.database(schema).execute(script)
  }

  @Test func firstVersionsHaveFiles() {
    #expect(Self.versions("store").first == 1)
    #expect(Self.versions("cache").first == 1)
  }

  @Test(arguments: versions("store")) func migratesTheStoreOf(version: Int) throws {
    try load(version, from: "store", .store)
    try home.write(Array(String(repeating: "00112233445566778899aabbccddeeff", count: 2).utf8), to: "store.key")
    let store = home.store()
    #expect(try store.facts().schemaVersion == version)
    #expect(try store.profiles().map(\.name) == ["default", "work"])
    #expect(try store.profile("work")?.settings == [.service: "lampost", .userID: "u-5521"])
    #expect(try store.currentProfile() == "work")
    #expect(try store.credential(.userToken, userID: "u-5521", profile: "work") == token)
    #expect(try store.trackedIDs(profile: "work") == ["Kd7Rn2Qx", "mB3xWq7T"])
    #expect(try store.pending(profile: "work") == (version < 3 ? [] : ["mB3xWq7T"]))
    let run = try JournalStore(store).newestUndoable(profile: "work")
    #expect(
      try run.map { try JournalStore(store).items(of: $0.number).map(\.id) } == (version < 2 ? nil : ["Kd7Rn2Qx"]))
    #expect(try store.check().filter { !$0.passed } == [])
    #expect(try store.facts().schemaVersion == Schema.store.migrations.count)
    let isOlder = version < Schema.store.migrations.count
    #expect(home.names().contains("ifttt.db.backup-v\(version)") == isOlder)
    // The store can be backed up, restored and rekeyed.
    _ = try store.backUp(to: "\(home.path)/b.db", replacing: false)
    #expect(try store.restore(store.planRestore(of: "\(home.path)/b.db")).opened == 1)
    #expect(try store.rekey(to: .ownFile).resealed == 1)
    #expect(try home.store().check().filter { !$0.passed } == [])
  }

  /// A file without tables at version 0. No version leaves such a file behind, even if it is interrupted.
  @Test func fileWithoutTablesIsMigrated() throws {
    try home.write([], to: "ifttt.db")
    try home.database().execute("PRAGMA application_id = \(Schema.store.applicationID)")
    try home.store().save(token, as: .userToken, userID: "ann", profile: "default")
    #expect(home.names().contains("ifttt.db.backup-v0"))
    #expect(try home.store().check().filter { !$0.passed } == [])
  }

  @Test(arguments: versions("cache")) func migratesTheCacheOf(version: Int) throws {
    try load(version, from: "store", .store)
    try load(version, from: "cache", .cache)
    let name = version < 3 ? "Lamps on at dusk" : "Lamps that follow the tide"
    #expect(try home.store().cached("Kd7Rn2Qx", profile: "work")?.name == name)
    #expect(try home.store().trackedIDs(profile: "work") == ["Kd7Rn2Qx", "mB3xWq7T"])
    #expect(!home.names().contains { $0.hasPrefix("cache.db.damaged-") })
  }
}
