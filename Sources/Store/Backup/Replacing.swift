import CSQLite
import Text
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension DatabaseFile {
  /// Replaces an unusable file with the copy of a backup.
  ///
  /// No process may have the old file open: through its log, it would continue to write into the new file. The file
  /// is therefore locked in the same way as SQLite does. A process that opens it in between detects the replacement
  /// (``Database/hasMoved``). The path refers to the old or the new file at every moment.
  /// - Returns: The new path of the old file; nil if there was none.
  func replace(by backup: BackupFile, keeping keptPath: () -> String) throws(StoreError) -> String? {
    if !isOnNetwork { try backup.open().execute("PRAGMA journal_mode = WAL") }
    try PrivateFiles.synchronize(backup.copy)
    return try PrivateFiles.lockingFolder(folder) { () throws(StoreError) in
      let isThere = try Permissions.checkFile(path) != nil
      let lock = isThere ? try lockAgainstEveryone() : -1
      defer { if lock >= 0 { close(lock) } }
      let kept = keptPath()
      var hasKept = false
      for name in [path] + companions where PrivateFiles.exists(name) {
        let ending = name.utf8.dropFirst(path.utf8.count)
        guard !ending.elementsEqual("-shm".utf8) else { continue }
        try PrivateFiles.keep(name, as: kept + String(Substring(ending)))
        hasKept = true
      }
      for companion in companions { unlink(companion) }
      guard rename(backup.copy, path) == 0 else { throw StoreError(system: errno, doing: "create", path: path) }
      return hasKept ? kept : nil
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
