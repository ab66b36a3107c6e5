import Foundation
import Store
import Testing
import Text
import World

@Suite struct SnapshotTests {
  let home = TestHome()

  private func reading() -> Store {
    let store = home.store()
    store.readSnapshots()
    return store
  }

  private func cachedIDs(_ store: Store) throws -> [String] {
    try ProviderCache(store, profile: "default").lists().flatMap { $0.rows.map(\.id) }
  }

  private func cache(_ id: String, in store: Store) throws {
    let row = ProvidedRow(id: id, name: id, status: "enabled", document: Array("{".utf8))
    try ProviderCache(store, profile: "default").cache([row], by: "shelf", fetchedAt: Timestamp(milliseconds: 1))
  }

  private func fill() throws {
    let store = home.store()
    _ = try store.track(["one"], profile: "default")
    try cache("one", in: store)
  }

  @Test func readingWritesNothing() throws {
    try fill()
    // A process that opens the file first would empty this.
    for name in ["ifttt.db-shm", "cache.db-shm"] { try home.write([UInt8](repeating: 0xaa, count: 32768), to: name) }
    let names = home.names()
    let before = names.map(home.bytes)
    let store = reading()
    #expect(try store.trackedIDs(profile: "default") == ["one"])
    #expect(try cachedIDs(store) == ["one"])
    #expect(home.names() == names)
    #expect(names.map(home.bytes) == before)
  }

  @Test func trackingAgainWritesNothing() throws {
    try fill()
    // A process that opens the file for writing empties this.
    try home.write([UInt8](repeating: 0xaa, count: 32768), to: "ifttt.db-shm")
    let names = home.names()
    let before = names.map(home.bytes)
    let store = home.store()
    store.readSnapshots(ofCache: false)
    #expect(try store.track(["one"], profile: "default").isEmpty)
    #expect(names.map(home.bytes) == before)
    #expect(try store.track(["one", "two"], profile: "default") == ["two"])
    #expect(try cachedIDs(store) == ["one"])
  }

  @Test func credentialsAreReadAfterAnotherProcessReplacedTheKey() throws {
    let token = try #require(Secret(parsing: "at_7f20c1"))
    try home.store().save(token, as: .userToken, userID: "ann", profile: "default")
    let store = reading()
    #expect(try store.credentials(profile: "default").count == 1)
    let other = try StoreWriter(home: home.path, prefix: "rekey", count: 1)
    #expect(other.readToEnd().hasPrefix("rekeyed "))
    #expect(other.wait() == 0)
    #expect(try store.credential(.userToken, userID: "ann", profile: "default")?.revealed == token.revealed)
  }

  @Test func changesOfOthersAreNotSeenBeforeTheFirstWrite() throws {
    try fill()
    let store = reading()
    #expect(try store.trackedIDs(profile: "default") == ["one"])
    #expect(try cachedIDs(store) == ["one"])
    let writer = try StoreWriter(home: home.path, prefix: "two", count: 1)
    #expect(writer.readToEnd().hasPrefix("tracked two-0"))
    #expect(writer.wait() == 0)
    #expect(try store.trackedIDs(profile: "default") == ["one"])
    #expect(try store.credentials(profile: "default").isEmpty)
    _ = try store.track(["three"], profile: "default")
    #expect(try Set(store.trackedIDs(profile: "default")) == ["one", "two-0", "three"])
    #expect(try store.credentials(profile: "default").count == 1)
    try ProviderCache(store, profile: "default").expire("shelf")
    #expect(try ProviderCache(store, profile: "default").lists(of: "shelf").first?.fetchedAt == .expired)
  }

  @Test func snapshotsCanBeTakenWhileOthersWrite() throws {
    let children = try (0..<4).map { try StoreWriter(home: home.path, prefix: "p\($0)", count: 25) }
    var count = 0
    while count < 4 * 25 {
      let store = Store(
        directories: AppDirectories(all: home.path), world: home.world, busyTimeout: .seconds(60))
      store.readSnapshots()
      let next = try store.trackedCount(profile: "default")
      #expect(next >= count)
      try store.forEachCached(profile: "default") { _ in }
      count = next
    }
    for child in children { _ = child.readToEnd() }
    #expect(children.map { $0.wait() } == Array(repeating: 0, count: 4))
    #expect(try home.store().check().allSatisfy(\.passed))
    #expect(!home.names().contains { $0.contains("damaged") })
  }

  @Test func writesOfAnOpenProcessAreSeen() throws {
    try fill()
    // Its changes are in the log.
    let other = home.store()
    _ = try other.track(["two"], profile: "default")
    try cache("two", in: other)
    #expect(!home.bytes("ifttt.db-wal").isEmpty)
    let store = reading()
    #expect(try Set(store.trackedIDs(profile: "default")) == ["one", "two"])
    #expect(try cachedIDs(store) == ["two"])
  }

  @Test func snapshotOfAFileThatAnotherProcessHasOpen() throws {
    try fill()
    let other = home.store()
    #expect(try other.trackedIDs(profile: "default") == ["one"])
    #expect(try reading().trackedIDs(profile: "default") == ["one"])
    _ = try other.track(["two"], profile: "default")
    #expect(try Set(reading().trackedIDs(profile: "default")) == ["one", "two"])
  }

  @Test(arguments: ["-wal", "-shm"]) func missingCompanionIsCreated(suffix: String) throws {
    try fill()
    for name in ["ifttt.db", "cache.db"] { try home.remove(name + suffix) }
    let store = reading()
    #expect(try store.trackedIDs(profile: "default") == ["one"])
    #expect(try cachedIDs(store) == ["one"])
  }

  @Test func earlierSchemaIsMigrated() throws {
    let file = DatabaseFile(
      folder: home.path,
      schema: Schema(
        fileName: Schema.store.fileName, applicationID: Schema.store.applicationID,
        migrations: Array(Schema.store.migrations.prefix(1)), pageSize: Schema.store.pageSize, isCache: false))
    try file.make(home.world)
    #expect(try PluginRecords(reading()).trustedProviders(ofKind: "provider") == [])
    #expect(try home.database().integer("PRAGMA user_version") == Int64(Schema.store.migrations.count))
  }

  @Test func corruptCacheIsReplaced() throws {
    try fill()
    try home.write(Array("SQLite format 3\0 but not really".utf8), to: "cache.db")
    #expect(try cachedIDs(reading()) == [])
    #expect(try reading().trackedIDs(profile: "default") == ["one"])
  }

  @Test func missingStoreIsNotCreated() throws {
    let store = reading()
    #expect(try store.trackedIDs(profile: "default") == [])
    #expect(try cachedIDs(store) == [])
    #expect(!FileManager.default.fileExists(atPath: home.path))
  }
}
