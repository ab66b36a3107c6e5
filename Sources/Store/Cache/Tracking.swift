package import World

/// The effect of a change to the set of tracked connections.
struct TrackingChange {
  /// The connections that were added or removed.
  var ids: [String] = []
  var generations: (before: Int64, after: Int64) = (0, 0)
}

extension Store {
  package func trackedCount(profile: String) throws(StoreError) -> Int {
    let sql = "SELECT count(*) FROM tracked WHERE profile = :profile"
    return try Int(openIfExists()?.integer(sql, [":profile": profile]) ?? 0)
  }

  package func isTrackingAny(profile: String) throws(StoreError) -> Bool {
    try openIfExists()?.integer("SELECT 1 FROM tracked WHERE profile = :profile LIMIT 1", [":profile": profile]) != nil
  }

  /// Returns whether the profile tracks any connection or ever did.
  package func hasTracked(profile: String) throws(StoreError) -> Bool {
    try openIfExists()?.generation(of: profile) ?? 0 != 0
  }

  package func isTracked(_ id: String, profile: String) throws(StoreError) -> Bool {
    let sql = "SELECT 1 FROM tracked WHERE profile = :profile AND id = :id"
    return try openIfExists()?.integer(sql, [":profile": profile, ":id": id]) != nil
  }

  private func areAllTracked(_ ids: [String], profile: String) throws(StoreError) -> Bool {
    for id in ids where try !isTracked(id, profile: profile) { return false }
    return true
  }

  /// Starts tracking connections. Returns the ids that were not tracked before.
  package func track(_ ids: [String], profile: String) throws(StoreError) -> [String] {
    // Usually, all are tracked already. Checking this first avoids the write lock, because a read does not wait for it.
    guard try !areAllTracked(ids, profile: profile) else { return [] }
    try checkCache()
    let change = try changeTracking(
      of: ids, profile: profile, "INSERT OR IGNORE INTO tracked (profile, id, tracked_at) VALUES (:profile, :id, :now)",
      [":now": world.clock.now()])
    try mirror(change, profile: profile, sql: .addPlaceholder)
    return change.ids
  }

  /// Stops tracking connections and deletes their cached data. Returns the ids that were tracked.
  package func untrack(_ ids: [String], profile: String) throws(StoreError) -> [String] {
    guard !ids.isEmpty, try openIfExists() != nil else { return [] }
    try checkCache()
    let change = try changeTracking(
      of: ids, profile: profile, "DELETE FROM tracked WHERE profile = :profile AND id = :id")
    try mirror(change, profile: profile, sql: .removeConnection)
    return change.ids
  }

  /// Returns the tracked connections that were last fetched before `moment`, or never. O(log n) if there are none.
  ///
  /// The result includes connections with a fetch time in the future. The clock was set back after their fetch, and
  /// without this rule they would stay fresh until the clock passes that time.
  package func tracked(fetchedBefore moment: Timestamp, profile: String) throws(StoreError) -> [String] {
    let now = world.clock.now()
    return try mirrored(profile) { cache, mirror throws(StoreError) in
      let (older, newer) = mirror.bounds(before: moment, now)
      return try cache.texts(
        """
        SELECT id FROM connection WHERE mirror = :mirror AND fetched_at < :older
        UNION ALL SELECT id FROM connection WHERE mirror = :mirror AND fetched_at > :newer
        """, [":mirror": mirror.number, ":older": older, ":newer": newer])
    } ?? []
  }

  /// Returns whether ``tracked(fetchedBefore:profile:)`` would return any connection.
  package func isAnyTracked(fetchedBefore moment: Timestamp, profile: String) throws(StoreError) -> Bool {
    let now = world.clock.now()
    return try mirrored(profile) { cache, mirror throws(StoreError) in
      let (older, newer) = mirror.bounds(before: moment, now)
      return try cache.integer(
        """
        SELECT EXISTS (SELECT 1 FROM connection WHERE mirror = :mirror AND fetched_at < :older)
          OR EXISTS (SELECT 1 FROM connection WHERE mirror = :mirror AND fetched_at > :newer)
        """, [":mirror": mirror.number, ":older": older, ":newer": newer]) == 1
    } ?? false
  }

  /// Returns the tracked connections, sorted by name and id.
  /// - Parameter statuses: The statuses to include, as last fetched. If empty, all connections are returned, including
  ///   those that were never fetched.
  package func tracked(withStatus statuses: [String], profile: String) throws(StoreError) -> [String] {
    let (condition, parameters) = Database.condition(on: statuses)
    return try mirrored(profile) { cache, mirror throws(StoreError) in
      try cache.texts(
        "SELECT id FROM connection WHERE mirror = :mirror AND \(condition) ORDER BY name, id",
        [":mirror": mirror.number] + parameters)
    } ?? []
  }

  /// Changes the set of tracked connections, and its generation if it was changed.
  /// - Parameter sql: A statement that inserts or deletes the row with `:profile` and `:id`.
  private func changeTracking(
    of ids: [String], profile: String, _ sql: String, _ parameters: SQLParameters = [:]
  ) throws(StoreError) -> TrackingChange {
    try write { database throws(StoreError) in
      try database.makeProfile(profile)
      var changed = TrackingChange()
      let statement = try database.prepare(sql)
      for id in ids {
        try statement.run(parameters + [":profile": profile, ":id": id])
        if database.changedRows > 0 { changed.ids.append(id) }
      }
      guard !changed.ids.isEmpty else { return changed }
      let before = try database.generation(of: profile)
      changed.generations = (before, nextGeneration(after: before))
      try database.run(
        "UPDATE profile SET generation = :generation WHERE name = :profile",
        [":generation": changed.generations.after, ":profile": profile])
      return changed
    }
  }

  /// Returns the next generation: a counter in the lower half and random bits in the upper half. Without the random
  /// bits, a recreated profile or a restored store could reach a generation that the cache has recorded for another
  /// set.
  private func nextGeneration(after before: Int64) -> Int64 {
    let random = world.random.bytes(4).reduce(Int64(0)) { $0 << 8 | Int64($1) } & 0x7fff_ffff
    return random << 32 | (before &+ 1) & 0xffff_ffff
  }
}

extension Database {
  /// Returns the generation of a profile's set of tracked connections; 0 if the set was never changed.
  func generation(of profile: String) throws(StoreError) -> Int64 {
    try integer("SELECT generation FROM profile WHERE name = :profile", [":profile": profile]) ?? 0
  }
}

extension Mirror {
  /// Returns the bounds of the fetch times in rows: a connection is stale if its time is less than `older`, or greater
  /// than `newer` and thus in the future.
  fileprivate func bounds(before moment: Timestamp, _ now: Timestamp) -> (older: Int64, newer: Int64) {
    let older = isFromTheFuture(at: now.milliseconds) ? .max : rowBound(for: moment.milliseconds)
    return (older, max(older, now.milliseconds))
  }
}

/// The id and name of a tracked connection.
package struct TrackedName: Sendable, Equatable {
  package let id: String
  /// The name; empty if the connection was never fetched.
  package let name: String
}

extension Store {
  /// Returns the tracked connections whose id starts with the word or whose name is the word, sorted by name and id.
  package func tracked(matching word: String, profile: String) throws(StoreError) -> [TrackedName] {
    guard !word.isEmpty else { return [] }
    // UNION searches two indexes; with OR, SQLite would read every row. The upper bound, which ends in the last code
    // point, sorts after all ids that start with the word.
    return try trackedNames(
      """
      AND id >= :word AND id <= :word || char(0x10ffff)
      UNION SELECT id, name FROM connection WHERE mirror = :mirror AND name = :word
      """, [":word": word], profile: profile)
  }

  /// Returns all tracked connections, sorted by name and id.
  package func trackedNames(profile: String) throws(StoreError) -> [TrackedName] {
    try trackedNames("", [:], profile: profile)
  }

  private func trackedNames(
    _ filter: String, _ parameters: SQLParameters, profile: String
  ) throws(StoreError) -> [TrackedName] {
    try mirrored(profile) { cache, mirror throws(StoreError) in
      let statement = try cache.prepare(
        "SELECT id, name FROM connection WHERE mirror = :mirror \(filter) ORDER BY name, id")
      try statement.bind([":mirror": mirror.number] + parameters)
      let (id, name) = (statement.column("id"), statement.column("name"))
      var names: [TrackedName] = []
      while try statement.step() { names.append(TrackedName(id: id.value(), name: name.value())) }
      return names
    } ?? []
  }
}

/// The record of pending connections, which were activated without the configuration screen and not configured since.
/// IFTTT does not report this state (docs/api/connect.md U4).
extension Store {
  /// Records a connection as pending. Has no effect if it is recorded already.
  package func markPending(_ id: String, profile: String) throws(StoreError) {
    try write { database throws(StoreError) in
      try database.makeProfile(profile)
      try database.run(
        "INSERT OR IGNORE INTO pending_connection (profile, id, since) VALUES (:profile, :id, :now)",
        [":profile": profile, ":id": id, ":now": world.clock.now()])
    }
  }

  /// Removes a connection from the record. Writes nothing if it is not recorded.
  package func clearPending(_ id: String, profile: String) throws(StoreError) {
    guard try isPending(id, profile: profile) else { return }
    try run("DELETE FROM pending_connection WHERE profile = :profile AND id = :id", [":profile": profile, ":id": id])
  }

  package func isPending(_ id: String, profile: String) throws(StoreError) -> Bool {
    let sql = "SELECT 1 FROM pending_connection WHERE profile = :profile AND id = :id"
    return try openIfExists()?.integer(sql, [":profile": profile, ":id": id]) != nil
  }

  /// Returns all pending connections.
  package func pending(profile: String) throws(StoreError) -> Set<String> {
    let sql = "SELECT id FROM pending_connection WHERE profile = :profile"
    return try Set(openIfExists()?.texts(sql, [":profile": profile]) ?? [])
  }
}
