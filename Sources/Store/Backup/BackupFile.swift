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
    try texts(
      """
      SELECT type || ' ' || name || ' ' || tbl_name || ' ' || sql FROM sqlite_schema WHERE sql IS NOT NULL
      AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY 1
      """)
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
      let fileExists = try Permissions.checkFile(path) != nil
      let lock = fileExists ? try lockAgainstAllProcesses() : -1
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
  private func lockAgainstAllProcesses() throws(StoreError) -> Int32 {
    let descriptor = try PrivateFiles.lockRange(of: path, from: 0x4000_0000, count: 512)
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

/// A summary of a backup.
package struct BackupFacts: Sendable, Equatable {
  package var path: String
  package var sizeInBytes: Int
  package var schemaVersion: Int
  package var profiles: Int
  package var credentials: Int
  package var tracked: Int
  /// The id of the key that encrypts its credentials; nil if no credential was ever saved.
  package var keyID: String?
  /// The key source, as in ``StoreFacts/keySource``.
  package var keySource: String
  /// The file that the key was written to; nil if that was not requested.
  package var keyPath: String?
}

extension Store {
  /// Copies a consistent snapshot of `ifttt.db` to a new file with mode 0600. The file gets its name only when it is
  /// complete and synced to disk. Its credentials stay encrypted, and it does not contain the key.
  ///
  /// - Parameters:
  ///   - name: The name of the new file, which may be relative to the working folder.
  ///   - replacing: Whether to overwrite an existing regular file.
  ///   - keyPath: A new file for the key itself, unencrypted, with mode 0600.
  /// - Returns: nil if there is no store.
  /// - Throws: ``StoreError``: `store_damaged` if the store is corrupt. No backup is left after a failure.
  package func backUp(to name: String, replacing: Bool, keyPath: String? = nil) throws(StoreError) -> BackupFacts? {
    guard try file.openWithoutMigrating() != nil else { return nil }
    let (path, keyPath) = (world.path(name), keyPath.map(world.path))
    try checkTarget(path, replacing)
    TemporaryFile.removeAbandoned(beside: path)
    do throws(StoreError) {
      return try TemporaryFile.use(for: path, world, shownAs: path) { temporary throws(StoreError) in
        try file.copy(to: temporary, shownAs: path)
        var facts = try backupFacts(of: temporary, shownAs: path)
        // Write the key first: a backup without its key may be worthless, but a key without a backup does no harm.
        if let keyPath { facts.keyPath = try writeKey(of: temporary, to: keyPath) }
        if replacing {
          guard rename(temporary, path) == 0 else { throw StoreError(system: errno, doing: "create", path: path) }
        } else {
          guard try PrivateFiles.publish(temporary, as: path) else { throw alreadyExists(path) }
        }
        PrivateFiles.synchronizeFolder(PrivateFiles.folder(of: path))
        return facts
      }
    } catch {
      guard error.code == .unreadable else { throw error }
      throw StoreError(
        code: .refused, message: error.message, hint: "Check that the folder exists and that you can write to it.")
    }
  }

  private func backupFacts(of copy: String, shownAs path: String) throws(StoreError) -> BackupFacts {
    var facts = StoreFacts(of: file, cacheFile)
    let database = try Database(path: copy, as: file, shownAs: path)
    let version = try Int(database.integer("PRAGMA user_version") ?? 0)
    if version > 0 { try count(&facts, in: database) }
    return BackupFacts(
      path: path, sizeInBytes: PrivateFiles.size(copy), schemaVersion: version, profiles: facts.profiles,
      credentials: facts.credentials, tracked: facts.tracked, keyID: facts.keyID, keySource: facts.keySource)
  }

  private func writeKey(of copy: String, to path: String) throws(StoreError) -> String? {
    guard let record = try keyRecord(in: try Database(path: copy, as: file)) else { return nil }
    let key = try loadKey(record)
    guard !PrivateFiles.exists(path) else { throw alreadyExists(path) }
    try PrivateFiles.create(path, with: key.text)
    PrivateFiles.synchronizeFolder(PrivateFiles.folder(of: path))
    return path
  }

  /// Rejects the store's own files: a backup that overwrote one of them would destroy the store.
  private func checkTarget(_ path: String, _ replacing: Bool) throws(StoreError) {
    let own =
      [file.path, cacheFile.path] + file.companions + cacheFile.companions + keyFiles
      + [keyLoading.locations.record.path, credentialCommands.path, rekeyIntent.path]
    for name in own where isSameFile(path, name) || path.lastPart == name.lastPart && isSameFolder(path, name) {
      throw StoreError(code: .exists, message: "\(path) is part of the store itself", hint: "Choose another file.")
    }
    var facts = stat()
    guard lstat(path, &facts) == 0 else { return }
    guard replacing else { throw alreadyExists(path) }
    guard facts.st_mode & S_IFMT == S_IFREG else {
      throw StoreError(code: .failed, message: "\(path) is not a regular file", hint: "Choose another file.")
    }
  }

  private func isSameFolder(_ path: String, _ other: String) -> Bool {
    isSameFile(PrivateFiles.folder(of: path), PrivateFiles.folder(of: other))
  }

  private func alreadyExists(_ path: String) -> StoreError {
    StoreError(code: .exists, message: "\(path) already exists", hint: "Choose another name, or pass --force.")
  }
}

extension String {
  fileprivate var lastPart: Substring { self[(lastIndex(of: "/").map { index(after: $0) } ?? startIndex)...] }
}
