import Store
import Testing
import World

@Suite struct ProfileTests {
  let home = TestHome()

  @Test func mergesSettingsAndRemovesEmptyOnes() throws {
    try home.store().save(Profile(name: "work", settings: [.userID: "ann", .service: "weather"]))
    try home.store().save(Profile(name: "work", settings: [.userID: "", .inviteCode: "21790"]))
    let profile = try home.store().profile("work")
    #expect(profile == Profile(name: "work", settings: [.service: "weather", .inviteCode: "21790"]))
  }

  @Test func profilesAreSortedByName() throws {
    for name in ["b", "c", "a"] { try home.store().save(Profile(name: name)) }
    #expect(try home.store().profiles().map(\.name) == ["a", "b", "c"])
    #expect(CompletionQueries(home.store()).profileNames() == ["a", "b", "c"])
    #expect(try home.store().profile("d") == nil)
  }

  @Test func removesAllDataOfAProfile() throws {
    let store = home.store()
    try store.useProfile("work")
    _ = try store.track(["one"], profile: "work")
    try store.cache([connection("one")], profile: "work")
    try store.save(token, as: .userToken, userID: "ann", profile: "work")
    #expect(try store.removeProfile("work"))
    #expect(try !home.store().removeProfile("work"))
    #expect(try home.store().currentProfile() == nil)
    #expect(try home.store().credentials(profile: "work") == [])
    #expect(try home.store().facts().tracked == 0)
    #expect(try home.store().facts().cached == 0)
  }

  @Test func recreatedProfileIgnoresTheOldCache() throws {
    _ = try home.store().track(["one"], profile: "work")
    try home.store().cache([connection("one")], profile: "work")
    let cache = home.bytes("cache.db")
    _ = try home.store().removeProfile("work")
    // Simulate a process that died before it updated the cache.
    try home.write(cache, to: "cache.db")
    _ = try home.store().track(["one"], profile: "work")
    #expect(try home.store().tracked(fetchedBefore: .init(milliseconds: 1), profile: "work") == [])
    try home.store().cache([connection("one", name: "New", at: 2000)], profile: "work")
    #expect(try home.store().cached("one", profile: "work")?.name == "New")
  }

  @Test func currentProfileNeedNotBeSaved() throws {
    #expect(try home.store().currentProfile() == nil)
    try home.store().useProfile("sandbox")
    #expect(try home.store().currentProfile() == "sandbox")
    #expect(try home.store().profiles() == [])
  }
}
