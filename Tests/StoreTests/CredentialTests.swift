import Store
import Testing
import Text
import World

@Suite struct CredentialTests {
  let home = TestHome()

  @Test func credentialRoundTripsAndIsReplaced() throws {
    try home.store().save(secret("old"), as: .userToken, userID: "ann", profile: "default")
    try home.store().save(token, as: .userToken, userID: "ann", profile: "default")
    try home.store().save(secret("key"), as: .serviceKey, userID: "", profile: "default")
    #expect(try home.store().credential(.userToken, userID: "ann", profile: "default") == token)
    #expect(try home.store().credential(.serviceKey, userID: "", profile: "default") == secret("key"))
    #expect(try home.store().credential(.userToken, userID: "bob", profile: "default") == nil)
    #expect(try home.store().credential(.userToken, userID: "ann", profile: "other") == nil)
    let saved = home.clock.now()
    #expect(
      try home.store().credentials(profile: "default") == [
        CredentialRecord(kind: .serviceKey, userID: "", savedAt: saved),
        CredentialRecord(kind: .userToken, userID: "ann", savedAt: saved),
      ])
  }

  @Test func removingACredentialTwiceReturnsFalse() throws {
    #expect(try !home.store().removeCredential(.userToken, userID: "ann", profile: "default"))
    #expect(home.names() == [])
    try home.store().save(token, as: .userToken, userID: "ann", profile: "default")
    #expect(try home.store().removeCredential(.userToken, userID: "ann", profile: "default"))
    #expect(try !home.store().removeCredential(.userToken, userID: "ann", profile: "default"))
  }

  @Test func noFileContainsTheSecretInPlainText() throws {
    let store = home.store()
    try store.save(token, as: .userToken, userID: "ann", profile: "default")
    // The log exists while the connection is open.
    #expect(home.names().contains("ifttt.db-wal"))
    for name in home.names() {
      #expect(!home.bytes(name).contains(token.revealed.utf8), "\(name)")
      #expect(!home.bytes(name).contains(token.revealed.utf8.dropLast(12)), "\(name)")
    }
    // Verify that the search finds text that is present.
    #expect(home.names().contains { home.bytes($0).contains("user_token".utf8) })
  }

  @Test func swappedRowsCannotBeDecrypted() throws {
    try home.store().save(token, as: .userToken, userID: "ann", profile: "default")
    try home.store().save(secret("bob's"), as: .userToken, userID: "bob", profile: "default")
    try home.database().execute(
      """
      CREATE TABLE old AS SELECT number, sealed FROM credential;
      UPDATE credential SET sealed = (SELECT sealed FROM old WHERE old.number <> credential.number);
      DROP TABLE old
      """)
    let error = failure { _ = try home.store().credential(.userToken, userID: "ann", profile: "default") }
    #expect(error?.code == .wrongKey)
  }

  @Test(arguments: [
    "UPDATE credential SET profile = 'other'", "UPDATE credential SET user_id = 'bob'",
    "UPDATE credential SET kind = 'service_key'", "UPDATE credential SET number = 7",
    "UPDATE credential SET sealed = x'00'",
  ])
  func movedRowCannotBeDecrypted(change: String) throws {
    try home.store().save(Profile(name: "other"))
    try home.store().save(token, as: .userToken, userID: "ann", profile: "default")
    try home.database().execute(change)
    let (kind, user, profile) = (
      change.contains("service_key") ? CredentialKind.serviceKey : .userToken, change.contains("bob") ? "bob" : "ann",
      change.contains("other") ? "other" : "default"
    )
    let error = failure { _ = try home.store().credential(kind, userID: user, profile: profile) }
    #expect(error?.code == .wrongKey)
    #expect(error?.message.contains(token.revealed) == false)
    #expect(try home.store().credentials(profile: profile).count == 1)
  }

  @Test func acceptsAnyUserAndProfileName() throws {
    let user = "名前\u{0}' \u{202e}\n"
    try home.store().save(token, as: .userToken, userID: user, profile: "пример")
    #expect(try home.store().credential(.userToken, userID: user, profile: "пример") == token)
    #expect(try home.store().credentials(profile: "пример").map(\.userID) == [user])
  }
}
