import Store
import Testing
import World

@Suite struct AppletCacheTests {
  let home = TestHome()
  let key = AppletListKey(profile: "default", service: "weather", userID: "ann")

  private func applet(_ id: String) -> CachedApplet {
    CachedApplet(
      id: id, document: Array("document \(id)".utf8), fetchedAt: Timestamp(milliseconds: 7))
  }

  private func texts(_ key: AppletListKey) throws -> [String] {
    var texts: [String] = []
    try AppletCache(home.store(), key).forEach { row in
      let document = String(decoding: row.document, as: UTF8.self)
      texts.append("\(row.id)/\(document)/\(row.fetchedAt.milliseconds)")
    }
    return texts
  }

  @Test func listKeepsItsOrderAndIsReplacedAsAWhole() throws {
    try AppletCache(home.store(), key).replace([applet("z"), applet("a")], fetchedAt: Timestamp(milliseconds: 7))
    #expect(try texts(key) == ["z/document z/7", "a/document a/7"])
    try AppletCache(home.store(), key).replace([applet("b")], fetchedAt: Timestamp(milliseconds: 8))
    #expect(try texts(key) == ["b/document b/7"])
    #expect(try AppletCache(home.store(), key).fetchedAt() == Timestamp(milliseconds: 8))
  }

  @Test func emptyListDiffersFromNoList() throws {
    #expect(try AppletCache(home.store(), key).fetchedAt() == nil)
    #expect(home.names() == [])
    try AppletCache(home.store(), key).replace([], fetchedAt: Timestamp(milliseconds: 8))
    #expect(try AppletCache(home.store(), key).fetchedAt() == Timestamp(milliseconds: 8))
    #expect(try texts(key) == [])
  }

  @Test func listsAreSeparatePerKey() throws {
    try AppletCache(home.store(), key).replace([applet("a")], fetchedAt: Timestamp(milliseconds: 7))
    for other in [
      AppletListKey(profile: "sandbox", service: "weather", userID: "ann"),
      AppletListKey(profile: "default", service: "other", userID: "ann"),
      AppletListKey(profile: "default", service: "weather", userID: ""),
    ] {
      #expect(try texts(other) == [])
      #expect(try AppletCache(home.store(), other).fetchedAt() == nil)
    }
    _ = try home.store().removeProfile("default")
    #expect(try texts(key) == [])
  }

  @Test func errorFromTheBodyEndsTheListing() throws {
    try AppletCache(home.store(), key).replace([applet("z"), applet("a")], fetchedAt: Timestamp(milliseconds: 7))
    struct Enough: Error {}
    var count = 0
    #expect(throws: Enough.self) {
      try AppletCache(home.store(), key).forEach { _ in
        count += 1
        throw Enough()
      }
    }
    #expect(count == 1)
  }

  @Test func interruptedListingIsReported() throws {
    let large = (0..<200).map { number in
      var applet = applet("\(number)")
      applet.document = Array(repeating: 0x20, count: 2000)
      return applet
    }
    try AppletCache(home.store(), key).replace(large, fetchedAt: Timestamp(milliseconds: 7))
    let sound = home.bytes("cache.db")
    var interrupted = 0
    for page in 1..<sound.count / 16384 {
      var damaged = sound
      damaged.replaceSubrange(page * 16384..<(page + 1) * 16384, with: repeatElement(0xff, count: 16384))
      try home.write(damaged, to: "cache.db")
      var count = 0
      let error = failure { try AppletCache(home.store(), key).forEach { _ in count += 1 } }
      #expect(count == 0 || count == 200 || error?.code == .failed)
      if error != nil { interrupted += 1 }
    }
    #expect(interrupted > 0)
  }
}
