import Foundation
import Store
import Testing
import Text
import World

@Suite struct RekeyTests {
  let home = TestHome()
  private let key = String(repeating: "0123456789abcdef", count: 4)

  private func fill() throws {
    for user in ["ann", "bob"] { try home.store().save(token, as: .userToken, userID: user, profile: "default") }
  }

  private func sealed() throws -> String? {
    try home.database().text("SELECT group_concat(hex(sealed)) FROM credential")
  }

  private func expectOpen(_ count: Int = 2) throws {
    #expect(try home.store().check().filter { !$0.passed } == [])
    #expect(try home.store().check().last?.detail == "\(count) decrypted")
  }

  @Test func newKeyReplacesTheOldOne() throws {
    try fill()
    let before = try sealed()
    let old = home.bytes("store.key")
    let facts = try home.store().rekey(to: .ownFile)
    #expect(facts.resealed == 2)
    #expect(facts.oldKeyID != nil && facts.oldKeyID != facts.keyID)
    #expect(facts.removed == "\(home.path)/store.key")
    #expect(facts.keySource == "key file (\(home.path)/store-\(facts.keyID).key)")
    #expect(home.names().filter { $0.hasSuffix(".key") } == ["store-\(facts.keyID).key"])
    #expect(home.bytes("store-\(facts.keyID).key") != old)
    #expect(try home.mode(of: "store-\(facts.keyID).key") == 0o600)
    #expect(try sealed() != before)
    try expectOpen()
    // Rekey again and add a credential.
    _ = try home.store().rekey(to: .ownFile)
    try home.store().save(token, as: .serviceKey, userID: "", profile: "default")
    try expectOpen(3)
    #expect(home.names().filter { $0.hasSuffix(".key") }.count == 1)
  }

  @Test func rekeyBeforeTheFirstCredentialChoosesTheKey() throws {
    let path = "\(home.path)/my.key"
    let facts = try home.store().rekey(to: .file(path))
    #expect((facts.oldKeyID, facts.resealed, facts.removed) == (nil, 0, nil))
    try fill()
    #expect(home.names().filter { $0.hasSuffix(".key") } == ["my.key"])
    try expectOpen()
  }

  @Test func namedFileIsCreatedOrUsed() throws {
    try fill()
    let path = "\(home.path)/my.key"
    let made = try home.store().rekey(to: .file(path))
    #expect(made.keySource == "key file (\(path))")
    #expect(try home.mode(of: "my.key") == 0o600)
    try expectOpen()
    try home.write(Array(key.utf8), to: "other.key")
    let taken = try home.store().rekey(to: .file("\(home.path)/other.key"))
    #expect(taken.removed == nil)
    #expect(home.bytes("other.key") == Array(key.utf8))
    // The user's own key file is not removed.
    #expect(home.names().contains("my.key"))
    try expectOpen()
    // The variable takes precedence, and its file must contain the right key.
    home.environment["IFTTT_STORE_KEY_FILE"] = path
    #expect(
      failure { _ = try home.store().credential(.userToken, userID: "ann", profile: "default") }?.code == .wrongKey)
  }

  @Test func sameKeyFileIsNotRemoved() throws {
    try fill()
    let facts = try home.store().rekey(to: .file("\(home.path)/store.key"))
    #expect(facts.removed == nil)
    #expect(facts.keyID == facts.oldKeyID)
    try expectOpen()
  }

  @Test func rejectsAConflictingVariable() throws {
    try fill()
    home.processes = World.live().processes
    try home.write(Array(key.utf8), to: "my.key")
    try home.write(Array("correct horse\n".utf8), to: "passphrase")
    try home.write(Array("another horse\n".utf8), to: "other")
    home.environment = [
      "IFTTT_STORE_KEY_FILE": "\(home.path)/my.key", "IFTTT_STORE_PASSPHRASE_FILE": "\(home.path)/passphrase",
      "IFTTT_STORE_KEY_COMMAND": "[\"printf\", \"\(String(key.reversed()))\"]",
    ]
    let choices: [NewKeyChoice] = [
      .file("\(home.path)/new.key"), .command(["printf", key]), .passphraseFile("\(home.path)/other"),
    ]
    for choice in choices {
      let error = failure { _ = try home.store().rekey(to: choice) }
      #expect(error?.code == .wrongKey)
      #expect(error?.message.hasPrefix("IFTTT_STORE_") == true)
    }
    #expect(!home.names().contains("new.key"))
    _ = try home.store().rekey(to: .passphraseFile("\(home.path)/passphrase"))
    try expectOpen()
    _ = try home.store().rekey(to: .command(["printf", String(key.reversed())]))
    try expectOpen()
    _ = try home.store().rekey(to: .file("\(home.path)/my.key"))
    try expectOpen()
  }

  @Test func commandIsRecordedOutsideTheDatabase() throws {
    try fill()
    home.processes = World.live().processes
    let facts = try home.store().rekey(to: .command(["printf", "%s\\n", key]))
    #expect(facts.keySource == "key command (recorded by store rekey)")
    try expectOpen()
    #expect(try home.mode(of: "store-keys.json") == 0o600)
    #expect(!String(decoding: home.bytes("ifttt.db"), as: UTF8.self).contains("printf"))
    try home.remove("store-keys.json")
    let error = failure { _ = try home.store().credential(.userToken, userID: "ann", profile: "default") }
    #expect(error?.code == .keyMissing)
    #expect(error?.hint.text == "Set IFTTT_STORE_KEY_COMMAND.")
    try home.write(Array("{".utf8), to: "store-keys.json")
    #expect(
      failure { _ = try home.store().credential(.userToken, userID: "ann", profile: "default") }?.code == .keyMissing)
  }

  @Test(arguments: [
    ["false"], ["printf", "x"], ["no-such-program-here"], ["sh", "-c", "echo \(token.revealed); exit 3"],
  ])
  func commandWithoutAKeyChangesNothing(words: [String]) throws {
    try fill()
    home.processes = World.live().processes
    let error = failure { _ = try home.store().rekey(to: .command(words)) }
    #expect(error?.code == .keyMissing)
    #expect(error?.message.contains(token.revealed) == false)
    #expect(!home.names().contains("store-keys.json"))
    try expectOpen()
  }

  @Test func passphraseIsPromptedForByPurpose() throws {
    try fill()
    let store = home.store()
    var asked: [String] = []
    let answer: PassphraseQuestion = { purpose throws(StoreError) in
      asked.append("\(purpose)")
      return Array("correct horse".utf8)
    }
    store.promptForPassphrase = answer
    #expect(try store.rekey(to: .passphrase).keySource == "passphrase (entered at a prompt)")
    let other = home.store()
    #expect(
      failure { _ = try other.credential(.userToken, userID: "ann", profile: "default") }?.hint.text
        == "Set IFTTT_STORE_PASSPHRASE_FILE.")
    other.promptForPassphrase = answer
    #expect(try other.check().allSatisfy(\.passed))
    #expect(asked == ["new", "present"])
    other.promptForPassphrase = { _ throws(StoreError) in throw .interrupted }
    #expect(failure { _ = try home.store().rekey(to: .passphrase) }?.code == .keyMissing)
    let interrupted = home.store()
    interrupted.promptForPassphrase = { _ throws(StoreError) in throw .interrupted }
    #expect(failure { _ = try interrupted.rekey(to: .ownFile) } == .interrupted)
  }

  @Test func secretServiceStoresAndDeletesKeys() throws {
    try fill()
    let ring = FakeSecretService()
    home.processes = ring
    #expect(failure { _ = try home.store().rekey(to: .secretService) }?.code == .keyMissing)
    #if !canImport(Security)
      #expect(failure { _ = try home.store().rekey(to: .keychain) }?.code == .keyMissing)
    #endif
    home.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nowhere"
    ring.isLocked = true
    #expect(failure { _ = try home.store().rekey(to: .secretService) }?.code == .keyMissing)
    try expectOpen()
    ring.isLocked = false
    let facts = try home.store().rekey(to: .secretService)
    #expect(facts.removed == "\(home.path)/store.key")
    try expectOpen()
    #expect(ring.secrets.count == 1)
    let back = try home.store().rekey(to: .ownFile)
    #expect(back.removed == "key \(facts.keyID) in the secret service")
    #expect(ring.secrets.count == 0)
    try expectOpen()
  }

  @Test func reportsAKeyThatCannotBeRemoved() throws {
    let ring = FakeSecretService()
    home.processes = ring
    home.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nowhere"
    try fill()
    ring.forgets = false
    let facts = try home.store().rekey(to: .ownFile)
    #expect(facts.removed == nil)
    #expect(facts.leftover == "key \(facts.oldKeyID ?? "") in the secret service")
    try expectOpen()
  }

  @Test func undecryptableRowPreventsTheRekey() throws {
    try fill()
    try home.database().execute("UPDATE credential SET sealed = zeroblob(40) WHERE user_id = 'bob'")
    #expect(failure { _ = try home.store().rekey(to: .ownFile) }?.code == .wrongKey)
    #expect(home.names().filter { $0.hasSuffix(".key") } == ["store.key"])
    #expect(try home.store().credential(.userToken, userID: "ann", profile: "default") == token)
  }

  @Test func missingOldKeyPreventsTheRekey() throws {
    try fill()
    try home.remove("store.key")
    #expect(failure { _ = try home.store().rekey(to: .ownFile) }?.code == .keyMissing)
    #expect(!home.names().contains { $0.hasSuffix(".key") })
  }

  @Test func lockedStoreKeepsItsKey() throws {
    try fill()
    let writer = try home.database()
    try writer.execute("BEGIN IMMEDIATE")
    #expect(failure { _ = try home.store().rekey(to: .file("\(home.path)/my.key")) }?.code == .locked)
    try writer.execute("ROLLBACK")
    #expect(home.names().filter { $0.hasSuffix(".key") } == ["store.key"])
    try expectOpen()
  }

  @Test func cachedOldKeyIsReplacedByTheNewOne() throws {
    try fill()
    let other = home.store()
    #expect(try other.credential(.userToken, userID: "ann", profile: "default") == token)
    _ = try home.store().rekey(to: .ownFile)
    #expect(try other.credential(.userToken, userID: "ann", profile: "default") == token)
    try other.save(token, as: .userToken, userID: "eve", profile: "default")
    try expectOpen(3)
  }
}
