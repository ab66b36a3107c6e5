import Time
import World

extension Store {
  /// Writes all connections in one transaction. Skips connections that are not tracked, and those older than their
  /// cached version.
  ///
  /// - Parameter takingOver: Whether to discard a cache that belongs to another identity. If false, nothing is
  ///   written in that case.
  package func cache(
    _ connections: [CachedConnection], as identity: RequestIdentity, takingOver: Bool = false, profile: String
  ) throws(StoreError) {
    guard !connections.isEmpty, try mirrored(profile, { _, _ in true }) != nil else { return }
    let now = world.clock.now()
    try writeCache { cache throws(StoreError) in
      guard let mirror = try cache.mirror(of: profile)?.number else { return }
      let settled = try cache.askedAs(ofMirror: mirror)
      if settled != identity.words {
        guard settled.isEmpty || takingOver else { return }
        try cache.assign(mirror, on: identity)
      }
      // A fetch time in the future means that the clock has been set back since.
      let isOlder = "mirror = ?1 AND id = ?2 AND (fetched_at <= ?5 OR fetched_at > ?7)"
      let find = try cache.prepare("SELECT response FROM connection WHERE \(isOlder)")
      let replace = try cache.prepare("UPDATE response SET size = ?2, bytes = ?3 WHERE number = ?1")
      let add = try cache.prepare("INSERT INTO response (number, size, bytes) VALUES (?1, ?2, ?3) RETURNING number")
      // Setting the name, even to the same value, moves the row and its entries in every index.
      let update = try cache.prepare(
        """
        UPDATE connection SET status = ?4, fetched_at = ?5, document = ?6, response = ?8
        WHERE name = ?3 COLLATE BINARY AND \(isOlder)
        """)
      let rename = try cache.prepare(
        """
        UPDATE connection SET name = ?3, status = ?4, fetched_at = ?5, document = ?6, response = ?8 WHERE \(isOlder)
        """)
      // Inserted in the order of the table, rows fill its pages.
      for connection in connections.sorted(by: { $0.name < $1.name }) {
        var values: [SQLValue] = [
          .integer(mirror), .text(connection.id), .text(connection.name), .text(connection.status),
          .integer(connection.fetchedAt.milliseconds), .blob(connection.document), .integer(now.milliseconds),
        ]
        try find.bind(values)
        guard try find.step() else { continue }
        var number: SQLValue = find.isNull(0) ? .null : .integer(find.integer(0))
        find.reset()
        guard let compressed = compression.compressed(connection.raw, with: connection.document) else {
          throw cacheFile.noMemory
        }
        let response = [number, .integer(Int64(connection.raw.count)), .blob(compressed)]
        if case .null = number {
          try add.bind(response)
          if try add.step() { number = .integer(add.integer(0)) }
          add.reset()
        } else {
          try replace.run(response)
        }
        values.append(number)
        try update.run(values)
        if cache.changedRows == 0 { try rename.run(values) }
      }
    }
  }

  /// Returns a cached connection; nil if it is not tracked or was never fetched.
  package func cached(_ id: String, profile: String) throws(StoreError) -> CachedConnection? {
    try mirrored(profile) { cache, mirror throws(StoreError) -> CachedConnection? in
      let statement = try cache.prepare(
        """
        SELECT name, status, document, fetched_at, size, bytes FROM connection JOIN response ON number = response
        WHERE mirror = ? AND id = ? AND document IS NOT NULL
        """)
      try statement.bind([.integer(mirror), .text(id)])
      guard try statement.step() else { return nil }
      return CachedConnection(
        id: id, name: statement.text(0), status: statement.text(1), document: statement.bytes(2),
        raw: try statement.response(size: 4, bytes: 5, document: 2, compression),
        fetchedAt: Timestamp(milliseconds: statement.integer(3)))
    } ?? nil
  }
}
