/// A change to a schema that was shipped and so never changes again.
package struct Migration: Sendable {
  package let name: String
  package let sql: String
  package init(name: String, sql: String) { (self.name, self.sql) = (name, sql) }
}

/// What a database file is for, how durable it is and what is in it.
package struct Schema: Sendable {
  package let fileName: String
  /// Stands in the file's header, so that no other program's file is taken for ours.
  package let applicationID: Int32
  /// `user_version` counts how many of them a file has seen.
  package let migrations: [Migration]
  package let pageSize: Int
  /// Whether losing the file loses anything.
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
    ],
    pageSize: 4096, isCache: false
  )

  /// Pages of 16 KiB hold documents of up to 4 KiB without overflow pages, which would be read one by one.
  package static let cache = Schema(
    fileName: "cache.db", applicationID: 0x4946_5443,
    migrations: [.cacheBeginnings, .cacheOptions, .usageEvents, .providedConnections], pageSize: 16384, isCache: true)

  /// Run once on a connection, before its first write.
  var writePragmas: String {
    isCache
      ? "PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16000; PRAGMA temp_store = MEMORY"
      : "PRAGMA synchronous = FULL; PRAGMA secure_delete = ON"
  }
}
