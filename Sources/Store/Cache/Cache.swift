import Text

// `cache.db` is disposable, so corruption is not an error: the file is moved aside and recreated.
extension Store {
  /// Runs `body` on the cache; returns nil if there is no cache.
  func readCache<Result>(_ body: (Database) throws(StoreError) -> Result) throws(StoreError) -> Result? {
    try healing { () throws(StoreError) -> Result? in
      guard let cache = try existingCache() else { return nil }
      return try body(cache)
    }
  }

  /// Opens the cache, if there is one, before a change of `ifttt.db` that the cache has to follow. A cache that cannot be
  /// used is then reported before anything is changed.
  package func checkCache() throws(StoreError) { _ = try readCache { _ in true } }

  /// Runs `body` in an immediate transaction on the cache, which is created if it does not exist.
  func writeCache<Result>(_ body: (Database) throws(StoreError) -> Result) throws(StoreError) -> Result {
    try healing { () throws(StoreError) in
      endCacheSnapshot()
      // The disk may have free space again.
      if cacheDatabase?.readOnlyReason != nil { cacheDatabase = nil }
      if try existingCache() == nil { try cacheFile.make(world) }
      guard let cache = try existingCache() else { throw cacheFile.vanished }
      if let reason = cache.readOnlyReason { throw reason }
      let result = try cache.write(in: world, body)
      CompletionList.remove(from: directories)
      return result
    }
  }

  /// Continues with an in-memory cache for this run if the disk is not writable. It starts with the content of the
  /// file, if that is readable, and `body` can change it.
  /// - Parameter reason: The reason the file could not be written.
  func changeCacheInMemory<Result>(
    because reason: StoreError, _ body: (Database) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    guard [.readOnly, .full, .unreadable].contains(reason.code) else { throw reason }
    let memory = try Database(inMemoryFor: cacheFile, because: reason)
    if let cache = try? existingCache() {
      try cache.copyContent(to: memory)
    } else {
      for migration in cacheFile.schema.migrations { try memory.execute(migration.sql) }
    }
    let result = try memory.write(in: world, body)
    cacheDatabase = memory
    return result
  }

  /// Deletes all cached data of a profile.
  func forgetCache(of profile: String) throws(StoreError) {
    guard try readCache({ _ in true }) != nil else { return }
    try writeCache { cache throws(StoreError) in
      try cache.run("DELETE FROM mirror WHERE profile = ?", .text(profile))
      try cache.run("DELETE FROM applet_list WHERE profile = ?", .text(profile))
      try cache.run("DELETE FROM field_options WHERE profile = ?", .text(profile))
      try cache.run("DELETE FROM provided_list WHERE profile = ?", .text(profile))
    }
  }

  private func existingCache() throws(StoreError) -> Database? {
    if let cacheDatabase { return cacheDatabase }
    cacheIdentity = try? Permissions.checkFile(cacheFile.path)
    cacheDatabase = try cacheFile.open(world, asSnapshot: readsCacheSnapshot)
    return cacheDatabase
  }

  /// Runs `body` again with a new file if the existing one is foreign or corrupt.
  private func healing<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    do throws(StoreError) { return try body() } catch {
      guard error.code == .damaged || error.code == .foreign else { throw error }
      cacheDatabase = nil
      try cacheFile.setAside(cacheIdentity, world)
      return try body()
    }
  }
}

extension DatabaseFile {
  /// The error for corruption found after part of a listing was already output, so that a retry would repeat that
  /// part.
  var brokenOff: StoreError {
    StoreError(
      code: .failed, message: "\(path) was damaged and is rebuilt, so this list is incomplete",
      hint: "Run the command again.")
  }
}
