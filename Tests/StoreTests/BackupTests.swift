import Foundation
import Store
import Testing
import Text
import World

@Suite struct BackupTests {
  let home = TestHome()
  private var backup: String { "\(home.path)/backup.db" }

  private func fill() throws {
    try home.store().save(token, as: .userToken, userID: "ann", profile: "default")
    _ = try home.store().track(["a", "b"], profile: "default")
  }

  @Test func backupIsASingleSQLiteFile() throws {
    try fill()
    let facts = try #require(try home.store().backUp(to: backup, replacing: false))
    #expect((facts.profiles, facts.credentials, facts.tracked) == (1, 1, 2))
    #expect(try facts.keyID == home.store().facts().keyID)
    #expect(facts.keySource == "key file (\(home.path)/store.key)")
    #expect(facts.sizeInBytes == home.bytes("backup.db").count)
    #expect(try home.mode(of: "backup.db") == 0o600)
    #expect(home.names().filter { $0.hasPrefix("backup") } == ["backup.db"])
    let file = DatabaseFile(folder: home.path, schema: .store)
    let database = try Database(path: backup, as: file)
    #expect(try database.text("PRAGMA journal_mode") == "delete")
    #expect(try database.text("PRAGMA integrity_check") == "ok")
    #expect(try database.integer("SELECT count(*) FROM tracked") == 2)
    #expect(!String(decoding: home.bytes("backup.db"), as: UTF8.self).contains(token.revealed))
  }

  @Test func existingFileIsReplacedOnlyOnRequest() throws {
    try fill()
    try home.write([1, 2, 3], to: "backup.db")
    let error = failure { _ = try home.store().backUp(to: backup, replacing: false) }
    #expect(error?.code == .exists)
    #expect(home.bytes("backup.db") == [1, 2, 3])
    _ = try home.store().backUp(to: backup, replacing: true)
    #expect(home.bytes("backup.db").count > 4096)
    #expect(home.names().filter { $0.contains(".new-") } == [])
  }

  @Test(arguments: ["ifttt.db", "cache.db", "ifttt.db-wal", "store.key", "store-keys.json", "link"])
  func rejectsFilesOfTheStoreAsTargets(name: String) throws {
    let store = home.store()
    try store.save(token, as: .userToken, userID: "ann", profile: "default")
    try FileManager.default.createSymbolicLink(atPath: "\(home.path)/link", withDestinationPath: "ifttt.db")
    let error = failure { _ = try store.backUp(to: "\(home.path)/\(name)", replacing: true) }
    #expect(error?.message.contains("part of the store") == true)
    #expect(try home.store().credential(.userToken, userID: "ann", profile: "default") == token)
  }

  @Test func rejectsAFolderOrMissingParentAsTarget() throws {
    try fill()
    #expect(failure { _ = try home.store().backUp(to: home.path, replacing: true) }?.code == .failed)
    #expect(failure { _ = try home.store().backUp(to: "\(home.path)/no/b", replacing: false) }?.code == .refused)
  }

  @Test func missingStoreYieldsNoBackup() throws {
    #expect(try home.store().backUp(to: backup, replacing: false) == nil)
    #expect(home.names() == [])
  }

  @Test func corruptStoreYieldsNoBackup() throws {
    try fill()
    _ = try home.store().track((0..<500).map { "id\($0)" }, profile: "default")
    try home.write(Damage.overwritten.apply(to: home.bytes("ifttt.db")), to: "ifttt.db")
    #expect(failure { _ = try home.store().backUp(to: backup, replacing: false) }?.code == .damaged)
    #expect(!home.names().contains { $0.hasPrefix("backup") || $0.contains(".new-") })
  }

  @Test func keyIsWrittenToASeparateFileOnRequest() throws {
    try fill()
    let key = "\(home.path)/backup.key"
    let facts = try #require(try home.store().backUp(to: backup, replacing: false, keyPath: key))
    #expect(facts.keyPath == key)
    #expect(home.bytes("backup.key") == home.bytes("store.key"))
    #expect(try home.mode(of: "backup.key") == 0o600)
    // An existing key file is never overwritten, and no backup is made in that case.
    let second = failure { _ = try home.store().backUp(to: "\(home.path)/b2.db", replacing: false, keyPath: key) }
    #expect(second?.code == .exists)
    #expect(!home.names().contains("b2.db"))
  }

  @Test func noKeyIsWrittenWithoutCredentials() throws {
    try home.store().useProfile("default")
    let facts = try #require(
      try home.store().backUp(to: backup, replacing: false, keyPath: "\(home.path)/backup.key"))
    #expect(facts.keyPath == nil)
    #expect(facts.keyID == nil)
    #expect(!home.names().contains("backup.key"))
  }

  @Test func backupIgnoresAnUncommittedTransaction() throws {
    try fill()
    let writer = try home.database()
    try writer.execute("BEGIN IMMEDIATE; DELETE FROM tracked")
    let facts = try #require(try home.store().backUp(to: backup, replacing: false))
    #expect(facts.tracked == 2)
    try writer.execute("COMMIT")
    #expect(try home.store().facts().tracked == 0)
  }

  @Test func relativeNameIsInTheWorkingFolder() throws {
    try fill()
    #expect(try home.store().backUp(to: "backup.db", replacing: false)?.path == "\(home.path)/backup.db")
    #expect(home.names().contains("backup.db"))
  }
}
