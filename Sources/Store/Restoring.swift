import Time
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What `store restore` did.
package struct RestoreFacts: Sendable, Equatable {
  package var path: String
  package var source: String
  /// Where the store that was there is now; nil where there was none.
  package var keptPath: String?
  package var schemaVersion: Int
  package var profiles: Int
  package var tracked: Int
  package var credentials: Int
  /// How many of them open with the key that is at hand.
  package var opened: Int
  package var keyID: String?
  package var keySource: String
  /// Why the others do not open; nil where all do.
  package var finding: String?
}

/// A backup that was checked and can take the store's place.
package struct RestorePlan {
  let backup: BackupFile
  let key: DataKey?
  /// Whether the store's folder was made for the check.
  let hasMadeFolder: Bool
  package let facts: RestoreFacts
}

extension Store {
  /// Checks a backup and finds out what restoring it would bring back. The store is not touched.
  ///
  /// Whoever gets a plan ends it with ``restore(_:)`` or ``abandon(_:)``.
  /// - Parameter keyPath: a file with the key the backup is sealed with, where the store does not have it.
  /// - Throws: ``StoreError`` where it is no sound backup of this program, or the key file gives another key than it
  ///   wants.
  package func planRestore(of source: String, keyPath: String? = nil) throws(StoreError) -> RestorePlan {
    let hasMadeFolder = !PrivateFiles.exists(places.data)
    try PrivateFiles.makeFolder(places.data)
    do throws(StoreError) {
      return try checkedPlan(of: world.path(source), keyPath: keyPath, hasMadeFolder: hasMadeFolder)
    } catch {
      if hasMadeFolder { rmdir(places.data) }
      throw error
    }
  }

  private func checkedPlan(
    of source: String, keyPath: String?, hasMadeFolder: Bool
  ) throws(StoreError) -> RestorePlan {
    _ = try Permissions.checkFolder(places.data)
    let backup = try BackupFile(source, for: file, world)
    do throws(StoreError) {
      let database = try backup.open()
      let key = try keyPath.map { path throws(StoreError) in try keyLoading.keyFile(path, named: "--key-file") }
      if let key, let wanted = try keyRecord(in: database)?.id, key.id != wanted {
        throw .wrongKey(needed: wanted, found: key.id, in: "file \(keyPath ?? "")")
      }
      // Whoever said yes said it here and not where the backup comes from, and of an anonymous id there is never a copy.
      try database.prepareToWrite()
      try database.forgetUsageChoice()
      // Trust is given on one machine too: a file from elsewhere must not name programs that are then run.
      try database.execute("DELETE FROM plugin")
      return RestorePlan(
        backup: backup, key: key, hasMadeFolder: hasMadeFolder, facts: try facts(of: backup, in: database, key))
    } catch {
      backup.discard()
      throw error
    }
  }

  package func abandon(_ plan: RestorePlan) {
    plan.backup.discard()
    // A folder that holds something by now stays.
    if plan.hasMadeFolder { rmdir(places.data) }
  }

  /// Puts the backup in the store's place: all of it or nothing, whatever other processes have open.
  ///
  /// A store that is sound is changed from within, in one transaction that other processes see as any other. One that
  /// cannot be used is renamed, and the backup gets its name. Either way what was there stays beside it.
  package func restore(_ plan: RestorePlan) throws(StoreError) -> RestoreFacts {
    defer { abandon(plan) }
    var facts = plan.facts
    if let key = plan.key, !PrivateFiles.exists(keyLoading.rekeyedFile(key.id)) {
      try makeKeyFile(key, at: keyLoading.rekeyedFile(key.id))
    }
    if let database = try usableStore() {
      facts.keptPath = try replaceContent(of: database, by: plan)
    } else {
      database = nil
      if let key = plan.key { try takeOver(key, in: plan.backup.open()) }
      rekeyIntent.clear()
      facts.keptPath = try file.replace(by: plan.backup, keeping: keptPath)
    }
    if let record = try existing().flatMap({ database throws(StoreError) in try keyRecord(in: database) }) {
      facts.keySource = describe(record)
    }
    return facts
  }

  /// Nil where there is no store, or one that nothing can be written to.
  private func usableStore() throws(StoreError) -> Database? {
    do throws(StoreError) {
      guard let database = try existing() else { return nil }
      try database.checkSoundness()
      return database
    } catch {
      switch error.code {
      case .damaged, .foreign, .newer: return nil
      default: throw error
      }
    }
  }

  /// A name that is free. Asked for under the lock that the file is made under.
  private func keptPath() -> String {
    let stem = "\(file.path).before-restore-\(world.clock.now().rfc3339.filter { $0 != ":" && $0 != "-" })"
    // Two in one second, or a clock that was set back.
    var path = stem
    var number = 2
    while PrivateFiles.exists(path) {
      path = "\(stem)-\(number)"
      number += 1
    }
    return path
  }

  /// - Returns: where what was there is now.
  private func replaceContent(of database: Database, by plan: RestorePlan) throws(StoreError) -> String {
    try database.run("ATTACH DATABASE ? AS restored", .text(plan.backup.copy))
    defer { try? database.execute("DETACH DATABASE restored") }
    let tables = try database.prepare(
      "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    ).texts()
    var kept: String?
    do throws(StoreError) {
      let path = try database.write(in: world) { database throws(StoreError) in
        let path = keptPath()
        try file.copy(to: path)
        kept = path
        let before = try keyRecord(in: database)
        // The keys that a killed rekey left may be what the backup, or the copy, is encrypted with.
        rekeyIntent.clear()
        try database.execute("PRAGMA defer_foreign_keys = ON")
        // What is trusted on this machine stays so.
        for table in tables where table != "plugin" { try database.execute("DELETE FROM main.\"\(table)\"") }
        for table in tables {
          // The condition keeps SQLite from copying whole pages, which forgets to count references as satisfied.
          try database.execute("INSERT INTO main.\"\(table)\" SELECT * FROM restored.\"\(table)\" WHERE true")
        }
        if let key = plan.key {
          try takeOver(key, in: database)
        } else if let before, try keyRecord(in: database)?.id == before.id {
          // The same key, of which the store knew better where it is now.
          try database.run(
            "UPDATE main.data_key SET source = ?, salt = ?", .text(before.source.rawValue), .blob(before.salt))
        }
        return path
      }
      PrivateFiles.synchroniseFolder(places.data)
      return path
    } catch {
      if let kept { unlink(kept) }
      throw error
    }
  }

  /// Says that the key is in the store's own key file.
  private func takeOver(_ key: DataKey, in database: Database) throws(StoreError) {
    try database.run(
      "UPDATE main.data_key SET source = ?, salt = x'' WHERE id = ?", .text(KeySource.file.rawValue), .text(key.id))
  }

  private func facts(
    of backup: BackupFile, in database: Database, _ key: DataKey?
  ) throws(StoreError) -> RestoreFacts {
    var counts = StoreFacts(of: file, cacheFile)
    try count(&counts, in: database)
    var facts = RestoreFacts(
      path: file.path, source: backup.source, keptPath: nil, schemaVersion: file.schema.migrations.count,
      profiles: counts.profiles, tracked: counts.tracked, credentials: counts.credentials, opened: 0,
      keyID: counts.keyID, keySource: counts.keySource)
    if let key { dataKey = key }
    for result in try sealedRows(in: database) {
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
}

extension Store {
  /// Whether anything has the store's name, be it damaged.
  package var isThere: Bool { PrivateFiles.exists(file.path) }
}
