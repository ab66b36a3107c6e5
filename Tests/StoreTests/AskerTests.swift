import Secrets
import Store
import Testing
import World

/// What one user was shown is not what the next would be.
@Suite struct AskerTests {
  private let home = TestHome()
  private let one = Asker("server", "user", "one")
  private let two = Asker("server", "user", "two")

  private func prepared() throws -> Store {
    let store = home.store()
    _ = try store.track(["a", "b"], profile: "default")
    try store.settle(on: one, profile: "default")
    try store.cache([connection("a"), connection("b")], as: one, profile: "default")
    return store
  }

  @Test func theSameAskerKeepsWhatIsThere() throws {
    let store = try prepared()
    try store.settle(on: one, profile: "default")
    #expect(try store.isSettled(on: one, profile: "default"))
    #expect(try store.cached("a", profile: "default") == connection("a"))
  }

  @Test func anotherAskerStartsAnewAndKeepsTheSetOfConnections() throws {
    _ = try prepared()
    let store = home.store()
    #expect(try !store.isSettled(on: two, profile: "default"))
    try store.settle(on: two, profile: "default")
    #expect(try store.cached("a", profile: "default") == nil)
    #expect(try store.tracked(fetchedBefore: Timestamp(milliseconds: 1), profile: "default").sorted() == ["a", "b"])
    try store.cache([connection("a", status: "disabled")], as: two, profile: "default")
    #expect(try home.store().cached("a", profile: "default")?.status == "disabled")
  }

  @Test func whatAPasserByWasShownIsNotKept() throws {
    let store = try prepared()
    try store.cache([connection("a", name: "Passing", at: 9_000_000)], as: two, profile: "default")
    #expect(try store.cached("a", profile: "default") == connection("a"))
  }

  @Test func anEmptyCacheBelongsToTheFirstWhoFillsIt() throws {
    let store = home.store()
    _ = try store.track(["a"], profile: "default")
    try store.cache([connection("a")], as: two, profile: "default")
    #expect(try store.isSettled(on: two, profile: "default"))
  }

  @Test func aProfileThatTracksNothingHasNobody() throws {
    try home.store().settle(on: one, profile: "default")
    #expect(try !home.store().isSettled(on: one, profile: "default"))
    #expect(home.names().isEmpty)
  }

  @Test func fingerprintsTellSecretsApartWithoutGivingThemAway() throws {
    let secret = try #require(Secret(parsing: "abc"))
    #expect(Asker.fingerprint(of: secret) == "ba7816bf8f01cfea", "FIPS 180-4, the example of one block")
  }
}
