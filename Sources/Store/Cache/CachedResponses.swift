package import Time
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The cached responses of a profile's connections, to compare new responses with. Most responses of a refresh are the
/// same bytes as before, and comparing them takes less than parsing and writing them.
///
/// The documents of such connections stay as they are. A change of their format therefore needs a migration that
/// deletes them.
package final class CachedResponses {
  private let mirror: Int64
  private let statement: Statement
  private let compression: ResponseCompression
  /// The fetch times, in milliseconds, of the connections whose responses were found unchanged.
  fileprivate private(set) var fetchTimes: [String: Int64] = [:]

  fileprivate init(_ mirror: Int64, in cache: Database, _ compression: ResponseCompression) throws(StoreError) {
    (self.mirror, self.compression) = (mirror, compression)
    // A refresh visits most pages several times. Mapped pages would be checked again each time.
    try cache.prepareToWrite()
    statement = try cache.prepare(
      """
      SELECT size, bytes, document, fetched_at FROM connection JOIN response ON number = response
      WHERE mirror = ?1 AND id = ?2 AND size = ?3 AND document IS NOT NULL
      """)
  }

  /// Whether the cached document was made from these bytes. A document that shows a pending connection also depends on
  /// what this program remembers of it, so it does not count.
  package func contains(_ id: String, _ response: [UInt8]) -> Bool {
    defer { statement.reset() }
    do throws(StoreError) {
      try statement.bind([.integer(mirror), .text(id), .integer(Int64(response.count))])
      guard try statement.step() else { return false }
      let cached = try statement.response(size: 0, bytes: 1, document: 2, compression)
      // Swift compares arrays byte by byte.
      guard cached.count == response.count, memcmp(cached, response, response.count) == 0 else { return false }
      guard !statement.buffer(2).contains(#""pending":true"#) else { return false }
      fetchTimes[id] = statement.integer(3)
      return true
    } catch { return false }
  }
}

extension Store {
  /// Returns the cached responses to an identity; nil if the cache belongs to another one.
  package func cachedResponses(
    as identity: RequestIdentity, profile: String
  ) throws(StoreError) -> CachedResponses? {
    endCacheSnapshot()
    return try mirrored(profile) { cache, mirror throws(StoreError) -> CachedResponses? in
      guard try cache.askedAs(ofMirror: mirror) == identity.words else { return nil }
      return try CachedResponses(mirror, in: cache, compression)
    } ?? nil
  }

  /// Updates the fetch times of connections whose responses have not changed, in one transaction. Skips connections that
  /// another process has written since the comparison.
  package func confirm(
    _ connections: [(id: String, fetchedAt: Timestamp)], comparedWith known: CachedResponses, profile: String
  ) throws(StoreError) {
    guard !connections.isEmpty else { return }
    let now = world.clock.now()
    try writeCache { cache throws(StoreError) in
      guard let mirror = try cache.mirror(of: profile)?.number else { return }
      let update = try cache.prepare(
        """
        UPDATE connection SET fetched_at = ?3
        WHERE mirror = ?1 AND id = ?2 AND fetched_at = ?5 AND (fetched_at <= ?3 OR fetched_at > ?4)
        """)
      for (id, moment) in connections {
        guard let before = known.fetchTimes[id] else { continue }
        try update.run(
          .integer(mirror), .text(id), .integer(moment.milliseconds), .integer(now.milliseconds), .integer(before))
      }
    }
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func contains(_ text: StaticString) -> Bool {
    guard let start = baseAddress, text.utf8CodeUnitCount > 0 else { return false }
    let last = count - text.utf8CodeUnitCount
    var place = 0
    while place <= last, let found = memchr(start + place, Int32(text.utf8Start[0]), last + 1 - place) {
      if memcmp(found, text.utf8Start, text.utf8CodeUnitCount) == 0 { return true }
      place = UnsafeRawPointer(found) - start + 1
    }
    return false
  }
}
