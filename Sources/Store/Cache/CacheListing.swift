package import World

/// A connection as last fetched.
package struct CachedConnection: Sendable, Equatable {
  package var id: String
  package var name: String
  /// The status: `enabled`, `disabled`, `never_enabled` or `unknown`.
  package var status: String
  /// The program's own JSON object, compact, up to and including `cover_images` and without the closing brace.
  package var document: [UInt8]
  /// IFTTT's response, byte for byte.
  package var raw: [UInt8]
  package var fetchedAt: Timestamp
  /// A hash of its state, to compare it with a file. Nil if unknown.
  package var state: [UInt8]?
  package init(
    id: String, name: String, status: String, document: [UInt8], raw: [UInt8], fetchedAt: Timestamp,
    state: [UInt8]? = nil
  ) {
    self.id = id
    self.name = name
    self.status = status
    self.document = document
    self.raw = raw
    self.fetchedAt = fetchedAt
    self.state = state
  }
}

extension Store {
  /// A cached connection in a listing. Its buffer is valid only during the callback. It contains only what a listing
  /// shows, because in SQLite each further column takes as long as copying the document.
  package struct CachedRow {
    package let document: UnsafeRawBufferPointer
    package let fetchedAt: Timestamp
  }

  /// What a listing can show of a cached connection without reading its document. It and its buffers are valid only
  /// during the callback. A column that is not needed is not read, because each takes time.
  package struct CachedSummary {
    fileprivate let columns: (id: SQLColumn, name: SQLColumn, status: SQLColumn)
    package let fetchedAt: Timestamp
    package var id: UnsafeRawBufferPointer { columns.id.buffer }
    package var name: UnsafeRawBufferPointer { columns.name.buffer }
    package var status: UnsafeRawBufferPointer { columns.status.buffer }
  }

  /// Calls `body` with each tracked connection that has been fetched, using bounded memory.
  ///
  /// The order is by name and then by id. Names are compared by their UTF-8 bytes, ignoring the case of ASCII
  /// letters.
  /// - Parameter statuses: Only connections with one of these statuses; all connections if it is empty.
  /// - Throws: ``StoreError``, and any error of `body`, which ends the listing.
  package func forEachCached(
    profile: String, statuses: [String] = [], _ body: (CachedRow) throws -> Void
  ) throws {
    try list(
      "fetched_at, document", profile, statuses,
      in: { (fetchedAt: $0.column("fetched_at"), document: $0.column("document")) }
    ) { columns, mirror in
      // Checked here rather than in the query, which would fetch the column twice.
      guard !columns.document.isNull else { return false }
      let fetchTime = mirror.fetchTime(ofRow: columns.fetchedAt.value())
      try body(CachedRow(document: columns.document.buffer, fetchedAt: Timestamp(milliseconds: fetchTime)))
      return true
    }
  }

  /// Calls `body` with the summary of each tracked connection that has been fetched. Otherwise like
  /// ``forEachCached(profile:statuses:_:)``, which takes longer.
  package func forEachCachedSummary(
    profile: String, statuses: [String] = [], _ body: (CachedSummary) throws -> Void
  ) throws {
    try list(
      "fetched_at, id, name, status", profile, statuses,
      in: { row in
        (
          fetchedAt: row.column("fetched_at"),
          shown: (id: row.column("id"), name: row.column("name"), status: row.column("status"))
        )
      }
    ) { columns, mirror in
      let fetchTime = mirror.fetchTime(ofRow: columns.fetchedAt.value())
      guard fetchTime != 0 else { return false }
      try body(CachedSummary(columns: columns.shown, fetchedAt: Timestamp(milliseconds: fetchTime)))
      return true
    }
  }

  /// - Parameters:
  ///   - columns: Looks up the selected columns, once.
  ///   - body: Returns whether it used the row. Its error ends the listing.
  private func list<Columns>(
    _ selected: String, _ profile: String, _ statuses: [String], in columns: (borrowing Statement) -> Columns,
    _ body: (Columns, Mirror) throws -> Bool
  ) throws {
    let wanted = SQLParameters(list: statuses, named: ":status")
    let filter = statuses.isEmpty ? "" : "AND status IN (\(wanted.names))"
    let sql = "SELECT \(selected) FROM connection WHERE mirror = :mirror \(filter) ORDER BY name, id"
    var hasBegun = false
    var stop: (any Error)?
    _ = try mirrored(profile) { cache, mirror throws(StoreError) in
      guard !hasBegun else { throw cacheFile.interruptedListing }
      let statement = try cache.prepare(sql)
      try statement.bind([":mirror": mirror.number] + wanted)
      let columns = columns(statement)
      while try statement.step() {
        do { if try body(columns, mirror) { hasBegun = true } } catch {
          (hasBegun, stop) = (true, error)
          return
        }
      }
    }
    if let stop { throw stop }
  }
}
