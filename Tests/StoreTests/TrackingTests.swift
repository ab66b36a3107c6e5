import Store
import Testing
import World

@Suite struct TrackingTests {
  let home = TestHome()

  private func stale(before time: Int64) throws -> [String] {
    try home.store().tracked(fetchedBefore: Timestamp(milliseconds: time), profile: "default").sorted()
  }

  @Test func reportsOnlyNewIDs() throws {
    #expect(try home.store().track(["b", "a", "b"], profile: "default") == ["b", "a"])
    #expect(try home.store().track(["a", "c"], profile: "default") == ["c"])
    #expect(try home.store().trackedCount(profile: "default") == 3)
    #expect(try home.store().isTracked("a", profile: "default"))
    #expect(try !home.store().isTracked("a", profile: "sandbox"))
    #expect(try home.store().untrack(["a", "x"], profile: "default") == ["a"])
    #expect(try home.store().trackedIDs(profile: "default") == ["b", "c"])
    #expect(try home.store().track([], profile: "default") == [])
  }

  @Test func oldAndUnfetchedConnectionsAreStale() throws {
    _ = try home.store().track(["old", "new", "never"], profile: "default")
    try home.store().cache([connection("old", at: 1000), connection("new", at: 2000)], profile: "default")
    #expect(try stale(before: 2000) == ["never", "old"])
    #expect(try stale(before: 2001) == ["never", "new", "old"])
  }

  @Test func freshnessQueryUsesOnlyTheIndex() throws {
    _ = try home.store().track(["one"], profile: "default")
    let plan = try home.database(.cache).prepare(
      "EXPLAIN QUERY PLAN SELECT id FROM connection WHERE mirror = 1 AND fetched_at < 5")
    #expect(try plan.step())
    let detail: String = plan["detail"]
    #expect(detail.contains("SEARCH connection USING COVERING INDEX connection_by_age"))
  }

  @Test func clockSetBackMakesRowsStale() throws {
    let now = home.clock.now()
    _ = try home.store().track(["one"], profile: "default")
    try home.store().cache([connection("one", at: now.milliseconds)], profile: "default")
    #expect(try stale(before: now.milliseconds - 60_000) == [])
    home.clock.set(now - .seconds(3600))
    #expect(try stale(before: now.milliseconds - 3_660_000) == ["one"])
    // A later fetch replaces the row from the future.
    try home.store().cache(
      [connection("one", name: "Again", at: now.milliseconds - 3_600_000)], profile: "default")
    #expect(try home.store().cached("one", profile: "default")?.name == "Again")
    #expect(try stale(before: now.milliseconds - 3_660_000) == [])
  }

  @Test func clockSetForwardMakesRowsStale() throws {
    _ = try home.store().track(["one"], profile: "default")
    try home.store().cache([connection("one", at: home.clock.now().milliseconds)], profile: "default")
    home.clock.set(home.clock.now() - .seconds(-86_400))
    #expect(try stale(before: home.clock.now().milliseconds - 60_000) == ["one"])
  }

  @Test func deletedCacheIsRecreated() throws {
    _ = try home.store().track(["a", "b"], profile: "default")
    try home.store().cache([connection("a")], profile: "default")
    try home.remove("cache.db")
    #expect(try stale(before: 1) == ["a", "b"])
    #expect(try home.store().cached("a", profile: "default") == nil)
    try home.store().cache([connection("a")], profile: "default")
    #expect(try home.store().cached("a", profile: "default") != nil)
  }

  @Test func outdatedCacheIsReconciled() throws {
    _ = try home.store().track(["a", "b"], profile: "default")
    try home.store().cache([connection("a", name: "A"), connection("b")], profile: "default")
    let cache = home.bytes("cache.db")
    _ = try home.store().untrack(["b"], profile: "default")
    _ = try home.store().track(["c"], profile: "default")
    // Simulate processes that died between writing the two files.
    try home.write(cache, to: "cache.db")
    #expect(try home.store().trackedIDs(profile: "default") == ["a", "c"])
    #expect(try home.store().cached("a", profile: "default")?.name == "A")
    #expect(try home.store().cached("b", profile: "default") == nil)
  }

  @Test func deletedStoreLeavesNoCachedRows() throws {
    _ = try home.store().track(["a"], profile: "default")
    try home.store().cache([connection("a")], profile: "default")
    try home.remove("ifttt.db")
    var seen: [String] = []
    try home.store().forEachCached(profile: "default") { seen.append($0.id) }
    #expect(seen == [])
    #expect(try home.store().facts().cached == 0)
  }
}
