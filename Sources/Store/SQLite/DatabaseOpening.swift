import CSQLite
import Text
package import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension DatabaseFile {
  /// Opens the file and migrates it to the current schema; returns nil if it does not exist.
  ///
  /// A foreign, newer or overwritten file is detected before SQLite changes anything in it.
  /// - Parameter asSnapshot: Whether to prefer a read-only snapshot of the present state.
  package func open(_ world: World, asSnapshot: Bool = false) throws(StoreError) -> Database? {
    if asSnapshot, let snapshot = try openSnapshot() { return snapshot }
    guard let (database, version) = try openWithoutMigrating() else { return nil }
    if let reason = database.readOnlyReason, version < schema.migrations.count { throw reason }
    try migrate(database, from: version, world)
    return database
  }

  /// Opens the file without migrating it; returns nil if it does not exist.
  ///
  /// A full or read-only disk does not prevent reading, unless another process left a log without its shared memory
  /// file.
  func openWithoutMigrating() throws(StoreError) -> (Database, version: Int)? {
    guard try Permissions.checkFolder(folder) else { return nil }
    guard try exists() else { return nil }
    do throws(StoreError) { return try openToWrite() } catch {
      switch error.code {
      // In write-ahead mode, SQLite has to create two files even for reading.
      case .readOnly, .full, .unreadable, .failed: break
      default: throw error
      }
      guard !companions.contains(where: mayHoldData),
        let opened = try? openUnchanging(because: error)
      else { throw error }
      return opened
    }
  }

  /// Opens the file for a few reads, without migrating it; returns nil if it does not exist.
  ///
  /// If its log is empty, no locks are used. If another process writes at that moment, a read may fail or return old
  /// rows.
  func openWithoutLocks() throws(StoreError) -> (Database, version: Int)? {
    guard try Permissions.checkFolder(folder) else { return nil }
    guard try exists() else { return nil }
    guard !companions.contains(where: mayHoldData) else { return try openToWrite() }
    return try openUnchanging(because: onlyRead)
  }

  /// Opens the file for reading in one transaction, which ends when the database is closed.
  ///
  /// Because nothing is written, SQLite does not create the shared memory of the log if no other process uses it
  /// (`readonly_shm`, https://sqlite.org/wal.html#read_only_databases). Creating it is a large part of the time to open
  /// a file.
  /// - Returns: nil if the file must be opened normally: it does not exist, has a log with data or an older schema, or
  ///   cannot be read.
  private func openSnapshot() throws(StoreError) -> Database? {
    guard try Permissions.checkFolder(folder), try Permissions.checkFile(path) != nil,
      !companions.contains(where: mayHoldData)
    else { return nil }
    // Opening the file normally reports the error.
    return try? snapshot()
  }

  private func snapshot() throws(StoreError) -> Database? {
    let database = try Database(snapshotOf: path, as: self, because: onlyRead)
    guard try checkHeader(of: database) else { return nil }
    try database.execute("BEGIN")
    // The first read begins the transaction.
    guard try checkedVersion(of: database) == schema.migrations.count else { return nil }
    try database.verify(csqlite_configure(database.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1))
    try configure(database)
    return database
  }

  private var onlyRead: StoreError { StoreError(code: .readOnly, message: "\(path) is only read", hint: "") }

  private func openUnchanging(because reason: StoreError) throws(StoreError) -> (Database, version: Int) {
    let database = try Database(unchanging: path, as: self, because: reason)
    _ = try checkHeader(of: database)
    try configure(database)
    return (database, try checkedVersion(of: database))
  }

  private func openToWrite() throws(StoreError) -> (Database, version: Int)? {
    let database = try Database(path: path, as: self)
    let isInWALMode = try checkHeader(of: database)
    try configure(database)
    // Not even the journal mode of a newer file may be changed.
    if !isInWALMode { _ = try checkedVersion(of: database) }
    try chooseJournal(of: database, isInWALMode: isInWALMode)
    let version = try checkedVersion(of: database)
    // From here on, the lock keeps the file in place. If the file was replaced before that, it must not be written
    // to, because its log would be the log of the other file.
    guard !database.hasMoved else { return try openWithoutMigrating() }
    return (database, version)
  }

  /// Checks the header, application id and version of a copy before anything else is done to it.
  func checkIsOurs(_ database: Database) throws(StoreError) {
    _ = try checkHeader(of: database)
    try configure(database)
    _ = try checkedVersion(of: database)
  }

  private func checkedVersion(of database: Database) throws(StoreError) -> Int {
    let version = try Int(database.integer("PRAGMA user_version") ?? 0)
    guard version >= 0 else {
      throw advised(
        StoreError(code: .damaged, message: "\(database.path) has the impossible schema \(version)", hint: ""))
    }
    guard version <= schema.migrations.count else {
      throw StoreError(
        code: .newer, message: "\(database.path) was written by a newer version of this program (schema \(version))",
        hint: "Install that version, or set IFTTT_HOME to another folder. Nothing was changed.")
    }
    return version
  }

  var isOnNetwork: Bool { csqlite_is_network_folder(folder) != 0 }

  private func exists() throws(StoreError) -> Bool {
    if try Permissions.checkFile(path) != nil { return true }
    guard !schema.isCache, let log = companions.first(where: mayHoldData) else { return false }
    // Another process may have created the file and its log since the first check.
    guard try Permissions.checkFile(path) != nil else { throw missingBesideLog(log) }
    return true
  }

  /// Checks the file's header.
  /// - Returns: Whether the file is in write-ahead mode (https://sqlite.org/fileformat.html, section 1.3).
  private func checkHeader(of database: Database) throws(StoreError) -> Bool {
    var header = [UInt8](repeating: 0, count: 100)
    try database.verify(csqlite_read_start(database.handle, &header, Int32(header.count)))
    if !header.starts(with: "SQLite format 3\0".utf8) {
      // A process that was killed during a write left a journal, from which SQLite restores the header.
      guard PrivateFiles.size("\(database.path)-journal") > 0 else {
        throw advised(StoreError(code: .damaged, message: "\(database.path) is not a database", hint: ""))
      }
      let applicationID = try database.integer("PRAGMA application_id") ?? 0
      try checkApplication(Int32(truncatingIfNeeded: applicationID), of: database)
      return false
    }
    let applicationID = header[68..<72].reduce(Int32(0)) { $0 << 8 | Int32($1) }
    try checkApplication(applicationID, of: database)
    return header[18] == 2
  }

  private func checkApplication(_ applicationID: Int32, of database: Database) throws(StoreError) {
    guard applicationID == schema.applicationID else {
      throw StoreError(
        code: .foreign, message: "\(database.path) belongs to another program (application id \(applicationID))",
        hint: """
          Restore a backup with \(ifttt: "store restore FILE"), move the file away, or set IFTTT_HOME to another folder. \
          Nothing was changed.
          """)
    }
  }

  private func configure(_ database: Database) throws(StoreError) {
    try database.verify(csqlite_configure(database.handle, SQLITE_DBCONFIG_DEFENSIVE, 1))
    try database.verify(csqlite_configure(database.handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0))
    try database.verify(csqlite_configure(database.handle, SQLITE_DBCONFIG_ENABLE_FKEY, 1))
    try database.execute("PRAGMA cell_size_check = ON")
    // Creating and removing the log and its shared memory takes longer than a read. Instead, the last process that
    // could write empties the log.
    if database.readOnlyReason == nil { try database.execute("PRAGMA journal_size_limit = 0") }
    try database.verify(csqlite_keep_log(database.handle))
    guard schema.isCache else { return }
    // For a small file, memory mapping is faster than copying. For a large one, it costs more in page faults and
    // memory than it gains. A scan does not benefit from a large page cache either.
    try database.execute("PRAGMA mmap_size = 2097152; PRAGMA cache_size = -512")
  }

  private func chooseJournal(of database: Database, isInWALMode: Bool) throws(StoreError) {
    switch (isInWALMode, isOnNetwork) {
    case (true, true):
      try database.execute(
        "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; PRAGMA locking_mode = NORMAL")
    case (false, false):
      // This fails while another process has the file open. The next process to open it tries again.
      sqlite3_exec(database.handle, "PRAGMA journal_mode = WAL", nil, nil, nil)
    case (true, false), (false, true): break
    }
  }
}
