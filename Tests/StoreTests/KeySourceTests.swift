import Foundation
import Store
import Testing
import Text
import World

@Suite struct KeySourceTests {
  let home = TestHome()
  let key = String(repeating: "0123456789abcdef", count: 4)
  let otherKey = String(repeating: "fedcba9876543210", count: 4)

  private func save() throws { try home.store().save(token, as: .userToken, userID: "ann", profile: "default") }
  private func read() throws {
    #expect(try home.store().credential(.userToken, userID: "ann", profile: "default") == token)
  }
  private var source: String { get throws { try home.store().facts().keySource } }

  @Test func defaultsToAKeyFile() throws {
    try save()
    #expect(try home.mode(of: "store.key") == 0o600)
    #expect(try source == "key file (\(home.path)/store.key)")
    try read()
    // A source that becomes available later does not change the recorded one.
    try home.write(Array(otherKey.utf8), to: "other.key")
    home.environment["IFTTT_STORE_KEY_FILE"] = "\(home.path)/other.key"
    try read()
    try save()
    #expect(try source.hasSuffix("store.key)"))
  }

  @Test func missingKeyFileIsNotReplaced() throws {
    try save()
    try home.remove("store.key")
    #expect(failure { try read() }?.code == .keyMissing)
    #expect(failure { try save() }?.code == .keyMissing)
    #expect(!home.names().contains("store.key"))
  }

  @Test func wrongKeyErrorNamesTheNeededKey() throws {
    try save()
    try home.write(Array(otherKey.utf8), to: "store.key")
    let wanted = try home.database().text("SELECT key_id FROM credential") ?? "none"
    let error = failure { try read() }
    #expect(error?.code == .wrongKey)
    #expect(error?.message.contains(wanted) == true)
    #expect(failure { try save() }?.code == .wrongKey)
    #expect(try home.store().credentials(profile: "default").count == 1)
  }

  @Test(arguments: ["", "short", String(repeating: "g", count: 64), String(repeating: "0", count: 65)])
  func rejectsAKeyFileWithoutAKey(text: String) throws {
    try home.write(Array(text.utf8), to: "my.key")
    home.environment["IFTTT_STORE_KEY_FILE"] = "\(home.path)/my.key"
    let error = failure { try save() }
    #expect(error?.code == .keyMissing)
    #expect(error?.message.contains("my.key") == true)
  }

  @Test func namedKeyFileIsRequiredAfterItsFirstUse() throws {
    try home.write(Array("\(key)\n".utf8), to: "my.key")
    home.environment["IFTTT_STORE_KEY_FILE"] = "\(home.path)/my.key"
    try save()
    try read()
    #expect(try source == "key file (IFTTT_STORE_KEY_FILE=\(home.path)/my.key)")
    #expect(!home.names().contains("store.key"))
    try home.setMode(0o644, of: "my.key")
    #expect(failure { try read() }?.hint.text == "Run: chmod 600 \(home.path)/my.key")
    try home.remove("my.key")
    let error = failure { try read() }
    #expect(error?.code == .keyMissing)
    #expect(error?.message.contains("IFTTT_STORE_KEY_FILE") == true)
    home.environment = [:]
    #expect(failure { try read() }?.code == .keyMissing)
  }

  @Test func missingNamedKeyFileIsNotCreated() {
    home.environment["IFTTT_STORE_KEY_FILE"] = "\(home.path)/none.key"
    #expect(failure { try save() }?.code == .keyMissing)
    #expect(!home.names().contains("none.key"))
    #expect(!home.names().contains("store.key"))
  }

  @Test func keyCommandRunsWithoutAShell() throws {
    home.environment["IFTTT_STORE_KEY_COMMAND"] = "[\"printf\", \"%s\", \"\(key)\"]"
    home.processes = World.live().processes
    try save()
    try read()
    #expect(try source == "key command (IFTTT_STORE_KEY_COMMAND)")
    home.environment["IFTTT_STORE_KEY_COMMAND"] = "[\"false\"]"
    #expect(failure { try read() }?.message == "IFTTT_STORE_KEY_COMMAND: false exited with status 1")
    home.environment["IFTTT_STORE_KEY_COMMAND"] = "[\"no-such-program-here\"]"
    #expect(failure { try read() }?.code == .keyMissing)
  }

  @Test(arguments: ["printf x", "[]", "[1]", "[\"a\", 1]", "{}"])
  func keyCommandMustBeAnArrayOfStrings(command: String) {
    home.environment["IFTTT_STORE_KEY_COMMAND"] = command
    let error = failure { try save() }
    #expect(error?.code == .keyMissing)
    #expect(error?.message.contains("IFTTT_STORE_KEY_COMMAND") == true)
  }

  @Test func passphraseDecryptsItsCredentials() throws {
    try home.write(Array("correct horse\n".utf8), to: "passphrase")
    home.environment["IFTTT_STORE_PASSPHRASE_FILE"] = "\(home.path)/passphrase"
    try save()
    try read()
    try home.write(Array("wrong horse\n".utf8), to: "passphrase")
    #expect(failure { try read() }?.code == .wrongKey)
    try home.write(Array("\n".utf8), to: "passphrase")
    #expect(failure { try read() }?.code == .keyMissing)
  }

  @Test func existingKeyFileIsUsed() throws {
    try home.write(Array(key.utf8), to: "store.key")
    try save()
    #expect(home.bytes("store.key") == Array(key.utf8))
    try home.setMode(0o644, of: "store.key")
    #expect(failure { try read() }?.hint.text == "Run: chmod 600 \(home.path)/store.key")
  }

  @Test func rejectsAFolderAsKeyFile() throws {
    try home.store().useProfile("default")
    home.environment["IFTTT_STORE_KEY_FILE"] = home.path
    #expect(failure { try save() }?.code == .keyMissing)
  }

  @Test func secretServiceStoresTheKey() throws {
    let ring = FakeSecretService()
    home.processes = ring
    home.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nowhere"
    try save()
    try read()
    #expect(try source.hasPrefix("secret service (key "))
    #expect(!home.names().contains("store.key"))
    #expect(ring.limits == [.seconds(3)])
    ring.isLocked = true
    #expect(failure { try read() }?.code == .keyMissing)
    #expect(failure { try save() }?.code == .keyMissing)
  }

  @Test func failingSecretServiceIsSkipped() throws {
    let ring = FakeSecretService()
    ring.isLocked = true
    home.processes = ring
    home.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nowhere"
    try save()
    ring.isLocked = false
    try read()
    #expect(try source.hasPrefix("key file"))
  }

  @Test func secretServiceRequiresASessionBus() throws {
    let ring = FakeSecretService()
    home.processes = ring
    try save()
    #expect(ring.limits == [])
  }
}
