import CSQLite
import Text
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A backup to restore: a private copy in the store's folder, checked and migrated to the current schema. The backup
/// itself is only read.
struct BackupFile {
  /// The path as the user entered it.
  let source: String
  private let temporary: TemporaryFile
  /// The copy: a single file in rollback mode, synced to disk, in the store's folder.
  var copy: String { temporary.path }
  let file: DatabaseFile

  /// Copies and checks a backup: its header, application id, schema version, pages, indexes and references. Its
  /// tables must be exactly those of this program, because a file from another source may contain triggers.
  /// - Parameter file: The store's file.
  /// - Throws: ``StoreError``. No copy is left after a failure, and the store has not been read.
  init(_ source: String, for file: DatabaseFile, _ world: World) throws(StoreError) {
    (self.source, self.file) = (source, file)
    TemporaryFile.removeAbandoned(beside: file.path)
    temporary = try TemporaryFile(for: file.path, world)
    do throws(StoreError) {
      try Self.checkCompanions(of: source)
      try PrivateFiles.copy(source, to: copy)
      // A copy made without the backup command may come with a write-ahead log.
      if PrivateFiles.size("\(source)-wal") > 0 {
        try PrivateFiles.copy("\(source)-wal", to: "\(copy)-wal", checking: true)
      }
      try check(world)
      try PrivateFiles.synchronize(copy)
    } catch {
      discard()
      var failure = error
      switch error.code {
      case .damaged, .foreign, .newer: failure.hint = "Choose another backup. Nothing was changed."
      case .unreadable: failure.code = .refused
      default: break
      }
      throw failure
    }
  }

  /// Checks the files next to the backup, which can be dangerous: SQLite deletes the file that the end of a rollback
  /// journal names (https://sqlite.org/fileformat.html, section 3). This applies to any journal, no matter who made
  /// it.
  private static func checkCompanions(of source: String) throws(StoreError) {
    guard PrivateFiles.size("\(source)-journal") == 0 else {
      throw StoreError(
        code: .unreadable,
        message: "\(source) was copied in the middle of a transaction: \(source)-journal exists",
        hint: "Open the original once with the program that created it, then copy it again. Nothing was changed.")
    }
    for suffix in ["-wal", "-shm"] { _ = try Permissions.checkFile(source + suffix) }
  }

  func open() throws(StoreError) -> Database { try Database(path: copy, as: file, shownAs: source) }

  func discard() { temporary.end() }

  private func check(_ world: World) throws(StoreError) {
    let database = try open()
    try file.checkIsOurs(database)
    try database.execute("PRAGMA journal_mode = DELETE")
    try database.checkSoundness()
    try file.migrate(database, from: Int(database.integer("PRAGMA user_version") ?? 0), world, backingUp: false)
    let blank = try Database(path: ":memory:", as: file)
    for migration in file.schema.migrations { try blank.execute(migration.sql) }
    guard try database.definitions() == blank.definitions() else {
      throw StoreError(code: .foreign, message: "\(source) does not have the tables of this program", hint: "")
    }
  }
}

extension Database {
  /// The schema's SQL, without SQLite's internal objects.
  fileprivate func definitions() throws(StoreError) -> [String] {
    try prepare(
      """
      SELECT type || ' ' || name || ' ' || tbl_name || ' ' || sql FROM sqlite_schema WHERE sql IS NOT NULL
      AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY 1
      """
    ).texts()
  }
}

extension DatabaseFile {
  /// Replaces an unusable file with the copy of a backup.
  ///
  /// No process may have the old file open: through its log, it would continue to write into the new file. The file
  /// is therefore locked in the same way as SQLite does. A process that opens it in between detects the replacement
  /// (``Database/hasMoved``). The path refers to the old or the new file at every moment.
  /// - Returns: The new path of the old file; nil if there was none.
  func replace(by backup: BackupFile, copyingTo previousPath: () -> String) throws(StoreError) -> String? {
    if !isOnNetwork { try backup.open().execute("PRAGMA journal_mode = WAL") }
    try PrivateFiles.synchronize(backup.copy)
    return try PrivateFiles.lockingFolder(folder) { () throws(StoreError) in
      let isThere = try Permissions.checkFile(path) != nil
      let lock = isThere ? try lockAgainstEveryone() : -1
      defer { if lock >= 0 { close(lock) } }
      let copyPath = previousPath()
      var hasCopy = false
      for name in [path] + companions where PrivateFiles.exists(name) {
        let suffix = name.utf8.dropFirst(path.utf8.count)
        guard !suffix.elementsEqual("-shm".utf8) else { continue }
        try PrivateFiles.hardLink(name, as: copyPath + String(Substring(suffix)))
        hasCopy = true
      }
      for companion in companions { unlink(companion) }
      guard rename(backup.copy, path) == 0 else { throw StoreError(system: errno, doing: "create", path: path) }
      return hasCopy ? copyPath : nil
    }
  }

  /// Locks all 512 lock bytes of SQLite (https://sqlite.org/fileformat2.html#the_lock_byte_page). Every process that
  /// has the file open in write-ahead mode holds a lock on one of them.
  /// - Returns: A descriptor that holds the lock until it is closed.
  private func lockAgainstEveryone() throws(StoreError) -> Int32 {
    let descriptor = try PrivateFiles.locking(path, from: 0x4000_0000, count: 512)
    guard let descriptor else {
      throw StoreError(
        code: .locked, message: "\(path) is unusable, and another process has it open",
        hint: "End the other ifttt processes and run the command again. Nothing was changed.")
    }
    return descriptor
  }
}

extension Database {
  /// Whether the path refers to a different file than the open one.
  var hasMoved: Bool { csqlite_has_moved(handle) != 0 }
}
