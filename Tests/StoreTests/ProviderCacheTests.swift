import Foundation
import Store
import Testing
import World

@Suite struct ProviderCacheTests {
  let home = TestHome()
  private let moment = Timestamp(milliseconds: 1_790_000_000_000)

  private func row(_ id: String, _ name: String) -> ProvidedRow {
    ProvidedRow(id: id, name: name, status: "enabled", document: Array("{\"id\":\"\(id)\"".utf8))
  }

  private func cache(_ rows: [ProvidedRow], by provider: String = "shelf", profile: String = "default") throws {
    try ProviderCache(home.store(), profile: profile).cache(rows, by: provider, fetchedAt: moment)
  }

  @Test func listIsSortedByNameAndThenID() throws {
    try cache([row("3", "b"), row("2", "A"), row("1", "a"), row("4", "B")])
    let list = try #require(try ProviderCache(home.store(), profile: "default").lists(of: "shelf").first)
    #expect(list.rows.map(\.id) == ["1", "2", "3", "4"])
    #expect(list.rows.first == row("1", "a"))
    #expect(list.fetchedAt == moment)
  }

  @Test func emptyListIsCached() throws {
    try cache([])
    #expect(try ProviderCache(home.store(), profile: "default").lists(of: "shelf").first?.rows == [])
  }

  @Test func listsAreSeparatePerProviderAndProfile() throws {
    try cache([row("1", "a")])
    #expect(try ProviderCache(home.store(), profile: "default").lists(of: "other").first == nil)
    #expect(try ProviderCache(home.store(), profile: "work").lists(of: "shelf").first == nil)
  }

  @Test func newListReplacesTheOldOne() throws {
    try cache([row("1", "a"), row("2", "b")])
    try cache([row("2", "c")])
    #expect(try ProviderCache(home.store(), profile: "default").lists(of: "shelf").first?.rows == [row("2", "c")])
  }

  @Test func expiredListIsStaleButCached() throws {
    try cache([row("1", "a")])
    try cache([row("2", "b")], by: "other")
    try ProviderCache(home.store(), profile: "default").expire("shelf")
    #expect(try ProviderCache(home.store(), profile: "default").lists(of: "shelf").first?.fetchedAt == .expired)
    #expect(try ProviderCache(home.store(), profile: "default").lists(of: "other").first?.fetchedAt == moment)
  }

  @Test func removedProviderHasNoCachedData() throws {
    try cache([row("1", "a")])
    try cache([row("1", "a")], profile: "work")
    try ProviderCache.forget("shelf", in: home.store())
    #expect(try ProviderCache(home.store(), profile: "default").lists(of: "shelf").first == nil)
    #expect(try ProviderCache(home.store(), profile: "work").lists(of: "shelf").first == nil)
    #expect(try home.database(.cache).integer("SELECT count(*) FROM provided_connection") == 0)
  }

  @Test func forgottenListIsOverwritten() throws {
    try cache([row("1", "somebody@mail.test")])
    try cache([row("1", "a")], profile: "work")
    try ProviderCache(home.store(), profile: "default").forget("shelf")
    #expect(try ProviderCache(home.store(), profile: "default").lists(of: "shelf").first == nil)
    #expect(try ProviderCache(home.store(), profile: "work").lists(of: "shelf").first?.rows == [row("1", "a")])
    #expect(Data(home.bytes("cache.db")).firstRange(of: Data("somebody".utf8)) == nil, "not even in a free page")
  }

  @Test func listsOfTheEarlierSchemaAreKept() throws {
    let file = DatabaseFile(
      folder: home.path,
      schema: Schema(
        fileName: Schema.cache.fileName, applicationID: Schema.cache.applicationID,
        migrations: Array(Schema.cache.migrations.prefix(6)), pageSize: Schema.cache.pageSize, isCache: true))
    try file.make(home.world)
    try #require(try file.open(home.world)).write(in: home.world) { cache throws(StoreError) in
      try cache.execute(
        """
        INSERT INTO provider_list VALUES (1, 'default', 'shelf', 5), (2, 'work', 'shelf', 6), (3, 'default', 'other', 7);
        INSERT INTO provider_connection VALUES
          (1, 'b', '2', 'enabled', x'7b'), (1, 'A', '1', 'disabled', x'7b'), (2, 'c', '3', 'enabled', x'7b');
        """)
    }
    let lists = try ProviderCache(home.store(), profile: "default").lists()
    #expect(lists.map(\.provider) == ["other", "shelf"])
    #expect(lists.map(\.fetchedAt.milliseconds) == [7, 5])
    #expect(lists.map { $0.rows.map(\.id) } == [[], ["1", "2"]])
    #expect(try ProviderCache(home.store(), profile: "work").lists(of: "shelf").first?.rows.map(\.name) == ["c"])
  }

  @Test func missingCacheIsNotCreated() throws {
    #expect(try ProviderCache(home.store(), profile: "default").lists(of: "shelf").first == nil)
    try ProviderCache(home.store(), profile: "default").expire("shelf")
    try ProviderCache.forget("shelf", in: home.store())
    #expect(home.names() == [])
  }
}
