import Store
import Testing
import Time

/// Which responses are known from the last refresh, and what confirming them changes.
@Suite struct CachedResponsesTests {
  let home = TestHome()
  private let anybody = RequestIdentity("anybody")

  init() throws {
    _ = try home.store().track(["a", "b", "unseen"], profile: "default")
    var pending = connection("b")
    pending.document = Array(#"{"id":"b","pending":true"#.utf8)
    try home.store().cache([connection("a"), pending], profile: "default")
  }

  private func knows(_ id: String, _ bytes: String, as identity: RequestIdentity? = nil) throws -> Bool {
    try home.store().cachedResponses(as: identity ?? anybody, profile: "default")?.contains(id, Array(bytes.utf8))
      ?? false
  }

  @Test func onlyTheSameBytesOfTheSameConnectionAreKnown() throws {
    #expect(try knows("a", "raw a"))
    #expect(try !knows("a", "raw b"))
    #expect(try !knows("a", "raw"))
    #expect(try !knows("a", ""))
    #expect(try !knows("unseen", "raw a"))
    #expect(try !knows("never tracked", "raw a"))
  }

  @Test func aPendingConnectionIsNotKnown() throws { #expect(try !knows("b", "raw b")) }

  @Test func responsesToAnotherIdentityAreNotKnown() throws {
    #expect(try home.store().cachedResponses(as: RequestIdentity("bob"), profile: "default") == nil)
    #expect(try home.store().cachedResponses(as: anybody, profile: "other") == nil)
  }

  @Test func severalResponsesAreComparedInOneRunWhileOthersAreWritten() throws {
    let store = home.store()
    let known = try #require(try store.cachedResponses(as: anybody, profile: "default"))
    #expect(known.contains("a", Array("raw a".utf8)))
    var changed = connection("a", at: 2000)
    changed.raw = Array("new".utf8)
    try store.cache([changed], as: anybody, profile: "default")
    #expect(!known.contains("a", Array("raw a".utf8)))
    #expect(known.contains("a", Array("new".utf8)))
  }

  /// Confirms `a`, after comparing its response.
  private func confirm(at milliseconds: Int64, after change: (Store) throws -> Void = { _ in }) throws {
    let store = home.store()
    let known = try #require(try store.cachedResponses(as: anybody, profile: "default"))
    #expect(known.contains("a", Array("raw a".utf8)))
    try change(home.store())
    let moment = Timestamp(milliseconds: milliseconds)
    try store.confirm([("a", moment), ("b", moment), ("unseen", moment)], comparedWith: known, profile: "default")
  }

  private func fetchTime(_ id: String) throws -> Int64? {
    try home.store().cached(id, profile: "default")?.fetchedAt.milliseconds
  }

  @Test func confirmingChangesTheFetchTimeOnly() throws {
    let before = try #require(try home.store().cached("a", profile: "default"))
    try confirm(at: 5000)
    var after = try #require(try home.store().cached("a", profile: "default"))
    #expect(after.fetchedAt == Timestamp(milliseconds: 5000))
    after.fetchedAt = before.fetchedAt
    #expect(after == before)
    #expect(try fetchTime("b") == 1000, "its response was not found unchanged")
    #expect(try home.store().cached("unseen", profile: "default") == nil)
  }

  @Test func confirmingNeverMakesAFetchOlder() throws {
    try confirm(at: 500)
    #expect(try fetchTime("a") == 1000)
  }

  @Test func confirmingSkipsWhatAnotherProcessHasWritten() throws {
    try confirm(at: 5000) { try $0.cache([connection("a", name: "Other", at: 2000)], profile: "default") }
    #expect(try fetchTime("a") == 2000)
    try home.store().cache([connection("a", at: 3000)], profile: "default")
    try confirm(at: 5000) { store in
      try store.cache([connection("a", at: 4000)], as: RequestIdentity("bob"), takingOver: true, profile: "default")
    }
    #expect(try fetchTime("a") == 4000)
  }
}
