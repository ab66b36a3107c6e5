import Foundation
import Store
import Testing
import Text
import World

@Suite struct RestoreTests {
  let home = TestHome()
  private var backup: String { "\(home.path)/backup.db" }

  private func fill() throws {
    try home.store().save(token, as: .userToken, userID: "ann", profile: "default")
    _ = try home.store().track(["a", "b"], profile: "default")
    _ = try home.store().backUp(to: backup, replacing: true)
    _ = try home.store().track(["c"], profile: "default")
    try home.store().save(Profile(name: "later"))
  }

  @discardableResult private func restore(_ path: String? = nil, keyPath: String? = nil) throws -> RestoreFacts {
    let store = home.store()
    return try store.restore(try store.planRestore(of: path ?? backup, keyPath: keyPath))
  }

  private func expectRestored() throws {
    #expect(try home.store().trackedIDs(profile: "default") == ["a", "b"])
    #expect(try home.store().profiles().map(\.name) == ["default"])
    #expect(try home.store().credential(.userToken, userID: "ann", profile: "default") == token)
    #expect(try home.store().check().filter { !$0.passed } == [])
    #expect(!home.names().contains { $0.contains(".new-") })
  }

  @Test func restoresTheBackupAndKeepsTheOldStore() throws {
    try fill()
    let facts = try restore()
    #expect((facts.profiles, facts.tracked, facts.credentials, facts.opened) == (1, 2, 1, 1))
    #expect(facts.finding == nil)
    try expectRestored()
    let previous = try #require(facts.previousPath)
    #expect(previous == "\(home.storePath).before-restore-20270115T080000Z")
    // The previous store is itself a valid backup.
    #expect(try restore(previous).previousPath == "\(previous)-2")
    #expect(try home.store().profiles().map(\.name) == ["default", "later"])
    #expect(try home.store().trackedIDs(profile: "default") == ["a", "b", "c"])
  }

  @Test func planChangesNothing() throws {
    try fill()
    let before = try home.store().trackedIDs(profile: "default")
    let store = home.store()
    let plan = try store.planRestore(of: backup)
    #expect(plan.facts.tracked == 2)
    store.abandon(plan)
    #expect(try home.store().trackedIDs(profile: "default") == before)
    #expect(!home.names().contains { $0.contains(".new-") })
  }

  @Test func otherProcessesSeeTheRestoredContent() throws {
    try fill()
    let other = home.store()
    #expect(try other.trackedCount(profile: "default") == 3)
    try restore()
    #expect(try other.trackedIDs(profile: "default") == ["a", "b"])
    _ = try other.track(["d"], profile: "default")
    #expect(try home.store().trackedIDs(profile: "default") == ["a", "b", "d"])
    #expect(try home.store().check().allSatisfy(\.passed))
  }

  @Test func lockedStoreIsNotReplaced() throws {
    try fill()
    let writer = try home.database()
    try writer.execute("BEGIN IMMEDIATE")
    #expect(failure { try restore() }?.code == .locked)
    try writer.execute("ROLLBACK")
    #expect(try home.store().trackedCount(profile: "default") == 3)
    #expect(!home.names().contains { $0.contains("before-restore") || $0.contains(".new-") })
  }

  @Test(arguments: Damage.allCases) func replacesACorruptStore(damage: Damage) throws {
    try fill()
    _ = try home.store().track((0..<300).map { "id\($0)" }, profile: "default")
    let damaged = damage.apply(to: home.bytes("ifttt.db"))
    try home.write(damaged, to: "ifttt.db")
    let previous = try #require(try restore().previousPath)
    try expectRestored()
    #expect(FileManager.default.contents(atPath: previous).map { [UInt8]($0) } == damaged)
  }

  @Test(arguments: ["PRAGMA application_id = 7", "PRAGMA user_version = 99"])
  func movesAForeignOrNewerStoreAside(_ sql: String) throws {
    try fill()
    try home.database().execute("\(sql); PRAGMA wal_checkpoint(TRUNCATE)")
    #expect(try restore().previousPath != nil)
    try expectRestored()
  }

  @Test func createsAMissingStore() throws {
    try fill()
    try FileManager.default.createDirectory(atPath: "\(home.path)/kept", withIntermediateDirectories: true)
    for name in ["ifttt.db", "ifttt.db-wal", "ifttt.db-shm"] where home.names().contains(name) { try home.remove(name) }
    #expect(try restore().previousPath == nil)
    try expectRestored()
    #expect(try home.mode(of: "ifttt.db") == 0o600)
  }

  @Test func keepsALogWithoutItsStore() throws {
    try fill()
    try home.remove("ifttt.db")
    try home.write([1, 2, 3], to: "ifttt.db-wal")
    let previous = try #require(try restore().previousPath)
    try expectRestored()
    #expect(FileManager.default.contents(atPath: "\(previous)-wal") == Data([1, 2, 3]))
  }

  @Test func restoresACopyWithItsLog() throws {
    let store = home.store()
    _ = try store.track(["a", "b"], profile: "default")
    for suffix in ["", "-wal"] { try home.write(home.bytes("ifttt.db\(suffix)"), to: "copy.db\(suffix)") }
    #expect(!home.bytes("copy.db-wal").isEmpty)
    let before = home.bytes("copy.db")
    _ = try store.untrack(["a", "b"], profile: "default")
    #expect(try restore("\(home.path)/copy.db").tracked == 2)
    #expect(home.bytes("copy.db") == before)
    #expect(try home.store().trackedIDs(profile: "default") == ["a", "b"])
  }

  @Test(arguments: [
    ("", StoreError.Code.damaged), ("no database", .damaged), (String(repeating: "garbage ", count: 1000), .damaged),
  ])
  func rejectsOtherFiles(text: String, code: StoreError.Code) throws {
    try fill()
    try home.write(Array(text.utf8), to: "other.db")
    let error = failure { try restore("\(home.path)/other.db") }
    #expect(error?.code == code)
    #expect(error?.message.contains("other.db") == true)
    #expect(error?.hint.text.contains("Nothing was changed") == true)
    #expect(try home.store().trackedCount(profile: "default") == 3)
    #expect(!home.names().contains { $0.contains(".new-") })
  }

  @Test(arguments: [
    ("PRAGMA application_id = 7", StoreError.Code.foreign), ("PRAGMA user_version = 99", .newer),
    ("PRAGMA user_version = -1", .damaged),
    ("CREATE TRIGGER t AFTER INSERT ON tracked BEGIN DELETE FROM credential; END", .foreign),
    ("CREATE TABLE more (x)", .foreign), ("DROP TABLE tracked", .foreign),
    ("PRAGMA foreign_keys = OFF; INSERT INTO tracked VALUES ('nobody', 'x', 0)", .damaged),
  ])
  func rejectsAnInvalidBackup(sql: String, code: StoreError.Code) throws {
    try fill()
    let file = DatabaseFile(folder: home.path, schema: .store)
    try Database(path: backup, as: file).execute(sql)
    let error = failure { try restore() }
    #expect(error?.code == code, "\(String(describing: error))")
    #expect(error?.hint.text.contains("Nothing was changed") == true)
    #expect(try home.store().trackedCount(profile: "default") == 3)
    #expect(!home.names().contains { $0.contains(".new-") || $0.contains("before-restore") })
  }

  @Test(arguments: [Damage.truncated, .overwritten, .overwrittenAtTheStart])
  func rejectsACorruptBackup(damage: Damage) throws {
    try fill()
    _ = try home.store().track((0..<300).map { "id\($0)" }, profile: "default")
    _ = try home.store().backUp(to: backup, replacing: true)
    try home.write(damage.apply(to: home.bytes("backup.db")), to: "backup.db")
    #expect(failure { try restore() }?.code == .damaged)
    #expect(try home.store().trackedCount(profile: "default") == 303)
  }

  @Test func rejectsAnythingButARegularFile() throws {
    try fill()
    #expect(failure { try restore("\(home.path)/none.db") }?.code == .refused)
    #expect(failure { try restore(home.path) }?.code == .refused)
    #expect(failure { try restore("/dev/null") }?.code == .refused)
    let pipe = "\(home.path)/pipe"
    mkfifo(pipe, 0o600)
    #expect(failure { try restore(pipe) }?.code == .refused)
  }

  @Test func migratesAnOlderBackup() throws {
    try fill()
    try home.write([], to: "old.db")
    let old = try Database(path: "\(home.path)/old.db", as: DatabaseFile(folder: home.path, schema: .store))
    try old.execute("PRAGMA application_id = \(Schema.store.applicationID)")
    #expect(try restore("\(home.path)/old.db").schemaVersion == Schema.store.migrations.count)
    #expect(try home.store().profiles() == [])
    #expect(!home.names().contains { $0.contains(".new-") })
  }

  @Test func reportsAMissingKeyAndAcceptsAKeyFile() throws {
    try fill()
    _ = try home.store().backUp(to: backup, replacing: true, keyPath: "\(home.path)/backup.key")
    let wanted = try #require(try home.store().facts().keyID)
    _ = try home.store().rekey(to: .ownFile)
    let blind = try restore()
    #expect((blind.credentials, blind.opened) == (1, 0))
    #expect(blind.finding?.contains(wanted) == true)
    #expect(try home.store().check().contains { $0.detail.contains(wanted) && !$0.passed })
    let facts = try restore(keyPath: "\(home.path)/backup.key")
    #expect(facts.opened == 1)
    #expect(facts.finding == nil)
    #expect(facts.keySource == "key file (\(home.path)/store-\(wanted).key)")
    #expect(try home.store().credential(.userToken, userID: "ann", profile: "default") == token)
  }

  @Test func usesTheKeyFileWithoutAStore() throws {
    try fill()
    _ = try home.store().backUp(to: backup, replacing: true, keyPath: "\(home.path)/backup.key")
    for name in ["ifttt.db", "ifttt.db-wal", "ifttt.db-shm", "store.key"] where home.names().contains(name) {
      try home.remove(name)
    }
    #expect(try restore(keyPath: "\(home.path)/backup.key").opened == 1)
    #expect(try home.store().credential(.userToken, userID: "ann", profile: "default") == token)
  }

  @Test func rejectsTheWrongKeyFile() throws {
    try fill()
    try home.write(Array(String(repeating: "ab", count: 32).utf8), to: "wrong.key")
    let error = failure { try restore(keyPath: "\(home.path)/wrong.key") }
    #expect(error?.code == .wrongKey)
    #expect(!home.names().contains { $0.contains(".new-") })
    try home.write([], to: "wrong.key")
    #expect(failure { try restore(keyPath: "\(home.path)/wrong.key") }?.code == .keyMissing)
  }

  @Test func keepsTheCurrentLocationOfTheKey() throws {
    try fill()
    let path = "\(home.path)/my.key"
    try home.write(home.bytes("store.key"), to: "my.key")
    _ = try home.store().rekey(to: .file(path))
    #expect(try restore().keySource == "key file (\(path))")
    try expectRestored()
  }

  @Test func rejectsInsecurePermissions() throws {
    try fill()
    try home.setMode(0o644, of: "ifttt.db")
    #expect(failure { try restore() }?.code == .unsafePermissions)
  }

  @Test func cacheFollowsTheRestoredStore() throws {
    try fill()
    try home.store().cache(["a", "b", "c"].map { connection($0) }, profile: "default")
    try restore()
    #expect(try home.store().trackedIDs(profile: "default") == ["a", "b"])
    _ = try home.store().track(["c"], profile: "default")
    #expect(try home.store().trackedIDs(profile: "default") == ["a", "b", "c"])
  }
}
