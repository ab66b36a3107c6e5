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
    for ending in ["-wal", "-shm"] { _ = try Permissions.checkFile(source + ending) }
  }

  func open() throws(StoreError) -> Database { try Database(path: copy, as: file, shownAs: source) }

  func discard() { temporary.end() }

  private func check(_ world: World) throws(StoreError) {
    let database = try open()
    try file.checkIsOurs(database)
    try database.execute("PRAGMA journal_mode = DELETE")
    try database.checkSoundness()
    try file.migrate(database, from: Int(database.integer("PRAGMA user_version") ?? 0), world, keepingCopy: false)
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
