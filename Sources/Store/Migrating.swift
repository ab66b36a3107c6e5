import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension DatabaseFile {
  /// Applies the migrations the file has not seen, each in a transaction of its own.
  ///
  /// Before the first, a file that may not be lost is copied beside itself while the write lock is held.
  /// - Parameter keepingCopy: false for a file that is a copy itself.
  func migrate(
    _ database: Database, from version: Int, _ world: World, keepingCopy: Bool = true
  ) throws(StoreError) {
    var mustBackUp = keepingCopy && !schema.isCache
    for index in schema.migrations.indices.dropFirst(version) {
      try database.write(in: world) { database throws(StoreError) in
        // Another process may have been first.
        guard try database.integer("PRAGMA user_version") == Int64(index) else { return }
        if mustBackUp { try backUp(version: index, world) }
        mustBackUp = false
        try database.execute(schema.migrations[index].sql)
        try database.execute("PRAGMA user_version = \(index + 1)")
      }
    }
  }

  /// The copy made before the schema left `version`.
  func backupPath(version: Int) -> String { "\(path).backup-v\(version)" }

  /// Copies through a connection of its own, since SQLite copies nothing out of the one that is writing.
  private func backUp(version: Int, _ world: World) throws(StoreError) {
    let temporary = temporaryName(for: path, world)
    do throws(StoreError) {
      try copy(to: temporary)
      let path = backupPath(version: version)
      guard rename(temporary, path) == 0 else { throw StoreError(system: errno, doing: "make", path: path) }
    } catch {
      unlink(temporary)
      throw error
    }
    PrivateFiles.synchroniseFolder(folder)
  }
}
