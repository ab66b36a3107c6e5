import Store
import Support
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
    #expect(CompletionQueries(home.store()).currentProfileName() == nil)
    try store.useProfile("work")
    #expect(CompletionQueries(home.store()).currentProfileName() == "work")
  }

  @Test func returnsNothingWithoutAStore() {
    #expect(CompletionQueries(home.store()).appletDocuments(profile: "default").isEmpty)
    #expect(CompletionQueries(home.store()).tokenUsers(profile: "default") == [])
    #expect(CompletionQueries(home.store()).currentProfileName() == nil)
    #expect(CompletionQueries(home.store()).connections(profile: "default", prefix: "").isEmpty)
    #expect(home.names() == [])
  }

  private func candidates(_ ids: [String], prefix: String) throws -> [String] {
    let home = TestHome()
    _ = try home.store().track(ids, profile: "default")
    return CompletionQueries(home.store()).connections(profile: "default", prefix: prefix).map { $0.id + $0.name }
  }

  /// The shells filter a short list by their own rules, which can be more tolerant than a prefix.
  @Test func aShortListIsComplete() throws {
    let ids = (0..<CompletionQueries.limit).map { "Kd\(1000 + $0)" }
    #expect(try candidates(ids, prefix: "x") == ids)
  }

  @Test func ofManyConnectionsThoseWithThePrefixAreReturned() throws {
    let ids = (0..<CompletionQueries.limit).map { "Kd\(1000 + $0)" }
    #expect(
      try candidates(["Kc", "Kd"] + ids + ["Ke", "kd1"], prefix: "Kd14") == (400..<500).map { "Kd\(1000 + $0)" })
    #expect(try candidates(ids + ["Ke"], prefix: "Kd") == ids)
    #expect(try candidates(ids + ["Ke"], prefix: "x") == [])
    #expect(try candidates(ids + ["K\u{10fffd}"], prefix: "K\u{10fffd}") == ["K\u{10fffd}"])
  }

  @Test func ofTooManyConnectionsTheBeginningsAreReturned() throws {
    let ids = (1000..<3000).map { "Kd\($0)" }
    #expect(try candidates(ids, prefix: "") == ["Kd1…", "Kd2…"])
    #expect(try candidates(ids, prefix: "Kd1") == (0...9).map { "Kd1\($0)…" })
    #expect(try candidates(ids, prefix: "Kd12") == (1200..<1300).map { "Kd\($0)" })
    #expect(try candidates(ids + ["Kd", "L", "ä1", "ä2"], prefix: "") == ["K…", "L…", "ä…"])
    #expect(try candidates(ids + ["Kd"], prefix: "K") == ["Kd…", "Kd1…", "Kd2…"])
  }

  /// As reading them all would, for ids that share beginnings of several lengths.
  @Test func theBeginningsAreThoseOfAllIDs() throws {
    var generator = SeededGenerator(seed: 9)
    let ids = Set(
      (0..<3000).map { _ in
        String(
          (0..<Int.random(in: 1...7, using: &generator)).map { _ in "abcé".randomElement(using: &generator) ?? "a" })
      })
    for prefix in ["", "a", "é", "bc", "cccc"] {
      let matching = ids.filter { $0.hasPrefix(prefix) }
      let expected =
        matching.count > CompletionQueries.limit
        ? Set(matching.map { $0.prefix(prefix.count + 1) + "…" }) : Set(matching.map { $0[...] })
      #expect(Set(try candidates(Array(ids), prefix: prefix).map { $0[...] }) == expected, "\(prefix)")
    }
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
