import Store
import Testing
import World

@Suite struct CheckTests {
  let home = TestHome()

  private func fill() throws {
    _ = try home.store().track(["a", "b"], profile: "default")
    try home.store().cache([connection("a")], profile: "default")
    try home.store().save(token, as: .userToken, userID: "ann", profile: "default")
    try home.store().save(token, as: .userToken, userID: "bob", profile: "default")
  }

  private func failed() throws -> [String] { try home.store().check().filter { !$0.passed }.map(\.check) }

  @Test func intactStorePasses() throws {
    try fill()
    let before = home.names()
    #expect(try home.store().check().map(\.check) == ["permissions", "store", "cache", "credentials"])
    #expect(try failed() == [])
    #expect(try home.store().check().last?.detail == "2 decrypted")
    #expect(home.names() == before)
  }

  @Test func reportsEachCredentialThatCannotBeDecrypted() throws {
    try fill()
    try home.database().execute("UPDATE credential SET sealed = zeroblob(40) WHERE user_id = 'ann'")
    #expect(try failed() == ["credentials"])
    try home.remove("store.key")
    #expect(try failed() == ["credentials", "credentials"])
  }

  @Test func reportsInsecurePermissions() throws {
    try fill()
    try home.setMode(0o644, of: "store.key")
    #expect(try failed().contains("permissions"))
    try home.setMode(0o600, of: "store.key")
    try home.setMode(0o755)
    #expect(try failed() == ["permissions", "store", "cache", "credentials"])
  }

  @Test func reportsDanglingReferences() throws {
    try fill()
    try home.database().execute("PRAGMA foreign_keys = OFF; DELETE FROM profile")
    #expect(try failed() == ["store"])
  }

  @Test func factsCountTheContent() throws {
    try fill()
    try home.store().save(Profile(name: "work"))
    let facts = try home.store().facts()
    #expect(facts.exists)
    #expect(facts.path == home.storePath)
    #expect(facts.cachePath == home.cachePath)
    #expect(facts.schemaVersion == Schema.store.migrations.count)
    #expect(facts.sqliteVersion.hasPrefix("3."))
    #expect(facts.sizeInBytes == home.bytes("ifttt.db").count)
    #expect(facts.cacheSizeInBytes == home.bytes("cache.db").count)
    #expect([facts.profiles, facts.credentials, facts.tracked, facts.cached] == [2, 2, 2, 1])
  }

  @Test func factsOfAMissingStoreAreEmpty() throws {
    let facts = try home.store().facts()
    #expect(!facts.exists)
    #expect(facts.keySource == "none yet")
    #expect(home.names() == [])
  }
}
