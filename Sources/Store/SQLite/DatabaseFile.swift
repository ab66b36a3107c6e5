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
  var patience: LockPolicy?

  package init(folder: String, schema: Schema, busyTimeout: Duration = .seconds(5)) {
    (self.folder, self.schema, self.busyTimeout) = (folder, schema, busyTimeout)
  }

  package var path: String { "\(folder)/\(schema.fileName)" }

  /// The files that SQLite creates next to the database. It keeps the log and its shared memory.
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
