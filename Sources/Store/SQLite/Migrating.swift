import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension DatabaseFile {
  /// Applies the missing migrations, each in its own transaction.
  ///
  /// Before the first migration, a file that must not be lost is copied next to itself while the write lock is held.
  /// - Parameter keepingCopy: false for a file that is itself a copy.
  func migrate(
    _ database: Database, from version: Int, _ world: World, keepingCopy: Bool = true
  ) throws(StoreError) {
    var mustBackUp = keepingCopy && !schema.isCache
    for index in schema.migrations.indices.dropFirst(version) {
      try database.write(in: world) { database throws(StoreError) in
        // Another process may have migrated the file first.
        guard try database.integer("PRAGMA user_version") == Int64(index) else { return }
        if mustBackUp { try backUp(version: index, world) }
        mustBackUp = false
        try database.execute(schema.migrations[index].sql)
        try database.execute("PRAGMA user_version = \(index + 1)")
      }
    }
  }

  /// Returns the path of the copy made before the migration from `version`.
  func backupPath(version: Int) -> String { "\(path).backup-v\(version)" }

  /// Copies the file through a separate connection, because SQLite cannot copy from a connection that is writing.
  private func backUp(version: Int, _ world: World) throws(StoreError) {
    TemporaryFile.removeAbandoned(beside: path)
    try TemporaryFile.use(for: path, world) { temporary throws(StoreError) in
      try copy(to: temporary)
      let path = backupPath(version: version)
      guard rename(temporary, path) == 0 else { throw StoreError(system: errno, doing: "create", path: path) }
    }
    PrivateFiles.synchronizeFolder(folder)
  }
}
