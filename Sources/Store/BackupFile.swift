import CSQLite
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A backup that is to be restored: a private copy of it beside the store, checked and brought up to the present schema.
/// The backup itself is only read.
struct BackupFile {
  /// As the user named it.
  let source: String
  /// The copy: one file in rollback mode, on the disk, in the folder of the store.
  let copy: String
  let file: DatabaseFile

  /// Checks the header, whose file it is, its version, every page, index and reference, and that its tables are those
  /// of this program: a file from elsewhere may hold triggers.
  /// - Parameter file: the store's.
  /// - Throws: ``StoreError``; no copy is left then, and the store has not been looked at.
  init(_ source: String, for file: DatabaseFile, _ world: World) throws(StoreError) {
    (self.source, self.file) = (source, file)
    copy = temporaryName(for: file.path, world)
    do throws(StoreError) {
      try PrivateFiles.copy(source, to: copy)
      // What a copy made by other means than a backup may have beside it.
      for ending in ["-wal", "-journal"] where PrivateFiles.size(source + ending) > 0 {
        try PrivateFiles.copy(source + ending, to: copy + ending)
      }
      try check(world)
      try PrivateFiles.synchronise(copy)
    } catch {
      discard()
      var failure = error
      if [.damaged, .foreign, .newer].contains(error.code) {
        failure.hint = "nothing was changed; choose another backup"
      }
      throw failure
    }
  }

  func open() throws(StoreError) -> Database { try Database(path: copy, as: file, shownAs: source) }

  func discard() { for ending in ["", "-wal", "-shm", "-journal"] { unlink(copy + ending) } }

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
  /// What the schema consists of, without what SQLite adds by itself.
  fileprivate func definitions() throws(StoreError) -> [String] {
    try prepare(
      """
      SELECT type || ' ' || name || ' ' || tbl_name || ' ' || sql FROM sqlite_schema WHERE sql IS NOT NULL
      AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY 1
      """
    ).texts()
  }
}
