import Testing
import World

@testable import Store

/// Responses come out of the cache as they went in, and damaged ones do not come out at all.
@Suite struct ResponseCompressionTests {
  private let compression = ResponseCompression()

  private func packed(_ response: [UInt8], _ document: [UInt8]) throws -> [UInt8] {
    try #require(compression.compressed(response, with: document))
  }

  private func unpacked(_ bytes: [UInt8], _ size: Int, _ document: [UInt8]) -> [UInt8]? {
    bytes.withUnsafeBytes { bytes in
      document.withUnsafeBytes { compression.decompressed(bytes, size: size, with: $0) }
    }
  }

  private static func noise(_ count: Int, of values: ClosedRange<UInt8> = 0...255, seed: UInt64 = 1) -> [UInt8] {
    var state = seed
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return values.lowerBound + UInt8(truncatingIfNeeded: (state >> 33) % UInt64(values.count))
    }
  }

  /// The longest documents and responses, of which shorter ones are the beginning.
  private static let longest = [0...255, 97...100].map { (values: ClosedRange<UInt8>) in
    (document: noise(40_000, of: values), response: noise(1_000_000, of: values, seed: 2))
  }

  @Test(arguments: [0, 1, 2, 100, 3000, 40_000, 1_000_000], [0, 1, 3000, 40_000])
  func everyResponseRoundTrips(size: Int, documentSize: Int) throws {
    for longest in Self.longest {
      let document = Array(longest.document.prefix(documentSize))
      for response in [Array(longest.response.prefix(size)), Array(document.prefix(size))] {
        let bytes = try packed(response, document)
        #expect(bytes.count <= response.count)
        #expect(unpacked(bytes, response.count, document) == response)
      }
    }
  }

  @Test func theDocumentMakesTheResponseSmaller() throws {
    let document = Self.noise(2000, of: 32...126)
    let response = Array(document[500..<1500])
    #expect(try packed(response, document).count < 50)
    #expect(try packed(response, []).count > 500)
  }

  @Test func damagedBytesAreRejectedOrDifferent() throws {
    let (document, response) = (Self.noise(500, of: 97...122), Self.noise(800, of: 97...122, seed: 3))
    let bytes = try packed(response, document)
    #expect(unpacked(bytes, response.count - 1, document) == nil)
    #expect(unpacked(bytes, response.count + 1, document) == nil)
    #expect(unpacked(bytes, .max, document) == nil)
    #expect(unpacked(bytes, -1, document) == nil)
    #expect(unpacked(Array(bytes.dropLast()), response.count, document) == nil)
    #expect(unpacked(bytes + [0], response.count, document) == nil)
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 0x55
      let found = unpacked(damaged, response.count, document)
      #expect(found == nil || found?.count == response.count)
    }
    #expect(unpacked(bytes, response.count, document) == response, "a failure does not affect the next one")
  }

  @Test func aDamagedResponseLeadsToANewCache() throws {
    let home = TestHome()
    _ = try home.store().track(["a"], profile: "default")
    try home.store().cache([connection("a")], profile: "default")
    try home.database(.cache).execute("UPDATE response SET bytes = x'ff00', size = 5")
    #expect(try home.store().cached("a", profile: "default") == nil)
    #expect(try home.store().trackedIDs(profile: "default") == ["a"])
    #expect(home.names().contains { $0.hasPrefix("cache.db.damaged-") })
  }

  @Test func untrackingDeletesTheResponse() throws {
    let home = TestHome()
    _ = try home.store().track(["a", "b"], profile: "default")
    try home.store().cache([connection("a"), connection("b")], profile: "default")
    _ = try home.store().untrack(["a"], profile: "default")
    #expect(try home.database(.cache).integer("SELECT count(*) FROM response") == 1)
    _ = try home.store().removeProfile("default")
    #expect(try home.database(.cache).integer("SELECT count(*) FROM response") == 0)
  }

  @Test func anotherIdentityDeletesTheResponses() throws {
    let home = TestHome()
    _ = try home.store().track(["a", "b"], profile: "default")
    try home.store().cache([connection("a"), connection("b")], profile: "default")
    try home.store().cache([connection("a")], as: RequestIdentity("bob"), takingOver: true, profile: "default")
    #expect(try home.database(.cache).integer("SELECT count(*) FROM response") == 1)
    #expect(try home.store().cached("a", profile: "default")?.raw == Array("raw a".utf8))
  }
}
