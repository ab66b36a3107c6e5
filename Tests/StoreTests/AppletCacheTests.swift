import Store
import Testing
import World

@Suite struct AppletCacheTests {
  let home = TestHome()
  let key = AppletListKey(profile: "default", service: "weather", userID: "ann")

  private func applet(_ id: String) -> CachedApplet {
    CachedApplet(
      id: id, document: Array("document \(id)".utf8), raw: Array("raw \(id)".utf8),
      fetchedAt: Timestamp(milliseconds: 7))
  }

  private func texts(_ key: AppletListKey) throws -> [String] {
    var texts: [String] = []
    try home.store().forEachCachedApplet(key) { row in
      let document = String(decoding: row.document, as: UTF8.self)
      texts.append("\(row.id)/\(document)/\(String(decoding: row.raw, as: UTF8.self))/\(row.fetchedAt.milliseconds)")
    }
    return texts
  }

  @Test func aListKeepsItsOrderAndIsReplacedWhole() throws {
    try home.store().cache([applet("z"), applet("a")], as: key, fetchedAt: Timestamp(milliseconds: 7))
    #expect(try texts(key) == ["z/document z/raw z/7", "a/document a/raw a/7"])
    try home.store().cache([applet("b")], as: key, fetchedAt: Timestamp(milliseconds: 8))
    #expect(try texts(key) == ["b/document b/raw b/7"])
    #expect(try home.store().appletsFetchedAt(key) == Timestamp(milliseconds: 8))
  }

  @Test func anEmptyListIsNotTheSameAsNone() throws {
    #expect(try home.store().appletsFetchedAt(key) == nil)
    #expect(home.names() == [])
    try home.store().cache([], as: key, fetchedAt: Timestamp(milliseconds: 8))
    #expect(try home.store().appletsFetchedAt(key) == Timestamp(milliseconds: 8))
    #expect(try texts(key) == [])
  }

  @Test func listsAreApart() throws {
    try home.store().cache([applet("a")], as: key, fetchedAt: Timestamp(milliseconds: 7))
    for other in [
      AppletListKey(profile: "sandbox", service: "weather", userID: "ann"),
      AppletListKey(profile: "default", service: "other", userID: "ann"),
      AppletListKey(profile: "default", service: "weather", userID: ""),
    ] {
      #expect(try texts(other) == [])
      #expect(try home.store().appletsFetchedAt(other) == nil)
    }
    _ = try home.store().removeProfile("default")
    #expect(try texts(key) == [])
  }
}
