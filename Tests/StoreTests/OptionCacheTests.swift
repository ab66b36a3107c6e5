import Store
import Testing
import World

@Suite struct OptionCacheTests {
  let home = TestHome()
  let ann = RequestIdentity("ann")
  let now: Timestamp
  let begin = Timestamp(milliseconds: 0)

  init() { now = home.clock.now() }

  private func options(_ step: String, _ response: String, of connection: String = "aa", at moment: Timestamp? = nil)
    -> CachedOptions
  {
    CachedOptions(connection: connection, step: step, response: Array(response.utf8), fetchedAt: moment ?? now)
  }

  private func found(_ connection: String = "aa", as identity: RequestIdentity? = nil, since moment: Timestamp? = nil)
    throws
    -> [String: String]
  {
    try home.store().cachedOptions(
      of: connection, as: identity ?? ann, fetchedSince: moment ?? begin, profile: "default"
    ).mapValues { String(decoding: $0.response, as: UTF8.self) }
  }

  @Test func optionsAreCachedPerStep() throws {
    try home.store().cache(
      [options("t", "1"), options("a", "2"), options("t", "3", of: "bb")], as: ann, profile: "default")
    #expect(try found() == ["t": "1", "a": "2"])
    #expect(try found("bb") == ["t": "3"])
    try home.store().cache([options("t", "4")], as: ann, profile: "default")
    #expect(try found() == ["t": "4", "a": "2"])
  }

  @Test func optionsAreSeparatePerIdentity() throws {
    try home.store().cache([options("t", "1")], as: ann, profile: "default")
    #expect(try found(as: RequestIdentity("bob")) == [:])
    try home.store().cache([options("t", "2")], as: RequestIdentity("bob"), profile: "default")
    #expect(try found() == [:], "a step keeps only the response to the latest identity")
  }

  @Test func ignoresOldAndFutureOptions() throws {
    try home.store().cache([options("t", "1")], as: ann, profile: "default")
    #expect(try found(since: now) == ["t": "1"])
    #expect(try found(since: now - .seconds(-1)) == [:])
    home.clock.set(now - .seconds(3600))
    #expect(try found() == [:])
  }

  @Test func optionsAreRemovedWithConnectionAndProfile() throws {
    try home.store().cache([options("t", "1"), options("t", "2", of: "bb")], as: ann, profile: "default")
    try home.store().forgetOptions(of: "aa", profile: "default")
    #expect(try found() == [:])
    #expect(try found("bb") == ["t": "2"])
    _ = try home.store().removeProfile("default")
    #expect(try found("bb") == [:])
  }

  @Test func forgettingCreatesNoFile() throws {
    try home.store().forgetOptions(of: "aa", profile: "default")
    #expect(try found() == [:])
    #expect(home.names() == [])
  }

  @Test func expiredConnectionIsStaleButCached() throws {
    _ = try home.store().track(["aa"], profile: "default")
    try home.store().cache([connection("aa", at: now.milliseconds)], profile: "default")
    try home.store().expire("aa", profile: "default")
    try home.store().expire("zz", profile: "default")
    #expect(try home.store().tracked(fetchedBefore: now - .seconds(60), profile: "default") == ["aa"])
    #expect(try home.store().cached("aa", profile: "default") != nil)
    #expect(try home.store().tracked(fetchedBefore: Timestamp(milliseconds: 1), profile: "default") == [])
  }
}
