import Store
import Testing

@Suite struct PendingTests {
  let home = TestHome()

  @Test func pendingIsSeparatePerProfile() throws {
    try home.store().markPending("aa", profile: "default")
    try home.store().markPending("aa", profile: "default")
    try home.store().markPending("bb", profile: "work")
    #expect(try home.store().isPending("aa", profile: "default"))
    #expect(try !home.store().isPending("aa", profile: "work"))
    #expect(try home.store().pending(profile: "default") == ["aa"])
    #expect(try home.store().pending(profile: "work") == ["bb"])
  }

  @Test func clearRemovesOnlyOneConnection() throws {
    try home.store().markPending("aa", profile: "default")
    try home.store().markPending("bb", profile: "default")
    try home.store().clearPending("aa", profile: "default")
    try home.store().clearPending("aa", profile: "default")
    #expect(try home.store().pending(profile: "default") == ["bb"])
  }

  @Test func readingCreatesNoFile() throws {
    #expect(try home.store().pending(profile: "default") == [])
    #expect(try !home.store().isPending("aa", profile: "default"))
    try home.store().clearPending("aa", profile: "default")
    #expect(home.names() == [])
  }

  @Test func pendingIsRemovedWithItsProfile() throws {
    try home.store().markPending("aa", profile: "work")
    #expect(try home.store().removeProfile("work"))
    #expect(try home.store().pending(profile: "work") == [])
  }

  /// The pending state does not require tracking, and survives the loss of the cache.
  @Test func pendingSurvivesUntracking() throws {
    _ = try home.store().track(["aa"], profile: "default")
    try home.store().markPending("aa", profile: "default")
    _ = try home.store().untrack(["aa"], profile: "default")
    try home.remove("cache.db")
    #expect(try home.store().isPending("aa", profile: "default"))
  }
}
