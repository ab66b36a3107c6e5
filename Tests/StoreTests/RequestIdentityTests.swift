import Store
import Testing
import Text
import World

/// Cached data of one identity, which is not valid for another.
@Suite struct RequestIdentityTests {
  private let home = TestHome()
  private let one = RequestIdentity("user", "one")
  private let two = RequestIdentity("user", "two")

  private func prepared() throws -> Store {
    let store = home.store()
    _ = try store.track(["a", "b"], profile: "default")
    try store.cache([connection("a"), connection("b")], as: one, profile: "default")
    return store
  }

  @Test func sameIdentityKeepsTheCache() throws {
    let store = try prepared()
    try store.cache([connection("b", status: "disabled", at: 2000)], as: one, takingOver: true, profile: "default")
    #expect(try store.belongs(to: one, profile: "default"))
    #expect(try store.cached("a", profile: "default") == connection("a"))
  }

  @Test func takeoverClearsTheCacheButKeepsTracking() throws {
    _ = try prepared()
    let store = home.store()
    #expect(try !store.belongs(to: two, profile: "default"))
    try store.cache([connection("a", status: "disabled")], as: two, takingOver: true, profile: "default")
    #expect(try home.store().cached("a", profile: "default")?.status == "disabled")
    #expect(try home.store().cached("b", profile: "default") == nil)
    #expect(try store.tracked(fetchedBefore: Timestamp(milliseconds: 1), profile: "default") == ["b"])
  }

  /// A large cache is cleared in parts, which must leave nothing, whatever the times are.
  @Test func takeoverClearsALargeCache() throws {
    let store = home.store()
    let ids = (0..<600).map { "c\($0)" }
    _ = try store.track(ids, profile: "default")
    let connections = ids.map { connection($0, name: "Name of \($0)", at: $0 == "c7" ? 7 : 1000) }
    try store.cache(connections, as: one, profile: "default")
    try store.expire(["c3"], profile: "default")
    #expect(try home.database(.cache).integer("SELECT count(*) FROM response") == 600)
    try store.cache([connection("c0")], as: two, takingOver: true, profile: "default")
    #expect(try home.database(.cache).integer("SELECT count(*) FROM response") == 1)
    #expect(try home.database(.cache).integer("SELECT count(*) FROM connection WHERE fetched_at <> 0") == 1)
  }

  @Test func otherIdentityIsNotCachedWithoutTakeover() throws {
    let store = try prepared()
    try store.cache([connection("a", name: "Passing", at: 9_000_000)], as: two, profile: "default")
    #expect(try store.cached("a", profile: "default") == connection("a"))
  }

  @Test func aChangeByAnotherIdentityExpiresTheConnection() throws {
    let store = try prepared()
    try store.cache([connection("a", status: "disabled")], as: two, afterChange: true, profile: "default")
    #expect(try store.cached("a", profile: "default")?.status == connection("a").status)
    #expect(try store.tracked(fetchedBefore: Timestamp(milliseconds: 2), profile: "default") == ["a"])
    try store.expire("b", profile: "default")
    #expect(try store.tracked(fetchedBefore: Timestamp(milliseconds: 2), profile: "default").sorted() == ["a", "b"])
    #expect(try store.tracked(fetchedBefore: Timestamp(milliseconds: 1), profile: "default") == [])
  }

  @Test func firstIdentityClaimsAnEmptyCache() throws {
    let store = home.store()
    _ = try store.track(["a"], profile: "default")
    try store.cache([connection("a")], as: two, profile: "default")
    #expect(try store.belongs(to: two, profile: "default"))
  }

  @Test func profileWithoutTrackingHasNoIdentity() throws {
    try home.store().cache([connection("a")], as: one, takingOver: true, profile: "default")
    #expect(try !home.store().belongs(to: one, profile: "default"))
    #expect(home.names().isEmpty)
  }

  @Test func fingerprintIsATruncatedHash() throws {
    let secret = try #require(Secret(parsing: "abc"))
    #expect(RequestIdentity.fingerprint(of: secret) == "ba7816bf8f01cfea", "the one-block example in FIPS 180-4")
  }
}
