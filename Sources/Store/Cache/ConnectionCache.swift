package import World

extension Store {
  /// Writes all connections in one transaction. Skips connections that are not tracked, and those older than their
  /// cached version.
  ///
  /// - Parameters:
  ///   - takingOver: Whether to discard a cache that belongs to another identity. If false, nothing is written in that
  ///     case.
  ///   - afterChange: Whether the connections were just changed. What another identity saw of them is then stale.
  package func cache(
    _ connections: [CachedConnection], as identity: RequestIdentity, takingOver: Bool = false,
    afterChange: Bool = false, profile: String
  ) throws(StoreError) {
    if afterChange { try removeUnlisted(connections.map(\.id), profile: profile) }
    // A connection that is not tracked is often shown, and a write takes longer than this query.
    guard try tracksAny(of: connections, profile: profile) else { return }
    let now = world.clock.now()
    try writeCache { cache throws(StoreError) in
      guard var mirror = try cache.mirror(of: profile, at: now) else { return }
      let owner = try cache.identity(ofMirror: mirror.number)
      if owner != identity.key {
        guard owner.isEmpty || takingOver else {
          if afterChange { for connection in connections { try cache.expire(connection.id, ofMirror: mirror.number) } }
          return
        }
        try cache.assign(&mirror, on: identity)
      }
      // A fetch time in the future means that the clock has been set back since.
      let isOlder = "mirror = ?1 AND id = ?2 AND (fetched_at < ?6 OR fetched_at > ?7)"
      let find = try cache.prepare("SELECT response FROM connection WHERE \(isOlder)")
      let replace = try cache.prepare("UPDATE response SET size = ?2, bytes = ?3 WHERE number = ?1")
      // Compiled when they are needed, which is rare: for a first response, and for a new name.
      let add = "INSERT INTO response (number, size, bytes) VALUES (?1, ?2, ?3) RETURNING number"
      // Setting the name, even to the same value, moves the row and its entries in every index.
      let update = try cache.prepare(
        """
        UPDATE connection SET status = ?4, fetched_at = ?5, document = ?8, response = ?9, state = ?10
        WHERE name = ?3 COLLATE BINARY AND \(isOlder)
        """)
      let rename = """
        UPDATE connection SET name = ?3, status = ?4, fetched_at = ?5, document = ?8, response = ?9, state = ?10
        WHERE \(isOlder)
        """
      // Inserted in the order of the table, rows fill its pages.
      for connection in connections.sorted(by: { $0.name < $1.name }) {
        let fetchTime = connection.fetchedAt.milliseconds
        var values: [SQLValue] = [
          .integer(mirror.number), .text(connection.id), .text(connection.name), .text(connection.status),
          .integer(fetchTime), .integer(mirror.rowBound(for: fetchTime &+ 1)), .integer(now.milliseconds),
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
          let added = try cache.prepare(add)
          try added.bind(response)
          if try added.step() { number = .integer(added.integer(0)) }
        } else {
          try replace.run(response)
        }
        values += [.blob(connection.document), number, connection.state.map(SQLValue.blob) ?? .null]
        try update.run(values)
        if cache.changedRows == 0 { try cache.prepare(rename).run(values) }
      }
    }
  }

  private func tracksAny(of connections: [CachedConnection], profile: String) throws(StoreError) -> Bool {
    guard !connections.isEmpty else { return false }
    return try mirrored(profile) { cache, mirror throws(StoreError) in
      let find = try cache.prepare("SELECT 1 FROM connection WHERE mirror = ? AND id = ?")
      for connection in connections {
        try find.bind([.integer(mirror.number), .text(connection.id)])
        if try find.step() { return true }
      }
      return false
    } ?? false
  }

  /// Marks a cached connection as stale after a change that did not update the cache.
  package func expire(_ id: String, profile: String) throws(StoreError) { try expire([id], profile: profile) }

  /// Marks cached connections as stale, in one transaction.
  package func expire(_ ids: [String], profile: String) throws(StoreError) {
    try removeUnlisted(ids, profile: profile)
    let tracked = try mirrored(profile) { cache, mirror throws(StoreError) in
      let find = try cache.prepare("SELECT 1 FROM connection WHERE mirror = ? AND id = ? AND fetched_at > 1")
      var found: [String] = []
      for id in ids {
        try find.bind([.integer(mirror.number), .text(id)])
        if try find.step() { found.append(id) }
      }
      find.reset()
      return found
    }
    guard let tracked, !tracked.isEmpty else { return }
    try writeCache { cache throws(StoreError) in
      guard let mirror = try cache.mirror(of: profile) else { return }
      for id in tracked { try cache.expire(id, ofMirror: mirror.number) }
    }
  }

  /// Returns a cached connection; nil if it is not tracked or was never fetched.
  package func cached(_ id: String, profile: String) throws(StoreError) -> CachedConnection? {
    try mirrored(profile) { cache, mirror throws(StoreError) -> CachedConnection? in
      let statement = try cache.prepare("\(Self.selectCached) AND id = ?")
      try statement.bind([.integer(mirror.number), .text(id)])
      return try statement.step() ? try cachedConnection(in: statement, of: mirror) : nil
    } ?? nil
  }

  /// Returns the name and the status of a cached connection, if it was fetched with this identity since `moment`. It
  /// reads no response.
  package func cachedStatus(
    of id: String, as identity: RequestIdentity, fetchedSince moment: Timestamp, profile: String
  ) throws(StoreError) -> (name: String, status: String)? {
    try mirrored(profile) { cache, mirror throws(StoreError) -> (name: String, status: String)? in
      guard try cache.identity(ofMirror: mirror.number) == identity.key else { return nil }
      let statement = try cache.prepare(
        "SELECT name, status, fetched_at FROM connection WHERE mirror = ? AND id = ? AND document IS NOT NULL")
      defer { statement.reset() }
      try statement.bind([.integer(mirror.number), .text(id)])
      guard try statement.step(), mirror.fetchTime(ofRow: statement.integer(2)) >= moment.milliseconds else {
        return nil
      }
      return (statement.text(0), statement.text(1))
    } ?? nil
  }

  /// Returns those of these connections that are cached, in the order of the ids.
  package func cached(_ ids: [String], profile: String) throws(StoreError) -> [CachedConnection] {
    try mirrored(profile) { cache, mirror throws(StoreError) in
      try cache.beginLookups()
      defer { cache.endLookups() }
      let statement = try cache.prepare("\(Self.selectCached) AND id = ?")
      var found: [CachedConnection] = []
      for id in ids {
        try statement.bind([.integer(mirror.number), .text(id)])
        if try statement.step() { found.append(try cachedConnection(in: statement, of: mirror)) }
      }
      statement.reset()
      return found
    } ?? []
  }

  /// Returns the hashes of the states of these connections, by id, as far as they are cached and were fetched since
  /// `moment`.
  package func stateDigests(
    of ids: [String], fetchedSince moment: Timestamp, profile: String
  ) throws(StoreError) -> [String: [UInt8]] {
    try mirrored(profile) { cache, mirror throws(StoreError) in
      try cache.beginLookups()
      defer { cache.endLookups() }
      let statement = try cache.prepare(
        "SELECT state FROM connection WHERE mirror = ?1 AND id = ?2 AND fetched_at >= ?3 AND state IS NOT NULL")
      let bound = mirror.rowBound(for: moment.milliseconds)
      var found: [String: [UInt8]] = [:]
      for id in ids {
        try statement.bind([.integer(mirror.number), .text(id), .integer(bound)])
        if try statement.step() { found[id] = statement.bytes(0) }
      }
      statement.reset()
      return found
    } ?? [:]
  }

  private static let selectCached = """
    SELECT id, name, status, document, fetched_at, size, bytes, state FROM connection JOIN response ON number = response
    WHERE mirror = ? AND document IS NOT NULL
    """

  private func cachedConnection(
    in statement: borrowing Statement, of mirror: Mirror
  ) throws(StoreError) -> CachedConnection {
    CachedConnection(
      id: statement.text(0), name: statement.text(1), status: statement.text(2), document: statement.bytes(3),
      raw: try statement.response(size: 5, bytes: 6, document: 3, compression),
      fetchedAt: Timestamp(milliseconds: mirror.fetchTime(ofRow: statement.integer(4))),
      state: statement.isNull(7) ? nil : statement.bytes(7))
  }
}

extension Database {
  fileprivate func expire(_ id: String, ofMirror mirror: Int64) throws(StoreError) {
    // The value 0 is reserved for connections that were never fetched.
    try run(
      "UPDATE connection SET fetched_at = 1 WHERE mirror = ? AND id = ? AND fetched_at > 1", .integer(mirror), .text(id)
    )
  }

  /// Begins a transaction for lookups by id. Without one, each would lock the file; and each would check the mapped
  /// pages that it visits again.
  func beginLookups() throws(StoreError) {
    guard !isSnapshot else { return }
    try prepareToWrite()
    try execute("BEGIN")
  }

  func endLookups() {
    if !isSnapshot { rollBack() }
  }
}
