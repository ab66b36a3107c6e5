package import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The cached responses of a profile's connections, to compare new responses with. Most responses of a refresh are the
/// same bytes as before, and comparing them takes less time than parsing and writing them.
///
/// The documents of such connections stay as they are. A change of their format therefore needs a migration that
/// deletes them.
package final class CachedResponses {
  private struct Row {
    var response: [UInt8]
    /// In milliseconds, as in the row.
    var fetchTime: Int64
  }

  /// The number of responses to read at a time: reading many at a time saves locking the file, and memory is bounded.
  private static let batch = 64

  /// The maximum difference between the recorded and the actual time of a fetch. If a refresh takes longer, the times
  /// are recorded for each connection.
  package static let tolerance = Duration.seconds(10)

  fileprivate let identity: RequestIdentity
  private let cache: Database
  private let mirror: Int64
  private let statement: Statement
  private let columns: ResponseColumns
  private let fetchedAt: SQLColumn
  private let compression: ResponseCompression
  /// The ids whose responses have not been read yet.
  private var unread: ArraySlice<String>
  /// The rows that were read and not compared yet, by id. A connection without one was never fetched.
  private var rows: [String: Row?] = [:]
  /// The fetch times in the rows, in milliseconds, of the connections whose responses were found unchanged.
  fileprivate private(set) var fetchTimes: [String: Int64] = [:]

  fileprivate init(
    of ids: [String], as identity: RequestIdentity, _ mirror: Int64, in cache: Database,
    _ compression: ResponseCompression
  ) throws(StoreError) {
    (self.identity, self.cache, self.mirror, self.compression) = (identity, cache, mirror, compression)
    unread = ids[...]
    // A refresh visits most pages several times. Mapped pages would be checked again each time.
    try cache.prepareToWrite()
    // Rows that an earlier version wrote have no `pending`, so their documents are searched.
    statement = try cache.prepare(
      """
      SELECT size, bytes, document, fetched_at FROM connection JOIN response ON number = response
      WHERE mirror = :mirror AND id = :id AND document IS NOT NULL
        AND coalesce(pending, instr(document, CAST('"pending":true' AS BLOB)) > 0) = 0
      """)
    (columns, fetchedAt) = (ResponseColumns(statement), statement.column("fetched_at"))
  }

  /// Whether the cached document was made from these bytes. A document that shows a pending connection also depends on
  /// what this program remembers of it, so it does not count.
  package func contains(_ id: String, _ response: [UInt8]) -> Bool {
    do throws(StoreError) {
      while rows[id] == nil, !unread.isEmpty {
        let next = unread.prefix(Self.batch)
        unread = unread.dropFirst(Self.batch)
        try read(next)
      }
      if rows[id] == nil { try read([id]) }
    } catch { return false }
    // Swift compares arrays byte by byte.
    guard let row = rows.removeValue(forKey: id) ?? nil, row.response.count == response.count,
      memcmp(row.response, response, response.count) == 0
    else { return false }
    fetchTimes[id] = row.fetchTime
    return true
  }

  private func read(_ ids: ArraySlice<String>) throws(StoreError) {
    try cache.beginLookups()
    defer {
      statement.reset()
      cache.endLookups()
    }
    for id in ids {
      try statement.bind([":mirror": mirror, ":id": id])
      // A damaged response counts as missing, and is written again.
      guard try statement.step(), let response = try? statement.response(columns, compression) else {
        rows[id] = .some(nil)
        continue
      }
      rows[id] = Row(response: response, fetchTime: fetchedAt.value())
    }
  }
}

extension Store {
  /// Returns the cached responses to an identity; nil if the cache belongs to another one.
  /// - Parameter ids: The connections whose responses will be compared, roughly in this order.
  package func cachedResponses(
    of ids: [String] = [], as identity: RequestIdentity, profile: String
  ) throws(StoreError) -> CachedResponses? {
    endCacheSnapshot()
    return try mirrored(profile) { cache, mirror throws(StoreError) -> CachedResponses? in
      guard try cache.identity(ofMirror: mirror.number) == identity.key else { return nil }
      return try CachedResponses(of: ids, as: identity, mirror.number, in: cache, compression)
    } ?? nil
  }

  /// Updates the fetch times of connections whose responses have not changed, in one transaction. Skips connections that
  /// another process has written since they were read for the comparison.
  /// - Parameter start: A time before the responses were requested. If no connection has an older fetch afterwards, and not
  ///   much time has passed, this time is recorded for all connections.
  package func confirm(
    _ connections: [(id: String, fetchedAt: Timestamp)], comparedWith responses: CachedResponses,
    since start: Timestamp,
    profile: String
  ) throws(StoreError) {
    guard !connections.isEmpty else { return }
    let now = world.clock.now()
    try writeCache { cache throws(StoreError) in
      guard var mirror = try cache.mirror(of: profile, at: now) else { return }
      var coversAll = false
      if now - CachedResponses.tolerance <= start, start <= now,
        try cache.identity(ofMirror: mirror.number) == responses.identity.key
      {
        coversAll = try cache.hasOnlyUnchanged(responses.fetchTimes, before: start, in: mirror)
      }
      if coversAll, mirror.refreshedAt < start.milliseconds { try cache.setRefresh(start.milliseconds, of: &mirror) }
      let update = try cache.prepare(
        """
        UPDATE connection SET fetched_at = :moment
        WHERE mirror = :mirror AND id = :id AND fetched_at = :before AND (fetched_at <= :moment OR fetched_at > :now)
        """)
      for (id, moment) in connections {
        guard let before = responses.fetchTimes[id] else { continue }
        if coversAll, mirror.fetchTime(ofRow: before) >= start.milliseconds, before <= now.milliseconds { continue }
        try update.run([
          ":mirror": mirror.number, ":id": id, ":moment": moment, ":now": now, ":before": before,
        ])
      }
    }
  }
}

extension Database {
  /// Whether all connections that were last fetched before `moment` were found unchanged. Connections that
  /// were never fetched or have changed since do not count, because their times do not depend on refreshes.
  fileprivate func hasOnlyUnchanged(
    _ unchanged: [String: Int64], before moment: Timestamp, in mirror: Mirror
  ) throws(StoreError) -> Bool {
    let statement = try prepare(
      "SELECT id, fetched_at FROM connection WHERE mirror = :mirror AND fetched_at > 1 AND fetched_at < :bound")
    try statement.bind([":mirror": mirror.number, ":bound": mirror.rowBound(for: moment.milliseconds)])
    let (id, fetchedAt) = (statement.column("id"), statement.column("fetched_at"))
    while try statement.step() {
      guard unchanged[id.value()] == fetchedAt.value() as Int64 else { return false }
    }
    return true
  }
}
