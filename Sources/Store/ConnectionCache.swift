import Time
import World

extension Store {
  /// Writes all in one transaction. Those not tracked are left out, and so is what is older than what is there.
  ///
  /// - Parameter takingOver: where the cache holds what another asker was shown, whether that is forgotten now; else
  ///   nothing is written.
  package func cache(
    _ connections: [CachedConnection], as asker: RequestIdentity, takingOver: Bool = false, profile: String
  ) throws(StoreError) {
    guard !connections.isEmpty, try mirrored(profile, { _, _ in true }) != nil else { return }
    let now = world.clock.now()
    try writeCache { cache throws(StoreError) in
      guard let mirror = try cache.mirror(of: profile)?.number else { return }
      let settled = try cache.askedAs(ofMirror: mirror)
      if settled != asker.words {
        guard settled.isEmpty || takingOver else { return }
        try cache.settle(mirror, on: asker)
      }
      // What was fetched in the future was fetched before the clock was set back.
      let isOlder = "mirror = ?1 AND id = ?2 AND (fetched_at <= ?5 OR fetched_at > ?7)"
      // To set a name, even to what it is, moves the row and its places in every index.
      let update = try cache.prepare(
        """
        UPDATE connection SET status = ?4, fetched_at = ?5, document = ?6
        WHERE name = ?3 COLLATE BINARY AND \(isOlder)
        """)
      let rename = try cache.prepare(
        "UPDATE connection SET name = ?3, status = ?4, fetched_at = ?5, document = ?6 WHERE \(isOlder)")
      let answer = try cache.prepare(
        """
        INSERT INTO answer (mirror, id, raw) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET raw = excluded.raw WHERE raw <> excluded.raw
        """)
      for connection in connections {
        let values: [SQLValue] = [
          .integer(mirror), .text(connection.id), .text(connection.name), .text(connection.status),
          .integer(connection.fetchedAt.milliseconds), .blob(connection.document), .integer(now.milliseconds),
        ]
        try update.run(values)
        if cache.changedRows == 0 { try rename.run(values) }
        guard cache.changedRows > 0 else { continue }
        try answer.run(.integer(mirror), .text(connection.id), .blob(connection.raw))
      }
    }
  }

  /// Nil where it is not tracked or was never seen.
  package func cached(_ id: String, profile: String) throws(StoreError) -> CachedConnection? {
    try mirrored(profile) { cache, mirror throws(StoreError) -> CachedConnection? in
      let statement = try cache.prepare(
        """
        SELECT name, status, document, raw, fetched_at FROM connection JOIN answer USING (mirror, id)
        WHERE mirror = ? AND id = ? AND document IS NOT NULL
        """)
      try statement.bind([.integer(mirror), .text(id)])
      guard try statement.step() else { return nil }
      return CachedConnection(
        id: id, name: statement.text(0), status: statement.text(1), document: statement.bytes(2),
        raw: statement.bytes(3), fetchedAt: Timestamp(milliseconds: statement.integer(4)))
    } ?? nil
  }

  /// The tracked connections that have been seen, in bounded memory.
  ///
  /// They come by name, upper and lower case ASCII letters alike and other characters by their UTF-8 bytes, and then
  /// by id.
  /// - Parameter statuses: only those with one of these; all if it is empty.
  /// - Throws: ``StoreError``, and what `body` throws, which ends the listing.
  package func forEachCached(
    profile: String, statuses: [String] = [], _ body: (CachedRow) throws -> Void
  ) throws {
    let places = statuses.indices.map { "?\($0 + 2)" }.joined(separator: ", ")
    let filter = statuses.isEmpty ? "" : "AND status IN (\(places))"
    let sql = "SELECT fetched_at, document FROM connection WHERE mirror = ?1 \(filter) ORDER BY name, id"
    var hasBegun = false
    var stop: (any Error)?
    _ = try mirrored(profile) { cache, mirror throws(StoreError) in
      guard !hasBegun else { throw cacheFile.brokenOff }
      let statement = try cache.prepare(sql)
      try statement.bind([.integer(mirror)] + statuses.map(SQLValue.text))
      while try statement.step() {
        // Asked here and not in the query, which would fetch the column twice.
        guard !statement.isNull(1) else { continue }
        hasBegun = true
        let row = CachedRow(
          document: statement.buffer(1), fetchedAt: Timestamp(milliseconds: statement.integer(0)))
        do { try body(row) } catch {
          stop = error
          return
        }
      }
    }
    if let stop { throw stop }
  }
}
