import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The result of `store restore`.
package struct RestoreFacts: Sendable, Equatable {
  package var path: String
  package var source: String
  /// The new path of the previous store; nil if there was none.
  package var previousPath: String?
  package var schemaVersion: Int
  package var profiles: Int
  package var tracked: Int
  package var credentials: Int
  /// The number of credentials that can be decrypted with the available key.
  package var opened: Int
  package var keyID: String?
  package var keySource: String
  /// The reason the others cannot be decrypted; nil if all can.
  package var finding: String?
}

/// A checked backup that is ready to be restored.
package struct RestorePlan {
  let backup: BackupFile
  let key: DataKey?
  /// Whether the store's folder was created for the check.
  let hasMadeFolder: Bool
  package let facts: RestoreFacts
}

extension Store {
  /// Checks a backup and determines the result of restoring it, without changing the store.
  ///
  /// Complete a plan with ``restore(_:)`` or ``abandon(_:)``.
  /// - Parameter keyPath: A file with the backup's key, if the store does not have it.
  /// - Throws: ``StoreError`` if it is not an intact backup of this program, or if the key file contains a different
  ///   key.
  package func planRestore(of source: String, keyPath: String? = nil) throws(StoreError) -> RestorePlan {
    let hasMadeFolder = !PrivateFiles.exists(directories.data)
    try PrivateFiles.makeFolder(directories.data)
    do throws(StoreError) {
      return try checkedPlan(of: world.path(source), keyPath: keyPath, hasMadeFolder: hasMadeFolder)
    } catch {
      if hasMadeFolder { rmdir(directories.data) }
      throw error
    }
  }

  private func checkedPlan(
    of source: String, keyPath: String?, hasMadeFolder: Bool
  ) throws(StoreError) -> RestorePlan {
    _ = try Permissions.checkFolder(directories.data)
    let backup = try BackupFile(source, for: file, world)
    do throws(StoreError) {
      let database = try backup.open()
      let key = try keyPath.map { path throws(StoreError) in try keyLoading.keyFile(path, named: "--key-file") }
      if let key, let needed = try keyRecord(in: database)?.id, key.id != needed {
        throw .wrongKey(needed: needed, found: key.id, in: "file \(keyPath ?? "")")
      }
      // Consent was given on this machine, not on the backup's. An anonymous id must never be copied.
      try database.prepareToWrite()
      try database.forgetUsageChoice()
      // Trust is also given per machine: a file from another source must not determine which programs are run.
      for table in PluginRecords.tables { try database.execute("DELETE FROM \(table)") }
      return RestorePlan(
        backup: backup, key: key, hasMadeFolder: hasMadeFolder, facts: try facts(of: backup, in: database, key))
    } catch {
      backup.discard()
      throw error
    }
  }

  package func abandon(_ plan: RestorePlan) {
    plan.backup.discard()
    // rmdir(2) keeps the folder if it is no longer empty.
    if plan.hasMadeFolder { rmdir(directories.data) }
  }

  /// Restores the backup completely or not at all, even while other processes have the store open.
  ///
  /// An intact store is replaced from within, in a single transaction. An unusable one is renamed, and the backup
  /// gets its name. In either case, the previous store stays next to it.
  package func restore(_ plan: RestorePlan) throws(StoreError) -> RestoreFacts {
    defer { abandon(plan) }
    var facts = plan.facts
    if let key = plan.key, !PrivateFiles.exists(keyLoading.rekeyedFile(key.id)) {
      try makeKeyFile(key, at: keyLoading.rekeyedFile(key.id))
    }
    if let database = try usableStore() {
      facts.previousPath = try replaceContent(of: database, by: plan)
    } else {
      database = nil
      if let key = plan.key { try recordOwnKeyFile(of: key, in: plan.backup.open()) }
      rekeyIntent.clear()
      facts.previousPath = try file.replace(by: plan.backup, copyingTo: previousPath)
    }
    if let record = try openIfExists().flatMap({ database throws(StoreError) in try keyRecord(in: database) }) {
      facts.keySource = describe(record)
    }
    return facts
  }

  /// Returns the store's database; nil if there is no store or it is unusable.
  private func usableStore() throws(StoreError) -> Database? {
    do throws(StoreError) {
      guard let database = try openIfExists() else { return nil }
      try database.checkSoundness()
      return database
    } catch {
      switch error.code {
      case .damaged, .foreign, .newer: return nil
      default: throw error
      }
    }
  }

  /// Returns an unused name. Hold the lock under which the file is created.
  private func previousPath() -> String {
    let stem = "\(file.path).before-restore-\(world.clock.now().rfc3339.filter { $0 != ":" && $0 != "-" })"
    // The name is in use after two restores in one second, or after the clock was set back.
    var path = stem
    var number = 2
    while PrivateFiles.exists(path) {
      path = "\(stem)-\(number)"
      number += 1
    }
    return path
  }

  /// - Returns: The path of the copy of the previous store.
  private func replaceContent(of database: Database, by plan: RestorePlan) throws(StoreError) -> String {
    try database.run("ATTACH DATABASE :path AS restored", [":path": plan.backup.copy])
    defer { try? database.execute("DETACH DATABASE restored") }
    let tables = try database.texts(
      "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
    var copyPath: String?
    do throws(StoreError) {
      let path = try database.write(in: world) { database throws(StoreError) in
        let path = previousPath()
        try file.copy(to: path)
        copyPath = path
        let before = try keyRecord(in: database)
        // Keys left by a killed rekey may be needed for the backup or the copy.
        rekeyIntent.clear()
        try database.execute("PRAGMA defer_foreign_keys = ON")
        // Trust in plugins stays as it is on this machine.
        for table in tables where !PluginRecords.tables.contains(table) {
          try database.execute("DELETE FROM main.\"\(table)\"")
        }
        for table in tables {
          // The condition disables SQLite's page-wise copy, which does not count references as satisfied.
          try database.execute("INSERT INTO main.\"\(table)\" SELECT * FROM restored.\"\(table)\" WHERE true")
        }
        if let key = plan.key {
          try recordOwnKeyFile(of: key, in: database)
        } else if let before, try keyRecord(in: database)?.id == before.id {
          // It is the same key, but the store has its current location.
          try database.run(
            "UPDATE main.data_key SET source = :source, salt = :salt",
            [":source": before.source.rawValue, ":salt": before.salt])
        }
        return path
      }
      PrivateFiles.synchronizeFolder(directories.data)
      return path
    } catch {
      if let copyPath { unlink(copyPath) }
      throw error
    }
  }

  /// Records that the key is in the store's own key file.
  private func recordOwnKeyFile(of key: DataKey, in database: Database) throws(StoreError) {
    try database.run(
      "UPDATE main.data_key SET source = :source, salt = x'' WHERE id = :id",
      [":source": KeySource.file.rawValue, ":id": key.id])
  }

  private func facts(
    of backup: BackupFile, in database: Database, _ key: DataKey?
  ) throws(StoreError) -> RestoreFacts {
    var counts = StoreFacts(of: file, cacheFile)
    try count(&counts, in: database)
    var facts = RestoreFacts(
      path: file.path, source: backup.source, previousPath: nil, schemaVersion: file.schema.migrations.count,
      profiles: counts.profiles, tracked: counts.tracked, credentials: counts.credentials, opened: 0,
      keyID: counts.keyID, keySource: counts.keySource)
    if let key { dataKey = key }
    for result in try decryptedRows(in: database) {
      do throws(StoreError) {
        _ = try result.get()
        facts.opened += 1
      } catch {
        if error == .interrupted { throw error }
        facts.finding = facts.finding ?? error.message
      }
    }
    return facts
  }

  /// Whether the store's file exists, even if it is corrupt.
  package var exists: Bool { PrivateFiles.exists(file.path) }
}
