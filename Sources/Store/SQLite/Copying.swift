import CSQLite
import Text

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

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
      guard let (unchanging, _) = try openAsItIs(), unchanging.readOnlyReason != nil else { throw error }
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
    let ending = sqlite3_backup_finish(backup)
    // A failure to obtain a lock is reported by the step, not by the finish.
    guard result == SQLITE_DONE else { throw copy.failure(result) }
    try copy.verify(ending)
  }

  /// Checks the whole database.
  /// - Throws: ``StoreError`` with `store_damaged` if a page, an index or a reference is wrong.
  func checkSoundness() throws(StoreError) {
    let problems = try prepare("PRAGMA integrity_check").texts()
    guard problems == ["ok"] else { throw damaged(problems.joined(separator: "; ")) }
    let dangling = try prepare("PRAGMA foreign_key_check").texts()
    guard dangling.isEmpty else { throw damaged("rows of \(dangling[0]) refer to missing rows") }
  }

  private func damaged(_ words: String) -> StoreError {
    file.advised(StoreError(code: .damaged, message: "\(path): \(words)", hint: ""))
  }
}
