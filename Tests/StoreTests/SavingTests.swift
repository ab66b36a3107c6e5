import Foundation
import Store
import Testing
import Text
import World

@Suite struct SavingTests {
  let home = TestHome()

  @Test func savesTheObtainedSecret() throws {
    let got = try home.store().saving(.userToken, userID: "ann", profile: "default") { token }
    #expect(got == token)
    #expect(try home.store().credential(.userToken, userID: "ann", profile: "default") == token)
    #expect(!home.names().contains { $0.hasPrefix("recovered-") })
  }

  @Test func failureKeepsThePreviousCredential() throws {
    try home.store().save(secret("before"), as: .userToken, userID: "ann", profile: "default")
    struct Refused: Error {}
    let store = home.store()
    #expect(throws: Refused.self) {
      try store.saving(.userToken, userID: "ann", profile: "default") { throw Refused() }
    }
    #expect(throws: Refused.self) {
      try store.saving(.userToken, userID: "bob", profile: "other") { throw Refused() }
    }
    #expect(try store.credential(.userToken, userID: "ann", profile: "default") == secret("before"))
    #expect(try store.profiles().map(\.name) == ["default"])
    try home.store().save(Profile(name: "free again"))
  }

  @Test func lockedStoreSpendsNothing() throws {
    try home.store().save(Profile(name: "work"))
    let writer = try home.database()
    try writer.execute("BEGIN IMMEDIATE")
    let error = failure {
      _ = try home.store().saving(.userToken, userID: "ann", profile: "work") {
        Issue.record("the single-use value was spent")
        return token
      }
    }
    #expect(error?.code == .locked)
    #expect(failure { try home.store().save(Profile(name: "more")) }?.code == .locked)
    // Reading is not blocked.
    #expect(try home.store().profiles().map(\.name) == ["work"])
  }

  @Test func missingKeySpendsNothing() throws {
    try home.store().save(token, as: .userToken, userID: "ann", profile: "default")
    try home.remove("store.key")
    let error = failure {
      _ = try home.store().saving(.userToken, userID: "bob", profile: "default") {
        Issue.record("the single-use value was spent")
        return token
      }
    }
    #expect(error?.code == .keyMissing)
  }

  @Test func proveSavesNothing() throws {
    try home.store().prove(.returnedToken, userID: "ann", profile: "default")
    #expect(try home.store().credentials(profile: "default") == [])
    try home.store().save(token, as: .userToken, userID: "ann", profile: "default")
    try home.remove("store.key")
    let error = failure { try home.store().prove(.returnedToken, userID: "ann", profile: "default") }
    #expect(error?.code == .keyMissing)
  }

  @Test func exchangeLocksTheStore() throws {
    let other = home.store()
    _ = try home.store().saving(.userToken, userID: "ann", profile: "default") {
      #expect(failure { try other.save(Profile(name: "x")) }?.code == .locked)
      return token
    }
    try other.save(Profile(name: "x"))
  }

  @Test func failedSaveWritesARecoveryFile() throws {
    let child = try StoreWriter(home: home.path, prefix: "x", count: 0)
    let output = child.readToEnd()
    #expect(child.wait() == 1)
    let name = try #require(home.names().first { $0.hasPrefix("recovered-user_token-") })
    #expect(home.bytes(name) == Array("secret of someone\n".utf8))
    #expect(try home.mode(of: name) == 0o600)
    #expect(output.contains("\(home.path)/\(name)"))
    #expect(!output.contains("secret of someone"))
    // The store is unchanged.
    #expect(try home.store().credentials(profile: "default") == [])
    #expect(try home.store().check().allSatisfy(\.passed))
  }
}
