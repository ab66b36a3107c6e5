import Foundation
import Store
import Testing
import Text
import World

/// The kinds of corruption of a database file.
enum Damage: String, CaseIterable {
  case emptied, truncatedToHalfAPage, truncated, overwrittenAtTheStart, overwritten

  func apply(to bytes: [UInt8]) -> [UInt8] {
    let noise = (0..<bytes.count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
    switch self {
    case .emptied: return []
    case .truncatedToHalfAPage: return Array(bytes[..<2048])
    case .truncated: return Array(bytes[..<(bytes.count / 2 / 4096 * 4096)])
    case .overwrittenAtTheStart: return Array(noise[..<4096] + bytes[4096...])
    case .overwritten: return Array(bytes[..<100] + noise[100...])
    }
  }
}

@Suite struct DamageTests {
  let home = TestHome()

  private func fill() throws {
    _ = try home.store().track((0..<200).map { "id\($0)" }, profile: "default")
    try home.store().cache((0..<200).map { connection("id\($0)", name: "Name \($0)") }, profile: "default")
    try home.store().save(token, as: .userToken, userID: "ann", profile: "default")
  }

  @Test(arguments: Damage.allCases)
  func corruptStoreIsReportedAndUnchanged(damage: Damage) throws {
    try fill()
    let damaged = damage.apply(to: home.bytes("ifttt.db"))
    try home.write(damaged, to: "ifttt.db")
    let error = failure {
      _ = try home.store().trackedIDs(profile: "default")
      _ = try home.store().credential(.userToken, userID: "ann", profile: "default")
      _ = try home.store().profiles()
    }
    #expect(error?.code == .damaged)
    #expect(error?.message.contains(home.storePath) == true)
    #expect(error?.hint.text.contains("Nothing was changed") == true)
    #expect(failure { try home.store().save(Profile(name: "x")) }?.code == .damaged)
    #expect(home.bytes("ifttt.db") == damaged)
    #expect(try home.store().check().contains { $0.check == "store" && !$0.passed })
  }

  @Test(arguments: Damage.allCases)
  func corruptCacheIsMovedAsideAndRebuilt(damage: Damage) throws {
    try fill()
    let damaged = damage.apply(to: home.bytes("cache.db"))
    try home.write(damaged, to: "cache.db")
    let store = home.store()
    // The corruption may be in a part that the first query does not read.
    _ = try store.tracked(fetchedBefore: Timestamp(milliseconds: 1), profile: "default")
    try? store.forEachCached(profile: "default") { _ in }
    _ = try store.cached("id1", profile: "default")
    #expect(try store.trackedIDs(profile: "default").count == 200)
    try home.store().cache([connection("id1", name: "New", at: 3000)], profile: "default")
    #expect(try home.store().cached("id1", profile: "default")?.name == "New")
    #expect(home.names().filter { $0.hasPrefix("cache.db.damaged-") }.count == 1)
    #expect(try home.store().check().allSatisfy(\.passed))
  }

  @Test func onlyTheLatestCorruptCacheIsKept() throws {
    try fill()
    for time in [1, 2, 3] as [Int64] {
      home.clock.set(Timestamp(milliseconds: time * 1000))
      try home.write([1, 2, 3], to: "cache.db")
      _ = try home.store().trackedIDs(profile: "default")
    }
    #expect(home.names().filter { $0.hasPrefix("cache.db.damaged-") } == ["cache.db.damaged-19700101T000003Z"])
  }

  @Test func foreignStoreIsUnchanged() throws {
    try fill()
    try home.database().execute("PRAGMA application_id = 7; PRAGMA wal_checkpoint(TRUNCATE)")
    let foreign = home.bytes("ifttt.db")
    let error = failure { _ = try home.store().profiles() }
    #expect(error?.code == .foreign && error?.hint.text.contains("store restore") == true)
    #expect(failure { try home.store().save(Profile(name: "x")) }?.code == .foreign)
    #expect(home.bytes("ifttt.db") == foreign)
    #expect(CompletionQueries(home.store()).profileNames() == [])
  }

  @Test func foreignCacheIsMovedAside() throws {
    try fill()
    try home.database(.cache).execute("PRAGMA application_id = 7")
    #expect(try home.store().trackedIDs(profile: "default").count == 200)
    #expect(home.names().contains { $0.hasPrefix("cache.db.damaged-") })
  }

  @Test func unusableCacheIsReportedBeforeTheStoreIsChanged() throws {
    try fill()
    try home.database(.cache).execute("PRAGMA user_version = 99")
    #expect(failure { _ = try home.store().track(["x"], profile: "default") }?.code == .newer)
    #expect(failure { _ = try home.store().untrack(["id1"], profile: "default") }?.code == .newer)
    #expect(failure { _ = try home.store().removeProfile("default") }?.code == .newer)
    #expect(failure { _ = try UsageQueue(home.store()).switchOn() }?.code == .newer)
    #expect(try home.store().trackedCount(profile: "default") == 200)
    #expect(try home.store().credential(.userToken, userID: "ann", profile: "default") == token)
    #expect(try UsageQueue(home.store()).choice() == nil)
  }

  @Test func cacheWithoutItsTablesIsRebuilt() throws {
    try fill()
    try home.database(.cache).execute("DROP TABLE connection")
    #expect(try home.store().trackedIDs(profile: "default").count == 200)
    #expect(home.names().contains { $0.hasPrefix("cache.db.damaged-") })
  }

  @Test func storeWithoutItsTablesIsDamaged() throws {
    try fill()
    try home.database().execute("DROP TABLE tracked")
    let error = failure { _ = try home.store().trackedCount(profile: "default") }
    #expect(error?.code == .damaged)
    #expect(error?.hint.text.contains("store restore") == true)
  }

  @Test(arguments: [Schema.store, .cache])
  func newerFileIsUnchanged(schema: Schema) throws {
    try fill()
    try home.database(schema).execute("PRAGMA user_version = 99")
    let newer = home.bytes(schema.fileName)
    let error = failure { _ = try home.store().trackedIDs(profile: "default") }
    #expect(error?.code == .newer)
    #expect(error?.message.contains("99") == true)
    #expect(failure { _ = try home.store().track(["x"], profile: "other") }?.code == .newer)
    #expect(home.bytes(schema.fileName) == newer)
    #expect(home.connectionNames().count == (schema.isCache ? 0 : 200))
  }

  @Test func logWithoutItsStoreIsNotReplayed() throws {
    try fill()
    try home.remove("ifttt.db")
    try home.write([1, 2, 3], to: "ifttt.db-wal")
    #expect(failure { _ = try home.store().profiles() }?.code == .damaged)
    #expect(failure { try home.store().save(Profile(name: "x")) }?.code == .damaged)
    #expect(home.bytes("ifttt.db-wal") == [1, 2, 3])
  }

  @Test func emptyLogWithoutItsStoreIsIgnored() throws {
    try fill()
    #expect(home.bytes("ifttt.db-wal").isEmpty && home.names().contains("ifttt.db-wal"), "the last process empties it")
    try home.remove("ifttt.db")
    #expect(try home.store().profiles().isEmpty)
    try home.store().save(Profile(name: "x"))
    #expect(try home.store().profiles().map(\.name) == ["x"])
  }

  @Test func logWithoutItsCacheIsRemoved() throws {
    let store = home.store()
    _ = try store.track(["a"], profile: "default")
    let log = home.bytes("cache.db-wal")
    #expect(!log.isEmpty)
    try home.remove("cache.db")
    try home.write(log, to: "cache.db-wal")
    #expect(try home.store().trackedIDs(profile: "default") == ["a"])
    #expect(try home.store().check().allSatisfy(\.passed))
  }

  @Test func hintNamesTheBackup() throws {
    try fill()
    try home.write(home.bytes("ifttt.db"), to: "ifttt.db.backup-v0")
    try home.write([], to: "ifttt.db")
    let error = failure { _ = try home.store().profiles() }
    #expect(error?.hint.text.contains("ifttt store restore \(home.storePath).backup-v0") == true)
  }

  @Test func invalidJournalDoesNotRepairTheStore() throws {
    try fill()
    try home.write(Array(repeating: 7, count: 8192), to: "ifttt.db")
    try home.write(Array(repeating: 7, count: 600), to: "ifttt.db-journal")
    #expect(failure { _ = try home.store().profiles() }?.code == .damaged)
    #expect(home.bytes("ifttt.db") == Array(repeating: 7, count: 8192))
  }

  @Test func interruptedListingIsNotRestarted() throws {
    let ids = (0..<200).map { "id\($0)" }
    _ = try home.store().track(ids, profile: "default")
    try home.store().cache(
      ids.map { id in
        var connection = connection(id, name: "Name \(id)")
        connection.document += Array(repeating: 0x20, count: 2000)
        return connection
      }, profile: "default")
    let sound = home.bytes("cache.db")
    let pages = sound.count / 16384
    var interrupted = 0
    // Wherever the corruption is, no connection is listed twice, and missing ones are reported.
    for page in 1..<pages {
      var damaged = sound
      damaged.replaceSubrange(page * 16384..<(page + 1) * 16384, with: repeatElement(0xff, count: 16384))
      try home.write(damaged, to: "cache.db")
      var seen: [String] = []
      let error = failure { try home.store().forEachCached(profile: "default") { seen.append($0.id) } }
      #expect(Set(seen).count == seen.count)
      #expect(seen.isEmpty || seen.count == 200 || error?.code == .failed)
      if error != nil { interrupted += 1 }
    }
    #expect(interrupted > 0)
  }

  @Test func unknownKeySourceIsCorruption() throws {
    try fill()
    try home.database().execute("UPDATE data_key SET source = 'elsewhere'")
    let error = failure { _ = try home.store().credential(.userToken, userID: "ann", profile: "default") }
    #expect(error?.code == .damaged)
  }

  @Test func missingKeyRecordErrorNamesTheKey() throws {
    try fill()
    let key = try home.database().text("SELECT id FROM data_key") ?? "none"
    try home.database().execute("DELETE FROM data_key")
    let error = failure { _ = try home.store().credential(.userToken, userID: "ann", profile: "default") }
    #expect(error?.code == .wrongKey)
    #expect(error?.message.contains(key) == true)
  }
}
