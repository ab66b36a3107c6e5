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
      .providedRows, .refreshTimes,
    ],
    pageSize: 16384, isCache: true)

  /// The pragmas to run once per connection, before its first write.
  var writePragmas: String {
    isCache
      ? "PRAGMA synchronous = OFF; PRAGMA mmap_size = 0; PRAGMA cache_size = -8000; PRAGMA temp_store = MEMORY"
      : "PRAGMA synchronous = FULL; PRAGMA secure_delete = ON"
  }
}
