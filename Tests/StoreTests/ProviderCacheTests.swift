import Foundation
import Store
import Testing
import Time
import World

@Suite struct ProviderCacheTests {
  let home = TestHome()
  private let moment = Timestamp(milliseconds: 1_790_000_000_000)

  private func row(_ id: String, _ name: String) -> ProvidedRow {
    ProvidedRow(id: id, name: name, status: "enabled", document: Array("{\"id\":\"\(id)\"".utf8))
  }

  private func cache(_ rows: [ProvidedRow], by provider: String = "shelf", profile: String = "default") throws {
    try home.store().cache(provided: rows, by: provider, profile: profile, fetchedAt: moment)
  }

  @Test func listIsSortedByNameAndThenID() throws {
    try cache([row("3", "b"), row("2", "A"), row("1", "a"), row("4", "B")])
    let list = try #require(try home.store().provided(by: "shelf", profile: "default"))
    #expect(list.rows.map(\.id) == ["1", "2", "3", "4"])
    #expect(list.rows.first == row("1", "a"))
    #expect(list.fetchedAt == moment)
  }

  @Test func emptyListIsCached() throws {
    try cache([])
    #expect(try home.store().provided(by: "shelf", profile: "default")?.rows == [])
  }

  @Test func listsAreSeparatePerProviderAndProfile() throws {
    try cache([row("1", "a")])
    #expect(try home.store().provided(by: "other", profile: "default") == nil)
    #expect(try home.store().provided(by: "shelf", profile: "work") == nil)
  }

  @Test func newListReplacesTheOldOne() throws {
    try cache([row("1", "a"), row("2", "b")])
    try cache([row("2", "c")])
    #expect(try home.store().provided(by: "shelf", profile: "default")?.rows == [row("2", "c")])
  }

  @Test func expiredListIsStaleButCached() throws {
    try cache([row("1", "a")])
    try cache([row("2", "b")], by: "other")
    try home.store().expire(listOf: "shelf", profile: "default")
    #expect(try home.store().provided(by: "shelf", profile: "default")?.fetchedAt == Timestamp(milliseconds: 0))
    #expect(try home.store().provided(by: "other", profile: "default")?.fetchedAt == moment)
  }

  @Test func removedProviderHasNoCachedData() throws {
    try cache([row("1", "a")])
    try cache([row("1", "a")], profile: "work")
    try home.store().forgetLists(of: "shelf")
    #expect(try home.store().provided(by: "shelf", profile: "default") == nil)
    #expect(try home.store().provided(by: "shelf", profile: "work") == nil)
    #expect(try home.database(.cache).integer("SELECT count(*) FROM provider_connection") == 0)
  }

  @Test func forgottenListIsOverwritten() throws {
    try cache([row("1", "somebody@mail.test")])
    try cache([row("1", "a")], profile: "work")
    try home.store().forgetList(of: "shelf", profile: "default")
    #expect(try home.store().provided(by: "shelf", profile: "default") == nil)
    #expect(try home.store().provided(by: "shelf", profile: "work")?.rows == [row("1", "a")])
    #expect(Data(home.bytes("cache.db")).firstRange(of: Data("somebody".utf8)) == nil, "not even in a free page")
  }

  @Test func missingCacheIsNotCreated() throws {
    #expect(try home.store().provided(by: "shelf", profile: "default") == nil)
    try home.store().expire(listOf: "shelf", profile: "default")
    try home.store().forgetLists(of: "shelf")
    #expect(home.names() == [])
  }
}
