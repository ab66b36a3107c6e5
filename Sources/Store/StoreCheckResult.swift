import CSQLite
package import Text
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// One result of `store check`.
package struct StoreCheckResult: Sendable, Equatable {
  /// The subject of the check: `permissions`, `store`, `cache` or `credentials`.
  package var check: String
  package var passed: Bool
  package var detail: String
}

extension Store {
  /// Checks the integrity of both files, the permissions, and whether every credential can be decrypted. Creates,
  /// migrates and repairs nothing.
  package func check() throws(StoreError) -> [StoreCheckResult] {
    var results = [checkPermissions()]
    for (name, file) in [("store", file), ("cache", cacheFile)] { results.append(integrity(of: file, as: name)) }
    results += checkCredentials()
    return results
  }

  private func checkPermissions() -> StoreCheckResult {
    result(of: "permissions") { () throws(StoreError) in
      for folder in Set([directories.data, directories.state]).sorted() { _ = try Permissions.checkFolder(folder) }
      let paths = [file.path, cacheFile.path] + file.companions + cacheFile.companions + keyFiles
      var count = 0
      for path in paths where try Permissions.checkFile(path) != nil { count += 1 }
      return "\(count) files, accessible only to you"
    }
  }

  /// The key files, including those of earlier keys, which a restored store may need.
  var keyFiles: [String] {
    PrivateFiles.names(in: directories.state).filter { $0.hasPrefix("store") && $0.hasSuffix(".key") }.sorted()
      .map { "\(directories.state)/\($0)" }
  }

  private func integrity(of file: DatabaseFile, as name: String) -> StoreCheckResult {
    result(of: name) { () throws(StoreError) in
      guard let (database, version) = try file.openWithoutMigrating() else { return "\(file.path) does not exist yet" }
      try database.checkSoundness()
      return "\(file.path) is intact (schema \(version))"
    }
  }

  /// Returns one result per credential that cannot be decrypted, or a summary if all can. If the credentials cannot be
  /// read to the end, the summary reports that.
  private func checkCredentials() -> [StoreCheckResult] {
    var decrypted = 0
    var failures: [StoreCheckResult] = []
    let summary = result(of: "credentials") { () throws(StoreError) in
      guard let (database, version) = try file.openWithoutMigrating(), version > 0 else { return "none" }
      for row in try decryptedRows(in: database) {
        do throws(StoreError) {
          _ = try row.get()
          decrypted += 1
        } catch { failures.append(StoreCheckResult(check: "credentials", passed: false, detail: error.inFull)) }
      }
      return "\(decrypted) decrypted"
    }
    return failures.isEmpty || !summary.passed ? failures + [summary] : failures
  }

  private func result(of check: String, _ body: () throws(StoreError) -> String) -> StoreCheckResult {
    do throws(StoreError) { return StoreCheckResult(check: check, passed: true, detail: try body()) } catch {
      return StoreCheckResult(check: check, passed: false, detail: error.inFull)
    }
  }
}

extension StoreError {
  fileprivate var inFull: String { "\(message); \(hint)" }
}

extension Store {
  /// A folder or file of the store that other users can access, and the mode that protects it.
  package struct LoosePermission: Sendable, Equatable {
    package var path: String
    package var mode: UInt32
    /// The equivalent shell command.
    package var command: SuggestedCommand { SuggestedCommand(shell: "chmod \(String(mode, radix: 8)) \(path: path)") }
  }

  /// The permissions that can be fixed automatically. Files of other users and links are left to the user.
  package var loosePermissions: [LoosePermission] {
    let folders = Set([directories.data, directories.state]).sorted().map { ($0, S_IFDIR, UInt32(0o700)) }
    let files = [file.path, cacheFile.path] + file.companions + cacheFile.companions + keyFiles
    return (folders + files.map { ($0, S_IFREG, UInt32(0o600)) }).compactMap { path, kind, mode in
      var facts = stat()
      guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == kind, facts.st_uid == geteuid(),
        facts.st_mode & 0o077 != 0
      else { return nil }
      return LoosePermission(path: path, mode: mode)
    }
  }

  /// Removes the access of other users.
  package func tighten(_ loose: LoosePermission) throws(StoreError) {
    guard chmod(loose.path, mode_t(loose.mode)) == 0 else {
      throw StoreError(system: errno, doing: "change the mode of", path: loose.path)
    }
  }

  /// Moves the cache aside and creates an empty one, which the next commands fill.
  package func rebuildCache() throws(StoreError) {
    cacheDatabase = nil
    try cacheFile.setAside(try Permissions.checkFile(cacheFile.path), world)
    try writeCache { _ in }
  }
}

// Files that killed processes left behind beside the files of the store.
extension Store {
  /// The temporary files and the locks of batches that no process uses.
  package var abandonedFiles: [String] { abandonedFiles(removing: false) }

  /// Removes the abandoned files.
  /// - Returns: The removed files.
  @discardableResult
  package func removeAbandonedFiles() -> [String] { abandonedFiles(removing: true) }

  private func abandonedFiles(removing: Bool) -> [String] {
    let databases = [file.schema.fileName, cacheFile.schema.fileName]
    return TemporaryFile.abandoned(in: directories.data, for: { databases.contains($0) }, removing: removing)
      + TemporaryFile.abandoned(in: directories.state, for: Self.isKeyFile, removing: removing)
      + abandonedLocks(removing: removing)
  }

  /// Whether a file in the state folder contains a key or the locations of keys.
  private static func isKeyFile(_ name: String) -> Bool {
    name.hasPrefix("store") && (name.hasSuffix(".key") || name.hasSuffix(".json"))
  }

  /// The locks of batches that ended without removing them.
  private func abandonedLocks(removing: Bool) -> [String] {
    PrivateFiles.names(in: directories.data).filter { $0.hasPrefix("run-") && $0.hasSuffix(".lock") }.sorted()
      .map { "\(directories.data)/\($0)" }
      .filter { path in
        guard let lock = PrivateFiles.tryLock(path) else { return false }
        defer { close(lock) }
        // A process that opened the file in the meantime detects that it no longer has a name.
        if removing { unlink(path) }
        return true
      }
  }
}

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

  /// Sets the counts and the key.
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
