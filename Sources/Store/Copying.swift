import CSQLite
import Hints

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension DatabaseFile {
  /// Writes the database as it is at one moment to a new file with mode 0600, and that to the disk. The copy is one file
  /// without a log, whatever mode the original is in. Other processes may go on writing meanwhile.
  ///
  /// It goes through a connection of its own, since SQLite copies nothing out of the one that is writing.
  /// - Parameter target: where no file may be; nothing is left there after a failure.
  /// - Throws: ``StoreError`` also where the copy is not sound.
  func copy(to target: String, shownAs name: String? = nil) throws(StoreError) {
    try PrivateFiles.create(target, with: [])
    do throws(StoreError) {
      let source = try openSource()
      let copy = try Database(path: target, as: self, shownAs: name)
      // It is nobody else's yet and gets its name only when it is whole.
      try copy.execute("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
      try source.copyContent(to: copy)
      try copy.execute("PRAGMA journal_mode = DELETE")
      try copy.checkSoundness()
    } catch {
      unlink(target)
      throw error
    }
    try PrivateFiles.synchronise(target)
  }

  private func openSource() throws(StoreError) -> Database {
    let source = try Database(path: path, as: self)
    do throws(StoreError) { _ = try source.integer("PRAGMA schema_version") } catch {
      // It was opened before by the same rule.
      guard let (unchanging, _) = try openAsItIs(), unchanging.readOnlyReason != nil else { throw error }
      return unchanging
    }
    return source
  }
}

extension Database {
  /// Copies all of it, as it is at one moment, through SQLite's backup interface.
  func copyContent(to copy: Database) throws(StoreError) {
    guard let backup = sqlite3_backup_init(copy.handle, "main", handle, "main") else {
      throw copy.failure(sqlite3_extended_errcode(copy.handle))
    }
    let result = sqlite3_backup_step(backup, -1)
    let ending = sqlite3_backup_finish(backup)
    // A lock that was not obtained is not an error of closing.
    guard result == SQLITE_DONE else { throw copy.failure(result) }
    try copy.verify(ending)
  }

  /// - Throws: ``StoreError`` with `store_damaged` where a page, an index or a reference is wrong.
  func checkSoundness() throws(StoreError) {
    let problems = try prepare("PRAGMA integrity_check").texts()
    guard problems == ["ok"] else { throw damaged(problems.joined(separator: "; ")) }
    let dangling = try prepare("PRAGMA foreign_key_check").texts()
    guard dangling.isEmpty else { throw damaged("rows of \(dangling[0]) refer to rows that are missing") }
  }

  private func damaged(_ words: String) -> StoreError {
    file.advised(StoreError(code: .damaged, message: "\(path): \(words)", hint: ""))
  }
}
