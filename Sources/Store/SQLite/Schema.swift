import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A schema change. It never changes after its release.
package struct Migration: Sendable {
  package let name: String
  package let sql: String
  package init(name: String, sql: String) { (self.name, self.sql) = (name, sql) }
}

/// The schema of a database file: its purpose, durability and tables.
package struct Schema: Sendable {
  package let fileName: String
  /// The application id in the file's header, which distinguishes it from files of other programs.
  package let applicationID: Int32
  /// The migrations. `user_version` is the number of those applied to a file.
  package let migrations: [Migration]
  package let pageSize: Int
  /// Whether the file can be lost without losing data.
  package let isCache: Bool

  package init(fileName: String, applicationID: Int32, migrations: [Migration], pageSize: Int, isCache: Bool) {
    self.fileName = fileName
    self.applicationID = applicationID
    self.migrations = migrations
    self.pageSize = pageSize
    self.isCache = isCache
  }

  package static let store = Schema(
    fileName: "ifttt.db", applicationID: 0x4946_5454,
    migrations: [
      .storeBeginnings, .changeJournal, .pendingConnections, .trustedPlugins, .locationEvents, .locationEventOwners,
      .webhooks, .webhookCommands, .usersJournal, .pluginPermissions, .pluginOrigins,
      .pluginChanges, .oneJournal,
    ],
    pageSize: 4096, isCache: false
  )

  /// With pages of 16 KiB, documents of up to 4 KiB need no overflow pages, which would be read one by one.
  package static let cache = Schema(
    fileName: "cache.db", applicationID: 0x4946_5443,
    migrations: [
      .cacheBeginnings, .cacheOptions, .usageEvents, .providedConnections, .compressedResponses, .stateDigests,
      .providedRows, .refreshTimes, .listColumns,
    ],
    pageSize: 16384, isCache: true)

  /// The pragmas to run once per connection, before its first write.
  var writePragmas: String {
    isCache
      ? "PRAGMA synchronous = OFF; PRAGMA mmap_size = 0; PRAGMA cache_size = -8000; PRAGMA temp_store = MEMORY"
      : "PRAGMA synchronous = FULL; PRAGMA secure_delete = ON"
  }
}

extension DatabaseFile {
  /// Applies the missing migrations, each in its own transaction.
  ///
  /// Before the first migration, a file that must not be lost is copied next to itself while the write lock is held.
  /// - Parameter backingUp: false for a file that is itself a copy.
  func migrate(
    _ database: Database, from version: Int, _ world: World, backingUp: Bool = true
  ) throws(StoreError) {
    var mustBackUp = backingUp && !schema.isCache
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
