import Store
import Testing
import Text
import World

/// The queries of shell completion. Their behavior on failures is tested with each kind of failure.
@Suite struct CompletionQueryTests {
  let home = TestHome()

  private func applet(_ id: String, _ text: String, at milliseconds: Int64) -> CachedApplet {
    CachedApplet(
      id: id, document: Array(text.utf8), fetchedAt: Timestamp(milliseconds: milliseconds))
  }

  @Test func returnsTheLatestDocumentOfEachApplet() throws {
    let store = home.store()
    let key = { AppletListKey(profile: $0, service: $1, userID: $2) }
    let fetched = Timestamp(milliseconds: 9)
    try AppletCache(store, key("default", "weather", "")).replace(
      [applet("b", "new", at: 9), applet("a", "one", at: 9)], fetchedAt: fetched)
    try AppletCache(store, key("default", "weather", "ann")).replace([applet("b", "old", at: 3)], fetchedAt: fetched)
    try AppletCache(store, key("default", "lamps", "")).replace([applet("c", "more", at: 3)], fetchedAt: fetched)
    try AppletCache(store, key("work", "lamps", "")).replace([applet("z", "theirs", at: 3)], fetchedAt: fetched)
    let found = CompletionQueries(home.store()).appletDocuments(profile: "default")
    #expect(found.map(\.id) == ["a", "b", "c"])
    #expect(found.map { String(decoding: $0.document, as: UTF8.self) } == ["one", "new", "more"])
  }

  @Test func returnsTokenUsersAndTheCurrentProfile() throws {
    let store = home.store()
    let secret = try #require(Secret(parsing: "a-secret"))
    try store.save(secret, as: .userToken, userID: "bob", profile: "default")
    try store.save(secret, as: .userToken, userID: "ann", profile: "default")
    try store.save(secret, as: .userToken, userID: "", profile: "default")
    try store.save(secret, as: .userToken, userID: "eve", profile: "work")
    try store.save(secret, as: .serviceKey, userID: "", profile: "default")
    #expect(CompletionQueries(home.store()).tokenUsers(profile: "default") == ["ann", "bob"])
    #expect(CompletionQueries(home.store()).currentProfileName(standard: "default") == "default")
    try store.useProfile("work")
    #expect(CompletionQueries(home.store()).currentProfileName(standard: "default") == "work")
  }

  @Test func returnsNothingWithoutAStore() {
    #expect(CompletionQueries(home.store()).appletDocuments(profile: "default").isEmpty)
    #expect(CompletionQueries(home.store()).tokenUsers(profile: "default") == [])
    #expect(CompletionQueries(home.store()).currentProfileName(standard: "default") == nil)
    #expect(!CompletionQueries(home.store()).forEachConnectionName(profile: "default") { _, _ in })
    #expect(home.names() == [])
  }

  @Test func hasTrackedStaysTrueAfterUntracking() throws {
    #expect(try !home.store().hasTracked(profile: "default"))
    let secret = try #require(Secret(parsing: "a-secret"))
    try home.store().save(secret, as: .serviceKey, userID: "", profile: "default")
    #expect(try !home.store().hasTracked(profile: "default"))
    _ = try home.store().track(["x"], profile: "default")
    _ = try home.store().untrack(["x"], profile: "default")
    #expect(try home.store().hasTracked(profile: "default"))
    #expect(try !home.store().hasTracked(profile: "work"))
  }
}
