import Foundation
import Store
import Testing
import Text
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Files next to a backup that SQLite would treat as parts of the database.
@Suite struct RestoreCompanionTests {
  private let home = TestHome()
  private let elsewhere = TestHome()
  private var backup: String { "\(elsewhere.path)/backup.db" }

  private func fill() throws {
    _ = try home.store().track(["a", "b"], profile: "default")
    // SQLite treats an empty file as missing.
    try elsewhere.write([1, 2, 3], to: "victim")
    _ = try home.store().backUp(to: backup, replacing: true)
  }

  private func rejection() throws -> StoreError? {
    let store = home.store()
    let error = failure { store.abandon(try store.planRestore(of: backup)) }
    #expect(!home.names().contains { $0.contains(".new-") })
    #expect(try home.store().trackedCount(profile: "default") == 2)
    return error
  }

  private func bigEndian(_ numbers: Int...) -> [UInt8] {
    numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
  }

  /// Returns a rollback journal that changes no page and ends with the name of a super-journal, which SQLite deletes
  /// after the rollback (https://sqlite.org/fileformat.html, section 3).
  private func journal(naming victim: String) -> [UInt8] {
    let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
    let (name, size) = (Array(victim.utf8), elsewhere.bytes("backup.db").count)
    let header = magic + bigEndian(0, 0, size / 4096, 512, 4096)
    let padding = [UInt8](repeating: 0, count: 512 - header.count)
    let checksum = name.reduce(0) { $0 + Int(Int8(bitPattern: $1)) }
    return header + padding + bigEndian(0x4000_0000 / 4096 + 1) + name + bigEndian(name.count, checksum) + magic
  }

  @Test func journalCannotDeleteANamedFile() throws {
    try fill()
    let victim = "\(elsewhere.path)/victim"
    try elsewhere.write(journal(naming: victim), to: "backup.db-journal")
    let error = try rejection()
    #expect(FileManager.default.fileExists(atPath: victim))
    #expect(error?.code == .refused)
    #expect(error?.message.contains("backup.db-journal") == true)
    #expect(error?.hint.text.contains("Open the original once with the program that created it") == true)
    // Verify that the journal is valid: SQLite itself deletes the file.
    _ = try Database(path: backup, as: DatabaseFile(folder: elsewhere.path, schema: .store))
      .integer("SELECT count(*) FROM tracked")
    #expect(!FileManager.default.fileExists(atPath: victim))
  }

  @Test func emptyJournalIsIgnored() throws {
    try fill()
    try elsewhere.write([], to: "backup.db-journal")
    #expect(try rejection() == nil)
  }

  @Test(arguments: ["-wal", "-shm"], [0o644, 0o660, 0o602]) func rejectsAnExposedLog(suffix: String, mode: Int) throws {
    try fill()
    try elsewhere.write([1, 2, 3], to: "backup.db\(suffix)", mode: mode)
    let error = try rejection()
    #expect(error?.code == .unsafePermissions)
    #expect(error?.hint.text == "Run: chmod 600 \(backup)\(suffix)")
  }

  @Test(arguments: ["-wal", "-shm"]) func rejectsALogThatIsALink(suffix: String) throws {
    try fill()
    try FileManager.default.createSymbolicLink(
      atPath: "\(backup)\(suffix)", withDestinationPath: "\(elsewhere.path)/victim")
    #expect(try rejection()?.code == .unsafePermissions)
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a file away")) func rejectsALogOfAnotherUser() throws {
    try fill()
    try elsewhere.write([1, 2, 3], to: "backup.db-wal")
    #expect(chown("\(backup)-wal", 12345, 12345) == 0)
    let error = try rejection()
    #expect(error?.code == .unsafePermissions)
    #expect(error?.message.contains("belongs to another user (uid 12345)") == true)
  }

  @Test func abandonedPlanLeavesNoFolder() throws {
    try fill()
    let other = TestHome()
    let store = other.store()
    let plan = try store.planRestore(of: backup)
    store.abandon(plan)
    #expect(!FileManager.default.fileExists(atPath: other.path))
    #expect(failure { _ = try other.store().planRestore(of: "\(backup)-none") }?.code == .refused)
    #expect(!FileManager.default.fileExists(atPath: other.path))
  }
}
