import Foundation
import Testing
import World

@testable import Store

/// Files that killed processes left beside the store.
@Suite struct AbandonedFileTests {
  private let home = TestHome()
  private var stem: String { "ifttt.db.new-0123456789ab-" }

  private func make() throws { try home.store().save(token, as: .userToken, userID: "ann", profile: "default") }

  /// The process that wrote the files has ended, whether or not another process has its id by now.
  @Test func filesWithoutAHolderOfTheirLockAreRemoved() throws {
    try make()
    let names = ["", "-wal", "-shm", "-journal", ".lock"].map { "\(stem)\(getpid())\($0)" }
    for name in names { try home.write([], to: name) }
    try home.write([], to: "cache.db.new-0123456789ab-1.lock")
    try home.write([], to: "store-0123456789abcdef.key.new-0123456789ab-1")
    try home.write([], to: "store-0123456789abcdef.key.new-0123456789ab-1.lock")
    #expect(home.store().abandonedFiles.count == 6, "a lock counts only if it is alone")
    try home.store().save(token, as: .userToken, userID: "bob", profile: "default")
    #expect(!home.names().contains { $0.contains(".new-") }, "the next write removes them: \(home.names())")
    #expect(home.store().abandonedFiles == [])
    #expect(try home.store().check().allSatisfy(\.passed))
  }

  @Test func filesInUseAreKept() throws {
    try make()
    let file = try TemporaryFile(for: home.storePath, home.world)
    try home.write([1], to: String(file.path.dropFirst(home.path.count + 1)))
    #expect(home.store().abandonedFiles == [])
    #expect(home.store().removeAbandonedFiles() == [])
    #expect(FileManager.default.fileExists(atPath: file.path))
    file.end()
    #expect(!home.names().contains { $0.contains(".new-") })
  }

  /// Earlier versions made no lock. If another process has the id by now, the file stays until that process ends.
  @Test func filesOfEarlierVersionsAreRemovedAfterTheirProcess() throws {
    try make()
    let child = Process()
    child.executableURL = URL(fileURLWithPath: "/bin/true")
    try child.run()
    child.waitUntilExit()
    try home.write([], to: "\(stem)\(child.processIdentifier)")
    try home.write([], to: "\(stem)\(getpid())")
    #expect(home.store().removeAbandonedFiles() == ["\(home.path)/\(stem)\(child.processIdentifier)"])
    #expect(home.names().contains("\(stem)\(getpid())"))
  }

  @Test func otherFilesAreKept() throws {
    try make()
    let names = [
      "ifttt.db.new-", "ifttt.db.newer", "ifttt.db.new-0123456789ab", "ifttt.db.new-0123456789ab-", "\(stem)1x",
      "other.db.new-0123456789ab-1", ".new-0123456789ab-1", "\(stem)1-other", "run-.locks", "runs.lock",
    ]
    for name in names { try home.write([], to: name) }
    #expect(home.store().removeAbandonedFiles() == [])
    for name in names { #expect(home.names().contains(name)) }
  }

  @Test func locksOfBatchesAreRemovedUnlessTheyAreHeld() throws {
    try make()
    for name in ["run-abc.lock", "run-def.lock"] { try home.write([], to: name) }
    let lock = try home.world.files.lock("\(home.path)/run-def.lock")
    #expect(home.store().removeAbandonedFiles() == ["\(home.path)/run-abc.lock"])
    #expect(home.names().contains("run-def.lock"))
    lock?.release()
    #expect(home.store().removeAbandonedFiles() == ["\(home.path)/run-def.lock"])
  }

  @Test func aBackupRemovesWhatAKilledOneLeftBesideTheSameFile() throws {
    try make()
    try home.write([], to: "b.db.new-0123456789ab-\(getpid())")
    try home.write([], to: "b.db.new-0123456789ab-\(getpid()).lock")
    try home.write([], to: "c.db.new-0123456789ab-\(getpid()).lock")
    _ = try home.store().backUp(to: "\(home.path)/b.db", replacing: false)
    #expect(home.names().filter { $0.contains(".new-") } == ["c.db.new-0123456789ab-\(getpid()).lock"])
  }
}
