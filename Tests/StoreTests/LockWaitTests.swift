import Foundation
import Store
import Testing
import World

/// Waiting for another process's write.
@Suite struct LockWaitTests {
  private let home = TestHome()

  private final class Notes { var all: [String] = [] }

  private final class Pressed: Interruption, @unchecked Sendable {
    // The object has no mutable state.
    var isInterrupted: Bool { true }
    var descriptor: Int32 { -1 }
  }

  private func store(_ busyTimeout: Duration, interrupted: Bool = false) -> (Store, Notes) {
    var world = home.world
    if interrupted { world.interruption = Pressed() }
    let store = Store(directories: AppDirectories(all: home.path), world: world, busyTimeout: busyTimeout)
    let notes = Notes()
    store.noteWait = { notes.all.append($0) }
    return (store, notes)
  }

  private func locked() throws -> Database {
    try home.store().save(Profile(name: "work"))
    let writer = try home.database()
    try writer.execute("BEGIN IMMEDIATE")
    return writer
  }

  @Test(arguments: [(5000, 1), (700, 1), (600, 0)])
  func showsOneMessageAfterTwoSeconds(_ milliseconds: Int, _ count: Int) throws {
    let writer = try locked()
    // There are three attempts, and the total wait counts.
    let (store, notes) = store(.milliseconds(milliseconds))
    #expect(failure { try store.save(Profile(name: "more")) }?.code == .locked)
    #expect(failure { try store.save(Profile(name: "more")) }?.code == .locked)
    #expect(
      notes.all == Array(repeating: "Waiting for another ifttt process that is using \(home.storePath).", count: count))
    try writer.execute("ROLLBACK")
    try store.save(Profile(name: "more"))
  }

  @Test func succeedsIfTheLockIsReleasedInTime() throws {
    let writer = try locked()
    let (store, notes) = store(.seconds(5))
    store.noteWait = { text in
      notes.all.append(text)
      try? writer.execute("ROLLBACK")
    }
    try store.save(Profile(name: "more"))
    #expect(notes.all.count == 1)
    #expect(try home.store().profiles().map(\.name) == ["more", "work"])
  }

  @Test func ctrlCEndsTheWait() throws {
    let writer = try locked()
    let (store, notes) = store(.seconds(5), interrupted: true)
    #expect(failure { try store.save(Profile(name: "more")) } == .interrupted)
    #expect(notes.all == [])
    try writer.execute("ROLLBACK")
  }

  @Test func lockedStoreSavesTheSecretToARecoveryFile() throws {
    try home.store().save(token, as: .userToken, userID: "ann", profile: "default")
    let writer = try locked()
    let error = failure { try home.store().saveOrRecover(token, as: .returnedToken, userID: "ann", profile: "default") }
    #expect(error?.code == .locked)
    let name = try #require(home.names().first { $0.hasPrefix("recovered-returned_token-") })
    #expect(home.bytes(name) == Array("token-e1hM0123456789abcdef4aTz\n".utf8))
    #expect(error?.message.contains("\(home.path)/\(name)") == true)
    try writer.execute("ROLLBACK")
  }

  @Test func missingKeyOrCtrlCSavesTheSecretToARecoveryFile() throws {
    try home.store().save(token, as: .userToken, userID: "ann", profile: "default")
    let writer = try locked()
    let (store, _) = store(.seconds(5), interrupted: true)
    let stopped = failure { try store.saveOrRecover(token, as: .returnedToken, userID: "ann", profile: "default") }
    #expect(stopped?.code == .interrupted)
    #expect(stopped?.message.contains("recovered-returned_token-") == true)
    try writer.execute("ROLLBACK")
    try home.remove("store.key")
    let lost = failure { try home.store().saveOrRecover(token, as: .returnedToken, userID: "bob", profile: "default") }
    #expect(lost?.code == .keyMissing)
    #expect(home.names().filter { $0.hasPrefix("recovered-returned_token-") }.count == 2)
  }
}
