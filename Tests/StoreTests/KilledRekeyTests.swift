import Foundation
import Store
import Testing
import World

/// The leftovers of a rekey that is killed at any step, and their removal.
@Suite struct KilledRekeyTests {
  private let home = TestHome()

  /// Copies the folder whenever random bytes are drawn, to capture its state after a kill at that moment. A rekey
  /// draws random bytes before each of its steps.
  private final class Moments: RandomBytes, @unchecked Sendable {
    // All mutable state is used by a single thread.
    private let live = World.live().random
    private let home: TestHome
    private(set) var homes: [TestHome] = []
    init(_ home: TestHome) { self.home = home }

    func bytes(_ count: Int) -> [UInt8] {
      homes.append(home.copy())
      return live.bytes(count)
    }
  }

  private func fill() throws {
    for user in ["ann", "bob"] { try home.store().save(token, as: .userToken, userID: user, profile: "default") }
  }

  private func store(drawing random: any RandomBytes) -> Store { store(of: home, drawing: random) }

  private func store(of home: TestHome, drawing random: any RandomBytes) -> Store {
    var world = home.world
    world.random = random
    return Store(directories: AppDirectories(all: home.path), world: world, busyTimeout: .milliseconds(1))
  }

  private func expectClean(_ home: TestHome, _ what: String, keys count: Int = 1) throws {
    #expect(try home.store().credential(.userToken, userID: "ann", profile: "default") == token, "\(what)")
    #expect(try home.store().check().filter { !$0.passed } == [], "\(what)")
    #expect(home.names().filter { $0.contains(".key") }.count == count, "\(what): \(home.names())")
    #expect(!home.names().contains { $0.hasPrefix("store-rekey") }, "\(what): \(home.names())")
  }

  @Test func killBeforeTheCommitRemovesTheNewKeyFile() throws {
    try fill()
    let old = home.bytes("store.key")
    let moments = Moments(home)
    _ = try store(drawing: moments).rekey(to: .ownFile)
    try expectClean(home, "not killed")
    #expect(moments.homes.count >= 4)
    #expect(
      moments.homes.contains { $0.names().filter { $0.contains(".key") }.count > 1 }, "some copies have leftovers")
    for (number, killed) in moments.homes.enumerated() {
      let leftovers = try killed.store().leftoverKeyFiles()
      #expect(leftovers.count == killed.names().filter { $0.contains(".key") }.count - 1, "\(number)")
      #expect(try killed.store().removeLeftoverKeyFiles() == leftovers)
      #expect(killed.bytes("store.key") == old)
      if !killed.names().contains("store-rekey.json") { try expectClean(killed, "\(number)") }
    }
  }

  @Test func nextRekeyRemovesLeftovers() throws {
    try fill()
    let moments = Moments(home)
    _ = try store(drawing: moments).rekey(to: .ownFile)
    for (number, killed) in moments.homes.enumerated() {
      let leftovers = try killed.store().leftoverKeyFiles()
      let facts = try killed.store().rekey(to: .ownFile)
      #expect(facts.swept == leftovers)
      try expectClean(killed, "\(number)")
      #expect(killed.names().contains("store-\(facts.keyID).key"))
    }
  }

  @Test func killAfterTheCommitRemovesTheOldKeyFile() throws {
    try fill()
    let moments = Moments(home)
    let facts = try store(drawing: moments).rekey(to: .ownFile)
    // Simulate a kill between the commit and the removal.
    let before = try #require(moments.homes.last)
    for name in ["store.key", "store-rekey.json"] { try home.write(before.bytes(name), to: name) }
    #expect(try home.store().leftoverKeyFiles() == ["\(home.path)/store.key"])
    #expect(try home.store().removeLeftoverKeyFiles() == ["\(home.path)/store.key"])
    try expectClean(home, "after")
    #expect(home.names().contains("store-\(facts.keyID).key"))
  }

  @Test func killDuringRekeyToAPassphraseRemovesTheOldKeyFile() throws {
    try fill()
    try home.write(Array("correct horse\n".utf8), to: "passphrase")
    home.environment["IFTTT_STORE_PASSPHRASE_FILE"] = "\(home.path)/passphrase"
    let moments = Moments(home)
    _ = try store(drawing: moments).rekey(to: .passphraseFile("\(home.path)/passphrase"))
    let before = try #require(moments.homes.last)
    for name in ["store.key", "store-rekey.json"] { try home.write(before.bytes(name), to: name) }
    #expect(try home.store().removeLeftoverKeyFiles() == ["\(home.path)/store.key"])
    try expectClean(home, "after", keys: 0)
  }

  /// A store without credentials has no key that the killed rekey's key could be compared with.
  @Test func aKilledFirstRekeyLeavesNoOrphan() throws {
    _ = try home.store().track(["a1"], profile: "default")
    let moments = Moments(home)
    let name = "store-\(try store(drawing: moments).rekey(to: .ownFile).keyID).key"
    // A kill between the last file and the commit.
    let last = try #require(moments.homes.last)
    #expect(last.names().contains("store-rekey.json"))
    try last.write(home.bytes(name), to: name)
    for (number, killed) in moments.homes.enumerated() {
      // A second rekey that is killed must not make another orphan.
      let again = Moments(killed)
      if number % 2 == 1 { _ = try self.store(of: killed, drawing: again).rekey(to: .ownFile) }
      for killed in [killed] + again.homes {
        try killed.store().save(token, as: .userToken, userID: "ann", profile: "default")
        _ = try killed.store().removeLeftoverKeyFiles()
        try expectClean(killed, "\(number)")
      }
    }
  }

  /// The key of a rekey that was to replace a key outside of the store's own files.
  @Test func aKilledRekeyFromAnotherSourceLeavesNoOrphan() throws {
    try home.write(Array("correct horse\n".utf8), to: "passphrase")
    home.environment["IFTTT_STORE_PASSPHRASE_FILE"] = "\(home.path)/passphrase"
    try fill()
    let moments = Moments(home)
    _ = try store(drawing: moments).rekey(to: .ownFile)
    #expect(moments.homes.contains { $0.names().contains { $0.hasSuffix(".key") } }, "some copies have the key")
    for (number, killed) in moments.homes.enumerated() {
      killed.environment["IFTTT_STORE_PASSPHRASE_FILE"] = "\(killed.path)/passphrase"
      _ = try killed.store().removeLeftoverKeyFiles()
      try expectClean(killed, "\(number)", keys: 0)
    }
  }

  /// A key file of another backup, copied here by its owner, is never removed.
  @Test func keepsOtherKeyFiles() throws {
    try fill()
    let other = TestHome()
    try other.store().save(token, as: .userToken, userID: "ann", profile: "default")
    let foreign = try other.store().rekey(to: .ownFile).keyID
    try home.write(other.bytes("store-\(foreign).key"), to: "store-\(foreign).key")
    _ = try home.store().rekey(to: .ownFile)
    #expect(try home.store().removeLeftoverKeyFiles() == [])
    #expect(home.names().filter { $0.hasSuffix(".key") }.count == 2)
    #expect(home.names().contains("store-\(foreign).key"))
  }

  /// After a restore, it is unknown which of a killed rekey's keys is needed.
  @Test func restoreKeepsTheKeysOfAKilledRekey() throws {
    try fill()
    _ = try home.store().backUp(to: "\(home.path)/backup.db", replacing: false)
    let moments = Moments(home)
    let facts = try store(drawing: moments).rekey(to: .ownFile)
    let before = try #require(moments.homes.last)
    for name in ["store.key", "store-rekey.json"] { try home.write(before.bytes(name), to: name) }
    let store = home.store()
    let restored = try store.restore(try store.planRestore(of: "\(home.path)/backup.db"))
    #expect(restored.opened == 2)
    #expect(try home.store().removeLeftoverKeyFiles() == [])
    #expect(home.names().contains("store.key") && home.names().contains("store-\(facts.keyID).key"))
    let previous = try #require(restored.previousPath)
    let again = home.store()
    #expect(try again.restore(try again.planRestore(of: previous)).opened == 2, "the newer key is also available")
  }

  @Test(arguments: ["", "{", "[]", #"{"keys":["../../x"]}"#, #"{"keys":[1,null]}"#])
  func invalidIntentRemovesNothing(text: String) throws {
    try fill()
    try home.write(Array(text.utf8), to: "store-rekey.json")
    #expect(try home.store().leftoverKeyFiles() == [])
    #expect(try home.store().removeLeftoverKeyFiles() == [])
    _ = try home.store().rekey(to: .ownFile)
    try expectClean(home, "after")
  }

  @Test func removesNothingDuringAnotherRekey() throws {
    try fill()
    let moments = Moments(home)
    _ = try store(drawing: moments).rekey(to: .ownFile)
    let killed = try #require(moments.homes.first { $0.names().filter { $0.contains(".key") }.count > 1 })
    let writer = try killed.database()
    try writer.execute("BEGIN IMMEDIATE")
    #expect(failure { _ = try killed.store().removeLeftoverKeyFiles() }?.code == .locked)
    try writer.execute("ROLLBACK")
    #expect(try killed.store().removeLeftoverKeyFiles().count == 1)
  }
}

extension TestHome {
  /// Returns another home with the same files.
  fileprivate func copy() -> TestHome {
    let other = TestHome()
    (other.environment, other.processes) = (environment, processes)
    try? FileManager.default.copyItem(atPath: path, toPath: other.path)
    return other
  }
}
