import Crypto
import Foundation
import Store
import Testing
import Text
import World

@Suite struct MigrationTests {
  let home = TestHome()

  private func file(_ migrations: [Migration], isCache: Bool = false) -> DatabaseFile {
    DatabaseFile(
      folder: home.path,
      schema: Schema(
        fileName: "ifttt.db", applicationID: 1, migrations: migrations, pageSize: 4096, isCache: isCache),
      busyTimeout: .milliseconds(1))
  }

  private let first = Migration(name: "first", sql: "CREATE TABLE a (x INTEGER NOT NULL) STRICT")
  private let second = Migration(name: "second", sql: "ALTER TABLE a ADD COLUMN y TEXT; UPDATE a SET y = 'kept'")
  private let third = Migration(name: "third", sql: "CREATE TABLE b (x INTEGER) STRICT; INSERT INTO b VALUES (3)")

  /// A released migration never changes. Every change is a new migration.
  @Test func releasedMigrationsAreUnchanged() {
    let sums = (Schema.store.migrations + Schema.cache.migrations).map { migration in
      SHA256.hash(data: Array(migration.sql.utf8)).prefix(8).map { byte in
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }.joined()
    }
    #expect(
      sums == [
        "363363cc66957e77", "ec3855f656cb2ecc", "17bad6435ccd5fbd", "a9daa1d509f1354f", "2d6682ea7921359d",
        "4822d17924040343", "98afdedd0a0982cc", "8ba7337391db5221", "d546a9c2ebe1e43f",
        "7a7f6b52fd1700b6", "1ac5a7f3a5cf7932",
        "639774a1dfe42b0e", "d72ad71172259e2b",
        "e83a611a66dd2278",
        "4c762ec093da8788", "4c98a0399447c359", "ff62f00c902f2118", "3bcea1c73b2a3db9",
        "de319662577564ac", "dd7fc9a5396bb467", "5862d24619eb4b7c", "7f05efdd3b74462e",
      ])
  }

  private func makeOld() throws {
    try file([first]).make(home.world)
    let database = try #require(try file([first]).open(home.world))
    try database.write(in: home.world) { database throws(StoreError) in try database.execute("INSERT INTO a VALUES (1)")
    }
  }

  @Test func olderFileIsMigrated() throws {
    try makeOld()
    let database = try #require(try file([first, second, third]).open(home.world))
    #expect(try database.integer("PRAGMA user_version") == 3)
    #expect(try database.text("SELECT y FROM a WHERE x = 1") == "kept")
    #expect(try database.integer("SELECT x FROM b") == 3)
  }

  @Test func backupIsMadeBeforeMigrating() throws {
    try makeOld()
    _ = try file([first, second, third]).open(home.world)
    #expect(home.names().filter { $0.contains("backup") || $0.contains("new") } == ["ifttt.db.backup-v1"])
    #expect(try home.mode(of: "ifttt.db.backup-v1") == 0o600)
    try home.write(home.bytes("ifttt.db.backup-v1"), to: "ifttt.db")
    let restored = try #require(try file([first]).open(home.world))
    #expect(try restored.integer("SELECT x FROM a") == 1)
    #expect(try restored.text("PRAGMA integrity_check") == "ok")
  }

  @Test func cacheIsMigratedWithoutABackup() throws {
    try file([first], isCache: true).make(home.world)
    _ = try file([first, second], isCache: true).open(home.world)
    #expect(!home.names().contains { $0.contains("backup") })
  }

  @Test func failedMigrationKeepsEarlierOnes() throws {
    try makeOld()
    let broken = Migration(name: "broken", sql: "CREATE TABLE c (x INTEGER) STRICT; INSERT INTO nowhere VALUES (1)")
    #expect(failure { _ = try file([first, second, broken]).open(home.world) }?.code == .damaged)
    let database = try #require(try file([first, second]).open(home.world))
    #expect(try database.integer("PRAGMA user_version") == 2)
    #expect(try database.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'c'") == 0)
  }

  @Test func currentFileIsUnchanged() throws {
    try makeOld()
    let before = home.bytes("ifttt.db")
    _ = try file([first]).open(home.world)
    #expect(home.bytes("ifttt.db") == before)
    #expect(home.namesWithoutLogs() == ["ifttt.db"])
  }

  @Test func makeKeepsAnExistingFile() throws {
    try makeOld()
    try file([first]).make(home.world)
    #expect(try file([first]).open(home.world)?.integer("SELECT count(*) FROM a") == 1)
  }

  @Test func failedBackupPreventsTheMigration() throws {
    try makeOld()
    try FileManager.default.createDirectory(
      atPath: "\(home.path)/ifttt.db.backup-v1/taken", withIntermediateDirectories: true)
    #expect(failure { _ = try file([first, second]).open(home.world) } != nil)
    #expect(try file([first]).open(home.world)?.integer("PRAGMA user_version") == 1)
    #expect(home.namesWithoutLogs() == ["ifttt.db", "ifttt.db.backup-v1"])
  }

  @Test func failedSchemaLeavesNoFile() throws {
    let broken = Migration(name: "broken", sql: "CREATE NOTHING")
    #expect(failure { try file([broken]).make(home.world) }?.code == .damaged)
    #expect(home.names() == [])
  }
}
