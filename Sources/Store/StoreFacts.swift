import CSQLite
import World

/// The content of `store info`.
package struct StoreFacts: Sendable, Equatable {
  package var path: String
  package var cachePath: String
  package var exists: Bool
  package var schemaVersion: Int
  package var sqliteVersion: String
  /// The journal mode, `wal` or `delete`; empty if there is no store.
  package var journalMode: String
  package var sizeInBytes: Int
  package var cacheSizeInBytes: Int
  /// The kind and location of the key source: `key file`, `key command`, `keychain`, `secret service` or
  /// `passphrase`; `none yet` before the first credential.
  package var keySource: String
  /// The id of the key that encrypts the credentials; nil before the first.
  package var keyID: String?
  package var profiles: Int
  package var credentials: Int
  package var tracked: Int
  package var cached: Int
}

extension StoreFacts {
  /// Creates the facts that are known without opening either file.
  init(of file: DatabaseFile, _ cacheFile: DatabaseFile) {
    self.init(
      path: file.path, cachePath: cacheFile.path, exists: false, schemaVersion: 0,
      sqliteVersion: Store.sqliteVersion, journalMode: "",
      sizeInBytes: PrivateFiles.size(file.path), cacheSizeInBytes: PrivateFiles.size(cacheFile.path),
      keySource: "none yet", keyID: nil, profiles: 0, credentials: 0, tracked: 0, cached: 0)
  }
}

extension Store {
  /// The version of the SQLite library in use, such as `3.40.1`.
  package static var sqliteVersion: String { String(cString: sqlite3_libversion()) }

  /// Returns the facts. Creates, migrates and repairs nothing.
  package func facts() throws(StoreError) -> StoreFacts {
    var facts = StoreFacts(of: file, cacheFile)
    if let (database, version) = try file.openWithoutMigrating() {
      facts.exists = true
      facts.schemaVersion = version
      facts.journalMode = try database.journalMode()
      if version > 0 { try count(&facts, in: database) }
    }
    if let (cache, _) = try? cacheFile.openWithoutMigrating() {
      let sql = "SELECT count(*) FROM connection WHERE document IS NOT NULL"
      facts.cached = (try? cache.integer(sql)).flatMap { $0 }.map { Int($0) } ?? 0
    }
    return facts
  }

  func count(_ facts: inout StoreFacts, in database: Database) throws(StoreError) {
    facts.profiles = try Int(database.integer("SELECT count(*) FROM profile") ?? 0)
    facts.credentials = try Int(database.integer("SELECT count(*) FROM credential") ?? 0)
    facts.tracked = try Int(database.integer("SELECT count(*) FROM tracked") ?? 0)
    if let record = try keyRecord(in: database) {
      facts.keySource = describe(record)
      facts.keyID = record.id
    }
  }

  func describe(_ record: KeyRecord) -> String {
    let location =
      switch record.source {
      case .file: keyLoading.ownFile(of: record.id)
      case .namedFile: recordedFile(record) ?? setting(record.source)
      case .passphrase: isSet(record.source) ? setting(record.source) : "entered at a prompt"
      // The arguments of a command may contain a secret.
      case .command: isSet(record.source) ? record.source.variable?.name ?? "" : "recorded by store rekey"
      case .keychain, .secretService: "key \(record.id)"
      }
    return "\(record.source.label) (\(location))"
  }

  func isSet(_ source: KeySource) -> Bool {
    source.variable.flatMap { world.environment[$0] }?.isEmpty == false
  }

  private func setting(_ source: KeySource) -> String {
    source.variable.map { "\($0)=\(world.environment[$0] ?? "")" } ?? ""
  }

  private func recordedFile(_ record: KeyRecord) -> String? {
    guard !isSet(record.source), case .file(let path)? = try? keyLoading.locations.location(of: record.id) else {
      return nil
    }
    return path
  }
}
