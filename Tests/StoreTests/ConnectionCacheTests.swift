import Testing
import World

@testable import Store

@Suite struct ConnectionCacheTests {
  let home = TestHome()

  private func rows(status: String? = nil, _ text: (Store.CachedRow) -> String) throws -> [String] {
    var rows: [String] = []
    try home.store().forEachCached(profile: "default", statuses: status.map { [$0] } ?? []) { rows.append(text($0)) }
    return rows
  }

  @Test func connectionRoundTrips() throws {
    _ = try home.store().track(["a"], profile: "default")
    #expect(try home.store().cached("a", profile: "default") == nil)
    var written = connection("a", name: "Écoute \u{1f399}", status: "never_enabled")
    written.document = [0, 255, 0x7b]
    written.raw = []
    try home.store().cache([written], profile: "default")
    #expect(try home.store().cached("a", profile: "default") == written)
  }

  @Test func rowsAreSortedByNameAndThenID() throws {
    let names = ["b": "Rain", "a": "rain", "c": "Alarm", "d": "zebra", "e": "Ärger", "f": "Rain 2"]
    _ = try home.store().track(names.keys + ["unseen"], profile: "default")
    try home.store().cache(names.map { connection($0.key, name: $0.value) }, profile: "default")
    #expect(try rows(\.id) == ["c", "a", "b", "f", "d", "e"])
    #expect(home.connectionNames().map(\.id) == ["a", "b", "c", "d", "e", "f", "unseen"])
    #expect(home.connectionNames()[6].name.isEmpty)
    #expect(home.connectionNames()[2].name == "Alarm")
  }

  @Test func rowsAreFilteredByStatus() throws {
    _ = try home.store().track(["a", "b"], profile: "default")
    try home.store().cache([connection("a"), connection("b", status: "disabled")], profile: "default")
    #expect(try rows(status: "disabled", \.id) == ["b"])
    #expect(try rows(status: "never_enabled", \.id) == [])
    var both: [String] = []
    try home.store().forEachCached(profile: "default", statuses: ["disabled", "enabled"]) { both.append($0.id) }
    #expect(both == ["a", "b"])
  }

  @Test func rowContainsDocumentAndFetchTime() throws {
    _ = try home.store().track(["a"], profile: "default")
    try home.store().cache([connection("a")], profile: "default")
    #expect(try rows { String(decoding: $0.document, as: UTF8.self) } == ["{\"id\":\"a\""])
    #expect(try rows { "\($0.fetchedAt.milliseconds)" } == ["1000"])
  }

  /// The columns of a table, from documents whose parts may be missing. They are the same for connections that were cached
  /// before the columns were added.
  @Test func summariesHaveTheColumnsOfATable() throws {
    let documents = [
      (
        #"{"id":"a","pending":true,"services":[{"id":"x","short_name":"Lampost"},{"id":"y","short_name":"T\"ide"}]"#,
        #"true [{"short_name":"Lampost"},{"short_name":"T\"ide"}]"#
      ),
      (#"{"id":"a","name":"\"pending\":true","pending":false,"services":[]"#, "false []"),
      (
        #"{"id":"a","services":[{"short_name":null},{"id":"x"},{}],"pending":true"#,
        #"true [{"short_name":null},{"short_name":null},{"short_name":null}]"#
      ),
      (#"{"id":"a","features":[{"services":[{"short_name":"inner"}]}]"#, "false []"),
      (#"{"id":"a","services":{"short_name":"x"},"pending":"true""#, "false []"),
      ("\u{0}{]", "false []"),
    ]
    _ = try home.store().track(documents.indices.map { "\($0)" }, profile: "default")
    try home.store().cache(
      documents.enumerated().map { number, document in
        var written = connection("\(number)", name: "\(number)")
        written.document = Array(document.0.utf8)
        return written
      }, profile: "default")
    func shown() throws -> [String] {
      var shown: [String] = []
      try home.store().forEachCachedSummary(profile: "default") { row in
        var services: [UInt8] = []
        row.appendServices(to: &services)
        shown.append("\(row.isPending) \(String(decoding: services, as: UTF8.self))")
      }
      return shown
    }
    #expect(try shown() == documents.map(\.1))
    try home.store().writeCache { cache throws(StoreError) in
      try cache.execute("UPDATE connection SET pending = NULL, services = NULL")
    }
    #expect(try shown() == documents.map(\.1))
  }

  @Test func skipsUntrackedAndOlderConnections() throws {
    try home.store().cache([connection("x")], profile: "default")
    _ = try home.store().track(["a"], profile: "default")
    try home.store().cache([connection("a", name: "New", at: 2000), connection("x")], profile: "default")
    try home.store().cache([connection("a", name: "Old", at: 1000)], profile: "default")
    #expect(try home.store().cached("a", profile: "default")?.name == "New")
    #expect(try home.store().cached("a", profile: "default")?.raw == Array("raw a".utf8))
    #expect(try rows(\.id) == ["a"])
  }

  @Test func profilesAreSeparate() throws {
    _ = try home.store().track(["a"], profile: "default")
    _ = try home.store().track(["a"], profile: "sandbox")
    try home.store().cache([connection("a", name: "Sand")], profile: "sandbox")
    #expect(try rows(\.id) == [])
    #expect(try home.store().cached("a", profile: "sandbox")?.name == "Sand")
  }

  @Test func errorFromTheBodyEndsTheListing() throws {
    _ = try home.store().track(["a", "b"], profile: "default")
    try home.store().cache([connection("a"), connection("b")], profile: "default")
    struct Enough: Error {}
    var count = 0
    let store = home.store()
    #expect(throws: Enough.self) {
      try store.forEachCached(profile: "default") { _ in
        count += 1
        throw Enough()
      }
    }
    #expect(count == 1)
    // The store remains usable after that.
    #expect(try store.track(["c"], profile: "default") == ["c"])
  }

  @Test func listsAThousandLargeRows() throws {
    let ids = (0..<1000).map { "id\($0)" }
    _ = try home.store().track(ids, profile: "default")
    let large = ids.map { id in
      var connection = connection(id, name: "Name \(id.hashValue)")
      connection.document = Array(repeating: UInt8(ascii: "x"), count: 20_000)
      return connection
    }
    try home.store().cache(large, profile: "default")
    #expect(
      try rows { "\($0.document.count) \($0.document.allSatisfy { $0 == UInt8(ascii: "x") })" }.allSatisfy {
        $0 == "20000 true"
      })
    #expect(try rows(\.id).count == 1000)
  }
}
