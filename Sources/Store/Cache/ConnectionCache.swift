import Text
package import World

extension Store {
  /// Writes all connections in one transaction. Skips connections that are not tracked, and those older than their
  /// cached version.
  ///
  /// - Parameters:
  ///   - takingOver: Whether to discard a cache that belongs to another identity. If false, nothing is written in that
  ///     case.
  ///   - afterChange: Whether the connections were just changed. Data that another identity fetched is then stale.
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
        try cache.assign(&mirror, to: identity)
      }
      // A fetch time in the future means that the clock has been set back since.
      let isOlder = "mirror = :mirror AND id = :id AND (fetched_at < :older OR fetched_at > :now)"
      let find = try cache.prepare("SELECT response, name FROM connection WHERE \(isOlder)")
      let replace = try cache.prepare("UPDATE response SET size = :size, bytes = :bytes WHERE number = :number")
      // Compiled when they are needed, which is rare: for a first response, and for a new name.
      let add = "INSERT INTO response (size, bytes) VALUES (:size, :bytes) RETURNING number"
      let assignments = """
        status = :status, fetched_at = :fetched_at, document = :document, response = :response, state = :state,
        pending = :pending, services = :services
        """
      // Setting the name, even to the same value, moves the row and its entries in every index.
      let update = try cache.prepare("UPDATE connection SET \(assignments) WHERE \(isOlder)")
      let rename = "UPDATE connection SET name = :name, \(assignments) WHERE \(isOlder)"
      // Inserted in the order of the table, rows fill its pages.
      for connection in connections.sorted(by: \.name) {
        let older = mirror.rowBound(for: connection.fetchedAt.milliseconds &+ 1)
        try find.bind([":mirror": mirror.number, ":id": connection.id, ":older": older, ":now": now])
        guard try find.step() else { continue }
        var number: Int64? = find["response"]
        let name: String = find["name"]
        find.reset()
        guard let compressed = compression.compressed(connection.raw, with: connection.document) else {
          throw cacheFile.noMemory
        }
        let size = connection.raw.count
        if let number {
          try replace.run([":size": size, ":bytes": compressed, ":number": number])
        } else {
          number = try cache.integer(add, [":size": size, ":bytes": compressed])
        }
        let listed = connection.document.withUnsafeBytes { ListColumns($0) }
        let values: SQLParameters = [
          ":status": connection.status, ":fetched_at": connection.fetchedAt, ":document": connection.document,
          ":response": number, ":state": connection.state, ":pending": listed.isPending, ":services": listed.services,
          ":mirror": mirror.number, ":id": connection.id, ":older": older, ":now": now,
        ]
        if ExactText.same(name, connection.name) {
          try update.run(values)
        } else {
          try cache.prepare(rename).run(values + [":name": connection.name])
        }
      }
    }
  }

  private func tracksAny(of connections: [CachedConnection], profile: String) throws(StoreError) -> Bool {
    guard !connections.isEmpty else { return false }
    return try mirrored(profile) { cache, mirror throws(StoreError) in
      let find = try cache.prepare("SELECT 1 FROM connection WHERE mirror = :mirror AND id = :id")
      for connection in connections {
        try find.bind([":mirror": mirror.number, ":id": connection.id])
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
    let toExpire = try mirrored(profile) { cache, mirror throws(StoreError) in
      let find = try cache.prepare("SELECT 1 FROM connection WHERE mirror = :mirror AND id = :id AND fetched_at > 1")
      var fetched: [String] = []
      for id in ids {
        try find.bind([":mirror": mirror.number, ":id": id])
        if try find.step() { fetched.append(id) }
      }
      find.reset()
      return fetched
    }
    guard let toExpire, !toExpire.isEmpty else { return }
    try writeCache { cache throws(StoreError) in
      guard let mirror = try cache.mirror(of: profile) else { return }
      for id in toExpire { try cache.expire(id, ofMirror: mirror.number) }
    }
  }

  /// Returns a cached connection; nil if it is not tracked or was never fetched.
  package func cached(_ id: String, profile: String) throws(StoreError) -> CachedConnection? {
    try mirrored(profile) { cache, mirror throws(StoreError) -> CachedConnection? in
      let statement = try cache.prepare(CachedColumns.select)
      try statement.bind([":mirror": mirror.number, ":id": id])
      let columns = CachedColumns(statement)
      return try statement.step() ? try columns.connection(in: statement, of: mirror, compression) : nil
    } ?? nil
  }

  /// Returns the name and the status of a cached connection, if it was fetched with this identity since `moment`. It
  /// reads no response.
  package func cachedStatus(
    of id: String, as identity: RequestIdentity, fetchedSince moment: Timestamp, profile: String
  ) throws(StoreError) -> (name: String, status: String)? {
    try mirrored(profile) { cache, mirror throws(StoreError) -> (name: String, status: String)? in
      guard try cache.identity(ofMirror: mirror.number) == identity.key else { return nil }
      let row = try cache.first(
        """
        SELECT name, status, fetched_at FROM connection WHERE mirror = :mirror AND id = :id AND document IS NOT NULL
        """, [":mirror": mirror.number, ":id": id]
      ) { ($0["name"] as String, $0["status"] as String, $0["fetched_at"] as Int64) }
      guard let (name, status, fetchTime) = row, mirror.fetchTime(ofRow: fetchTime) >= moment.milliseconds else {
        return nil
      }
      return (name, status)
    } ?? nil
  }

  /// Returns the connections with these ids that are cached, in the order of the ids.
  package func cached(_ ids: [String], profile: String) throws(StoreError) -> [CachedConnection] {
    try mirrored(profile) { cache, mirror throws(StoreError) in
      try cache.beginLookups()
      defer { cache.endLookups() }
      let statement = try cache.prepare(CachedColumns.select)
      let columns = CachedColumns(statement)
      var connections: [CachedConnection] = []
      for id in ids {
        try statement.bind([":mirror": mirror.number, ":id": id])
        if try statement.step() { connections.append(try columns.connection(in: statement, of: mirror, compression)) }
      }
      statement.reset()
      return connections
    } ?? []
  }

  /// Returns the hashes of the states of the connections that are cached and were fetched since `moment`, by id.
  package func stateDigests(
    of ids: [String], fetchedSince moment: Timestamp, profile: String
  ) throws(StoreError) -> [String: [UInt8]] {
    try mirrored(profile) { cache, mirror throws(StoreError) in
      try cache.beginLookups()
      defer { cache.endLookups() }
      let statement = try cache.prepare(
        """
        SELECT state FROM connection
        WHERE mirror = :mirror AND id = :id AND fetched_at >= :bound AND state IS NOT NULL
        """)
      let state = statement.column("state")
      let bound = mirror.rowBound(for: moment.milliseconds)
      var digests: [String: [UInt8]] = [:]
      for id in ids {
        try statement.bind([":mirror": mirror.number, ":id": id, ":bound": bound])
        if try statement.step() { digests[id] = state.value() as [UInt8] }
      }
      statement.reset()
      return digests
    } ?? [:]
  }

}

/// The columns of a cached connection with its response.
private struct CachedColumns {
  static let select = """
    SELECT id, name, status, document, fetched_at, size, bytes, state FROM connection JOIN response ON number = response
    WHERE mirror = :mirror AND document IS NOT NULL AND id = :id
    """

  let id, name, status, document, fetchedAt, state: SQLColumn
  let response: ResponseColumns

  init(_ statement: borrowing Statement) {
    (id, name, status) = (statement.column("id"), statement.column("name"), statement.column("status"))
    (document, state) = (statement.column("document"), statement.column("state"))
    fetchedAt = statement.column("fetched_at")
    response = ResponseColumns(statement)
  }

  /// Returns the connection in the current row of the statement that has these columns.
  func connection(
    in row: borrowing Statement, of mirror: Mirror, _ compression: ResponseCompression
  ) throws(StoreError) -> CachedConnection {
    CachedConnection(
      id: id.value(), name: name.value(), status: status.value(), document: document.value(),
      raw: try row.response(response, compression),
      fetchedAt: Timestamp(milliseconds: mirror.fetchTime(ofRow: fetchedAt.value())), state: state.value())
  }
}

extension Database {
  fileprivate func expire(_ id: String, ofMirror mirror: Int64) throws(StoreError) {
    // The value 0 is reserved for connections that were never fetched.
    try run(
      "UPDATE connection SET fetched_at = 1 WHERE mirror = :mirror AND id = :id AND fetched_at > 1",
      [":mirror": mirror, ":id": id])
  }

  /// Begins a transaction for lookups by id. Otherwise, each lookup would lock the file, and would check the mapped
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
