import World

/// The SQL that adds or removes one tracked connection in the cache.
enum CacheSyncChange: String {
  case addPlaceholder = """
    INSERT OR IGNORE INTO connection (mirror, name, id, status, fetched_at) VALUES (:mirror, '', :id, 'unknown', 0)
    """
  case removeConnection = "DELETE FROM connection WHERE mirror = :mirror AND id = :id"
}

/// The state of a profile's mirror, compared with the set of tracked connections.
private enum CacheSyncState<Result> {
  /// The profile has never tracked a connection.
  case absent
  case stale
  /// The mirror agrees with the set; the result of reading it.
  case current(Result)
}

// The cache has a row for each connection that `ifttt.db` tracks, and records which generation of that set it
// mirrors. The two can differ if the cache was deleted or a process died between writing the two files. The cache is
// then reconciled.
extension Store {
  /// Runs `body` on the cache with the profile's mirror, after reconciling the mirror with `ifttt.db`.
  /// - Returns: nil if the profile has never tracked a connection.
  func mirrored<Result>(
    _ profile: String, _ body: (Database, Mirror) throws(StoreError) -> Result
  ) throws(StoreError) -> Result? {
    switch try agreement(profile, body) {
    case .current(let result): return result
    case .absent: return nil
    case .stale: break
    }
    // Another process may have changed both files since the snapshot of one of them.
    if isReadingSnapshot {
      endSnapshots()
      if case .current(let result) = try agreement(profile, body) { return result }
    }
    let mirror: Mirror
    do throws(StoreError) {
      mirror = try writeCache { cache throws(StoreError) in try reconcile(profile, in: cache) }
    } catch {
      // Reading does not require a writable file.
      mirror = try changeCacheInMemory(because: error) { cache throws(StoreError) in try reconcile(profile, in: cache) }
    }
    return try readCache { cache throws(StoreError) in try body(cache, mirror) }
  }

  private func agreement<Result>(
    _ profile: String, _ body: (Database, Mirror) throws(StoreError) -> Result
  ) throws(StoreError) -> CacheSyncState<Result> {
    let generation = try openIfExists()?.generation(of: profile) ?? 0
    let state = try readCache { cache throws(StoreError) -> CacheSyncState<Result> in
      guard let mirror = try cache.mirror(of: profile) else { return .absent }
      return mirror.generation == generation ? .current(try body(cache, mirror)) : .stale
    }
    // A profile with tracked connections that the cache does not have yet.
    if case .absent = state ?? .absent, generation > 0 { return .stale }
    return state ?? .absent
  }

  private var isReadingSnapshot: Bool { database?.isSnapshot == true || cacheDatabase?.isSnapshot == true }

  /// Applies a change to the cache. If it cannot be written, the next command reconciles it with `ifttt.db`.
  func mirror(_ change: TrackingChange, profile: String, sql: CacheSyncChange) throws(StoreError) {
    guard !change.ids.isEmpty else { return }
    do throws(StoreError) { try apply(change, profile: profile, sql: sql) } catch {
      guard [.full, .readOnly, .unreadable].contains(error.code) else { throw error }
    }
  }

  private func apply(_ change: TrackingChange, profile: String, sql: CacheSyncChange) throws(StoreError) {
    try writeCache { cache throws(StoreError) in
      guard let mirror = try cache.mirror(of: profile), mirror.generation == change.generations.before else {
        _ = try reconcile(profile, in: cache)
        return
      }
      let statement = try cache.prepare(sql.rawValue)
      for id in change.ids { try statement.run([":mirror": mirror.number, ":id": id]) }
      try cache.setGeneration(change.generations.after, ofMirror: mirror.number)
    }
  }

  /// Makes the cached rows match the tracked connections. Runs within a write to the cache.
  /// - Returns: The profile's mirror.
  func reconcile(_ profile: String, in cache: Database) throws(StoreError) -> Mirror {
    let (generation, ids) = try trackedSnapshot(of: profile)
    try cache.run(
      "INSERT OR IGNORE INTO mirror (profile, generation) VALUES (:profile, :generation)",
      [":profile": profile, ":generation": generation])
    guard let mirror = try cache.mirror(of: profile) else { throw cacheFile.vanished }
    var missing = Set(ids)
    let present = try cache.texts("SELECT id FROM connection WHERE mirror = :mirror", [":mirror": mirror.number])
    let untracked = present.filter { missing.remove($0) == nil }
    let add = try cache.prepare(CacheSyncChange.addPlaceholder.rawValue)
    for id in ids where missing.contains(id) { try add.run([":mirror": mirror.number, ":id": id]) }
    let remove = try cache.prepare(CacheSyncChange.removeConnection.rawValue)
    for id in untracked { try remove.run([":mirror": mirror.number, ":id": id]) }
    try cache.setGeneration(generation, ofMirror: mirror.number)
    return mirror
  }

  /// Returns a consistent snapshot of the tracked set and its generation.
  private func trackedSnapshot(of profile: String) throws(StoreError) -> (generation: Int64, ids: [String]) {
    guard let database = try openIfExists() else { return (0, []) }
    let statement = try database.prepare(
      """
      SELECT generation, id FROM profile LEFT JOIN tracked ON tracked.profile = profile.name
      WHERE name = :profile ORDER BY id
      """)
    try statement.bind([":profile": profile])
    let (generation, id) = (statement.column("generation"), statement.column("id"))
    var snapshot: (generation: Int64, ids: [String]) = (0, [])
    while try statement.step() {
      snapshot.generation = generation.value()
      if !id.isNull { snapshot.ids.append(id.value()) }
    }
    return snapshot
  }
}

/// The cache's record about all connections of a profile together.
struct Mirror {
  let number: Int64
  /// The generation of the set of tracked connections that the cache agrees with.
  let generation: Int64
  /// The time of the last refresh that left no connection with an older fetch, in milliseconds; 0 if there was none.
  fileprivate(set) var refreshedAt: Int64

  /// Returns the time when a connection was last fetched, in milliseconds, given the time in its row.
  ///
  /// A refresh that finds everything unchanged records its time once, for all connections, because writing it to each
  /// row would take longer than comparing the responses. The values 0 and 1 in a row stand for "never fetched" and
  /// "changed since", which no refresh of others makes fresh.
  func fetchTime(ofRow time: Int64) -> Int64 { time > 1 ? max(time, refreshedAt) : time }

  /// Returns the bound for which `row < bound` is the same as `fetchTime(ofRow: row) < moment`.
  func rowBound(for moment: Int64) -> Int64 { refreshedAt < moment ? moment : min(moment, 2) }

  /// Whether the last refresh is in the future: the clock has been set back since.
  func isFromTheFuture(at now: Int64) -> Bool { refreshedAt > now }
}

extension Database {
  func mirror(of profile: String) throws(StoreError) -> Mirror? {
    try first(
      "SELECT number, generation, refreshed_at FROM mirror WHERE profile = :profile", [":profile": profile]
    ) { Mirror(number: $0["number"], generation: $0["generation"], refreshedAt: $0["refreshed_at"]) }
  }

  /// Returns the profile's mirror, to write to it. A refresh in the future is forgotten: the clock has been set back since.
  func mirror(of profile: String, at now: Timestamp) throws(StoreError) -> Mirror? {
    guard var mirror = try mirror(of: profile) else { return nil }
    if mirror.isFromTheFuture(at: now.milliseconds) { try setRefresh(0, of: &mirror) }
    return mirror
  }

  /// - Parameter time: The time of the refresh in milliseconds; 0 to forget it.
  func setRefresh(_ time: Int64, of mirror: inout Mirror) throws(StoreError) {
    try run(
      "UPDATE mirror SET refreshed_at = :time WHERE number = :mirror", [":time": time, ":mirror": mirror.number])
    mirror.refreshedAt = time
  }

  func setGeneration(_ generation: Int64, ofMirror number: Int64) throws(StoreError) {
    try run(
      "UPDATE mirror SET generation = :generation WHERE number = :mirror",
      [":generation": generation, ":mirror": number])
  }
}
