import World

extension Store {
  /// Calls `body` with each tracked connection that has been fetched, using bounded memory.
  ///
  /// The order is by name and then by id. Names are compared by their UTF-8 bytes, ignoring the case of ASCII
  /// letters.
  /// - Parameter statuses: Only connections with one of these statuses; all connections if it is empty.
  /// - Throws: ``StoreError``, and any error of `body`, which ends the listing.
  package func forEachCached(
    profile: String, statuses: [String] = [], _ body: (CachedRow) throws -> Void
  ) throws {
    try list("fetched_at, document", profile, statuses) { statement, mirror in
      // Checked here rather than in the query, which would fetch the column twice.
      guard !statement.isNull(1) else { return false }
      let fetchTime = mirror.fetchTime(ofRow: statement.integer(0))
      try body(CachedRow(document: statement.buffer(1), fetchedAt: Timestamp(milliseconds: fetchTime)))
      return true
    }
  }

  /// Calls `body` with the summary of each tracked connection that has been fetched. Otherwise like
  /// ``forEachCached(profile:statuses:_:)``, which takes longer.
  package func forEachCachedSummary(
    profile: String, statuses: [String] = [], _ body: (CachedSummary) throws -> Void
  ) throws {
    try list("fetched_at, id, name, status", profile, statuses) { statement, mirror in
      let fetchTime = mirror.fetchTime(ofRow: statement.integer(0))
      guard fetchTime != 0 else { return false }
      try body(CachedSummary(row: statement.handle, fetchedAt: Timestamp(milliseconds: fetchTime)))
      return true
    }
  }

  /// - Parameter body: Returns whether it used the row. Its error ends the listing.
  private func list(
    _ columns: String, _ profile: String, _ statuses: [String], _ body: (borrowing Statement, Mirror) throws -> Bool
  ) throws {
    let places = statuses.indices.map { "?\($0 + 2)" }
    let filter = statuses.isEmpty ? "" : "AND status IN (\(places.joined(separator: ", ")))"
    let sql = "SELECT \(columns) FROM connection WHERE mirror = ?1 \(filter) ORDER BY name, id"
    var hasBegun = false
    var stop: (any Error)?
    _ = try mirrored(profile) { cache, mirror throws(StoreError) in
      guard !hasBegun else { throw cacheFile.brokenOff }
      let statement = try cache.prepare(sql)
      try statement.bind([.integer(mirror.number)] + statuses.map(SQLValue.text))
      while try statement.step() {
        do { if try body(statement, mirror) { hasBegun = true } } catch {
          (hasBegun, stop) = (true, error)
          return
        }
      }
    }
    if let stop { throw stop }
  }
}
