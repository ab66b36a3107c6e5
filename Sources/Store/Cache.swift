import Hints

// `cache.db` may be lost at any time, so damage to it is no error: the file is moved aside and made anew.
extension Store {
  /// Runs `body` on the cache; nil where there is none.
  func readCache<Result>(_ body: (Database) throws(StoreError) -> Result) throws(StoreError) -> Result? {
    try healing { () throws(StoreError) -> Result? in
      guard let cache = try existingCache() else { return nil }
      return try body(cache)
    }
  }

  /// One immediate transaction on the cache, which is made where there is none.
  func writeCache<Result>(_ body: (Database) throws(StoreError) -> Result) throws(StoreError) -> Result {
    try healing { () throws(StoreError) in
      // There may be room by now.
      if cacheDatabase?.readOnlyReason != nil { cacheDatabase = nil }
      if try existingCache() == nil { try cacheFile.make(world) }
      guard let cache = try existingCache() else { throw cacheFile.vanished }
      if let reason = cache.readOnlyReason { throw reason }
      return try cache.write(in: world, body)
    }
  }

  /// Goes on with a cache in memory, for this run alone, if the disk is not writable: it holds what the file holds, if
  /// that can be read, and `body` can change it.
  /// - Parameter reason: why the file could not be written.
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

  /// Forgets all that was cached for a profile.
  func forgetCache(of profile: String) throws(StoreError) {
    guard try readCache({ _ in true }) != nil else { return }
    try writeCache { cache throws(StoreError) in
      try cache.run("DELETE FROM mirror WHERE profile = ?", .text(profile))
      try cache.run("DELETE FROM applet_list WHERE profile = ?", .text(profile))
      try cache.run("DELETE FROM field_options WHERE profile = ?", .text(profile))
      try cache.run("DELETE FROM provider_list WHERE profile = ?", .text(profile))
    }
  }

  private func existingCache() throws(StoreError) -> Database? {
    if let cacheDatabase { return cacheDatabase }
    cacheIdentity = try? Permissions.checkFile(cacheFile.path)
    cacheDatabase = try cacheFile.open(world)
    return cacheDatabase
  }

  /// Tries once more with a new file where the one there is not ours or not sound.
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
  /// Damage that showed when part of a listing had been given out, so that beginning again would repeat that part.
  var brokenOff: StoreError {
    StoreError(
      code: .failed, message: "\(path) was damaged, and the listing broke off; the file is rebuilt",
      hint: "run the command again")
  }
}
