import CSQLite
import Text
package import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// One of the two database files: its location and its schema.
package struct DatabaseFile {
  package let folder: String
  package let schema: Schema
  let busyTimeout: Duration
  /// The policy for waiting for locks of other processes; nil to let SQLite sleep.
  var lockPolicy: LockPolicy?

  package init(folder: String, schema: Schema, busyTimeout: Duration = .seconds(5)) {
    (self.folder, self.schema, self.busyTimeout) = (folder, schema, busyTimeout)
  }

  package var path: String { "\(folder)/\(schema.fileName)" }

  /// The files that SQLite creates next to the database. The log and its shared memory stay when the database is
  /// closed.
  var companions: [String] { ["\(path)-wal", "\(path)-shm", "\(path)-journal"] }

  /// Whether a companion may hold data that is not in the database.
  func mayHoldData(_ companion: String) -> Bool { !companion.hasSuffix("-shm") && PrivateFiles.size(companion) > 0 }

  /// Creates the file and its folder, unless the file exists.
  ///
  /// The file gets its name only when it is complete. An empty file with that name is therefore always corrupt, and
  /// no process ever sees a partial schema.
  package func make(_ world: World) throws(StoreError) {
    try PrivateFiles.makeFolder(folder)
    _ = try Permissions.checkFolder(folder)
    try PrivateFiles.lockingFolder(folder) { () throws(StoreError) in
      guard !PrivateFiles.exists(path) else { return }
      try clearCompanions()
      try TemporaryFile.use(for: path, world) { temporary throws(StoreError) in
        try PrivateFiles.create(temporary, with: [])
        try fill(temporary)
        _ = try PrivateFiles.publish(temporary, as: path)
      }
    }
  }

  private func fill(_ temporary: String) throws(StoreError) {
    let database = try Database(path: temporary, as: self)
    // The application id is written before the file switches to write-ahead mode. It is then in the header itself,
    // where it can be read before SQLite does anything to the file.
    try database.execute("PRAGMA page_size = \(schema.pageSize); PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE")
    for migration in schema.migrations { try database.execute(migration.sql) }
    try database.execute(
      "PRAGMA application_id = \(schema.applicationID); PRAGMA user_version = \(schema.migrations.count); COMMIT")
    if !isOnNetwork { try database.execute("PRAGMA journal_mode = WAL") }
  }

  /// Removes stale companions: a log without its database would be replayed into the new one.
  private func clearCompanions() throws(StoreError) {
    for companion in companions where PrivateFiles.exists(companion) {
      guard schema.isCache || !mayHoldData(companion) else { throw missingBesideLog(companion) }
      unlink(companion)
    }
  }

  func missingBesideLog(_ log: String) -> StoreError {
    StoreError(
      code: .damaged, message: "\(path) is missing, but its log \(log) exists",
      hint: "Move \(schema.fileName) back next to it. \(adviceToRestore)")
  }

  var noMemory: StoreError {
    StoreError(code: .failed, message: "there is not enough memory to write \(path)", hint: "Close other programs.")
  }

  var vanished: StoreError {
    StoreError(code: .failed, message: "\(path) was removed while in use", hint: "Run the command again.")
  }
}

extension DatabaseFile {
  /// Writes a consistent snapshot of the database to a new file with mode 0600 and syncs it to disk. The copy is a
  /// single file without a log, whatever the mode of the original. Other processes may write during the copy.
  ///
  /// The copy uses its own connection, because SQLite cannot copy from a connection that is writing.
  /// - Parameter target: The path of the copy, which must not exist. No file is left there after a failure.
  /// - Throws: ``StoreError``, also if the copy is corrupt.
  func copy(to target: String, shownAs name: String? = nil) throws(StoreError) {
    try PrivateFiles.create(target, with: [], shownAs: name)
    do throws(StoreError) {
      let source = try openSource()
      let copy = try Database(path: target, as: self, shownAs: name)
      // No other process knows the file yet, and it gets its final name only when it is complete.
      try copy.execute("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
      try source.copyContent(to: copy)
      try copy.execute("PRAGMA journal_mode = DELETE")
      try copy.checkSoundness()
    } catch {
      unlink(target)
      throw error
    }
    try PrivateFiles.synchronize(target)
  }

  private func openSource() throws(StoreError) -> Database {
    let source = try Database(path: path, as: self)
    do throws(StoreError) { _ = try source.integer("PRAGMA schema_version") } catch {
      // The store itself may have been opened read-only, so apply the same rule here.
      guard let (unchanging, _) = try openWithoutMigrating(), unchanging.readOnlyReason != nil else { throw error }
      return unchanging
    }
    return source
  }
}

extension Database {
  /// Copies a consistent snapshot of the database through SQLite's backup interface.
  func copyContent(to copy: Database) throws(StoreError) {
    guard let backup = sqlite3_backup_init(copy.handle, "main", handle, "main") else {
      throw copy.failure(sqlite3_extended_errcode(copy.handle))
    }
    let result = sqlite3_backup_step(backup, -1)
    let finishResult = sqlite3_backup_finish(backup)
    // A failure to obtain a lock is reported by the step, not by the finish.
    guard result == SQLITE_DONE else { throw copy.failure(result) }
    try copy.verify(finishResult)
  }

  /// Checks the whole database.
  /// - Throws: ``StoreError`` with `store_damaged` if a page, an index or a reference is wrong.
  func checkSoundness() throws(StoreError) {
    let problems = try texts("PRAGMA integrity_check")
    guard problems == ["ok"] else { throw damaged(problems.joined(separator: "; ")) }
    let dangling = try texts("PRAGMA foreign_key_check")
    guard dangling.isEmpty else { throw damaged("rows of \(dangling[0]) refer to missing rows") }
  }

  private func damaged(_ message: String) -> StoreError {
    file.advised(StoreError(code: .damaged, message: "\(path): \(message)", hint: ""))
  }
}

extension DatabaseFile {
  /// Adds a hint to an error that reports corruption of this file.
  func advised(_ error: StoreError) -> StoreError {
    guard error.code == .damaged else { return error }
    var advised = error
    advised.hint =
      schema.isCache ? "It is rebuilt automatically. Run the command again." : "Nothing was changed. \(adviceToRestore)"
    return advised
  }

  /// A hint that names the newest copy made before an upgrade, or explains what to do without one.
  var adviceToRestore: Hint {
    let newest = (0..<max(1, schema.migrations.count)).reversed().map(backupPath).first(where: PrivateFiles.exists)
    if let newest {
      return "To restore the copy made before an upgrade, run: \(ifttt: "store restore \(path: newest)")"
    }
    return
      "Restore a backup with \(ifttt: "store restore FILE"). Without one, move away \(path) and the files whose names "
      + "begin with \(schema.fileName)-, and save the credentials again."
  }

  /// Renames a corrupt file, so that a new one can replace it. Only the latest such file stays.
  /// - Parameter identity: The identity of the corrupt file. Another process may have replaced it with an intact one
  ///   since.
  func setAside(_ identity: FileIdentity?, _ world: World) throws(StoreError) {
    try PrivateFiles.lockingFolder(folder) { () throws(StoreError) in
      guard let identity, try Permissions.checkFile(path) == identity else { return }
      let prefix = "\(schema.fileName).damaged-"
      for name in PrivateFiles.names(in: folder) where name.hasPrefix(prefix) { unlink("\(folder)/\(name)") }
      for companion in companions { unlink(companion) }
      let aside = "\(folder)/\(prefix)\(world.clock.now().rfc3339.filter { $0 != ":" && $0 != "-" })"
      guard rename(path, aside) == 0 else { throw StoreError(system: errno, doing: "rename", path: path) }
    }
  }
}
