import Store
import Testing
import World

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

  @Test func aDamagedResponseIsNotKnownButTheOthersAre() throws {
    try home.store().cache([connection("unseen")], profile: "default")
    let cache = try home.database(.cache)
    try cache.run("UPDATE response SET size = 99 WHERE number = (SELECT response FROM connection WHERE id = 'a')")
    let ids = ["a", "unseen"]
    let known = try #require(try home.store().cachedResponses(of: ids, as: anybody, profile: "default"))
    #expect(!known.contains("a", Array("raw a".utf8)))
    #expect(known.contains("unseen", Array("raw unseen".utf8)))
  }

  /// Confirms `a`, after comparing its response.
  private func confirm(at milliseconds: Int64, after change: (Store) throws -> Void = { _ in }) throws {
    let store = home.store()
    let known = try #require(try store.cachedResponses(as: anybody, profile: "default"))
    #expect(known.contains("a", Array("raw a".utf8)))
    try change(home.store())
    let moment = Timestamp(milliseconds: milliseconds)
    try store.confirm(
      [("a", moment), ("b", moment), ("unseen", moment)], comparedWith: known, since: Timestamp(milliseconds: 0),
      profile: "default")
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

  @Test func responsesAreReadInBatchesInTheOrderOfTheIDs() throws {
    let ids = (0..<150).map { "id\($0)" }
    _ = try home.store().track(ids, profile: "many")
    try home.store().cache(ids.map { connection($0) }, profile: "many")
    let known = try #require(try home.store().cachedResponses(of: ids, as: anybody, profile: "many"))
    // The last id is compared first, as if its response had arrived first.
    #expect(known.contains("id149", Array("raw id149".utf8)))
    for id in ids.dropLast() { #expect(known.contains(id, Array("raw \(id)".utf8))) }
    #expect(!known.contains("a", Array("raw a".utf8)), "it is tracked by another profile")
  }
}

/// A refresh that leaves no older fetch records its time once for all connections.
@Suite struct WholeRefreshTests {
  let home = TestHome()
  private let anybody = RequestIdentity("anybody")
  private var now: Timestamp { home.clock.now() }

  init() throws {
    _ = try home.store().track(["a", "b", "unseen"], profile: "default")
    try home.store().cache([connection("a"), connection("b")], profile: "default")
  }

  /// Finds connections unchanged and confirms them, 50 ms after the refresh began.
  private func refresh(
    _ ids: [String] = ["a", "b"], lasting duration: Duration = .milliseconds(50), after change: () throws -> Void = {}
  ) throws {
    let store = home.store()
    let start = now
    let known = try #require(try store.cachedResponses(of: ids, as: anybody, profile: "default"))
    for id in ids { #expect(known.contains(id, Array("raw \(id)".utf8))) }
    home.clock.set(later(start, by: duration))
    try change()
    try store.confirm(ids.map { ($0, now) }, comparedWith: known, since: start, profile: "default")
  }

  /// The times in the rows, and the time of the last refresh.
  private func written() throws -> (rows: [Int64], refresh: Int64?) {
    let cache = try home.database(.cache)
    let statement = try cache.prepare("SELECT fetched_at FROM connection WHERE id <> 'unseen' ORDER BY id")
    var rows: [Int64] = []
    while try statement.step() { rows.append(statement["fetched_at"]) }
    return (rows, try cache.integer("SELECT refreshed_at FROM mirror"))
  }

  private func fetchTime(_ id: String) throws -> Timestamp? {
    try home.store().cached(id, profile: "default")?.fetchedAt
  }

  private func later(_ moment: Timestamp, by duration: Duration) -> Timestamp { moment - (.zero - duration) }

  private func due(before moment: Timestamp) throws -> [String] {
    let ids = try home.store().tracked(fetchedBefore: moment, profile: "default").sorted()
    #expect(try home.store().isAnyTracked(fetchedBefore: moment, profile: "default") == !ids.isEmpty)
    return ids
  }

  @Test func noRowIsWrittenIfAllAreUnchanged() throws {
    let start = now
    try refresh()
    #expect(try written().rows == [1000, 1000])
    #expect(try written().refresh == start.milliseconds)
    #expect(try fetchTime("a") == start)
    #expect(try home.store().cached(["a", "b"], profile: "default").map(\.fetchedAt) == [start, start])
    #expect(try due(before: start) == ["unseen"])
    #expect(try due(before: later(start, by: .milliseconds(1))) == ["a", "b", "unseen"])
  }

  @Test func listsShowTheTimeOfTheRefresh() throws {
    let start = now
    try refresh()
    var times: [Timestamp] = []
    try home.store().forEachCached(profile: "default") { times.append($0.fetchedAt) }
    try home.store().forEachCachedSummary(profile: "default") { times.append($0.fetchedAt) }
    #expect(times == [start, start, start, start])
  }

  @Test func statesSinceTheRefreshAreFound() throws {
    var known = connection("a")
    known.state = [1]
    try home.store().cache([known], profile: "default")
    let start = now
    try refresh()
    #expect(try home.store().stateDigests(of: ["a"], fetchedSince: start, profile: "default") == ["a": [1]])
    #expect(
      try home.store().stateDigests(of: ["a"], fetchedSince: later(start, by: .milliseconds(1)), profile: "default")
        == [:])
  }

  @Test func rowsAreWrittenIfAnotherIsOlder() throws {
    try refresh(["a"])
    #expect(try written().rows == [now.milliseconds, 1000])
    #expect(try written().refresh == 0)
  }

  @Test func rowsAreWrittenIfAnotherProcessChangedOne() throws {
    try refresh { try home.store().cache([connection("a", name: "Other", at: 2000)], profile: "default") }
    #expect(try written().rows == [2000, now.milliseconds])
    #expect(try written().refresh == 0)
  }

  @Test func rowsAreWrittenAfterALongRefresh() throws {
    try refresh(lasting: .seconds(11))
    #expect(try written().rows == [now.milliseconds, now.milliseconds])
    #expect(try written().refresh == 0)
  }

  @Test func connectionsWrittenDuringTheRefreshDoNotPreventIt() throws {
    let start = now
    try refresh(["a"]) { try home.store().cache([connection("b", at: now.milliseconds)], profile: "default") }
    #expect(try written().rows == [1000, now.milliseconds])
    #expect(try fetchTime("a") == start)
    #expect(try fetchTime("b") == now)
  }

  @Test func aChangedConnectionStaysStale() throws {
    try refresh()
    try home.store().expire("a", profile: "default")
    #expect(try due(before: now - .seconds(60)) == ["a", "unseen"])
    try refresh(["b"])
    #expect(try due(before: now - .seconds(60)) == ["a", "unseen"], "another connection's refresh leaves it stale")
    try refresh()
    #expect(try due(before: now - .seconds(60)) == ["unseen"])
    #expect(try fetchTime("a") == now)
  }

  @Test func anEarlierFetchDoesNotReplaceOneOfTheRefresh() throws {
    let start = now
    try refresh()
    try home.store().cache([connection("a", name: "Old", at: start.milliseconds - 1)], profile: "default")
    #expect(try home.store().cached("a", profile: "default")?.name == "")
    try home.store().cache([connection("a", name: "New", at: start.milliseconds)], profile: "default")
    #expect(try home.store().cached("a", profile: "default")?.name == "New")
  }

  @Test func anotherIdentityForgetsTheRefresh() throws {
    try refresh()
    try home.store().cache([connection("a", at: 5)], as: RequestIdentity("bob"), takingOver: true, profile: "default")
    #expect(try fetchTime("a") == Timestamp(milliseconds: 5))
    #expect(try fetchTime("b") == nil)
  }

  @Test func aRefreshForAnotherIdentityIsNotRecorded() throws {
    try refresh {
      let bob = RequestIdentity("bob")
      let connections = ["a", "b"].map { connection($0, at: now.milliseconds) }
      try home.store().cache(connections, as: bob, takingOver: true, profile: "default")
    }
    #expect(try written().refresh == 0)
  }

  @Test func aRefreshInTheFutureMakesEverythingDue() throws {
    let before = now
    try refresh()
    home.clock.set(before - .seconds(3600))
    #expect(try due(before: now - .seconds(60)) == ["a", "b", "unseen"])
    let start = now
    try refresh()
    #expect(try written().refresh == start.milliseconds)
    #expect(try due(before: start) == ["unseen"])
    home.clock.set(before - .seconds(7200))
    try home.store().cache([connection("a", at: now.milliseconds)], profile: "default")
    #expect(try written().refresh == 0)
    #expect(try fetchTime("a") == now)
  }
}
