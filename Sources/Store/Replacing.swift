import CSQLite
import Hints
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension DatabaseFile {
  /// Puts a backup's copy in the place of a file that cannot be used.
  ///
  /// No process may have the old file open: one that does, with its log, would go on to write into the new one's. It is
  /// locked as SQLite would for that reason, and a process that opens it in between notices that it was moved
  /// (``Database/hasMoved``). At every moment there is a file under the name, the old one or the new one.
  /// - Returns: where the old file is now; nil where there was none.
  func replace(by backup: BackupFile, keeping keptPath: () -> String) throws(StoreError) -> String? {
    if !isOnNetwork { try backup.open().execute("PRAGMA journal_mode = WAL") }
    try PrivateFiles.synchronise(backup.copy)
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
      guard rename(backup.copy, path) == 0 else { throw StoreError(system: errno, doing: "make", path: path) }
      return hasKept ? kept : nil
    }
  }

  /// Takes the lock bytes of SQLite (https://sqlite.org/fileformat2.html#the_lock_byte_page), all 512 of them, which
  /// whoever has the file open in write-ahead mode holds one of.
  /// - Returns: a descriptor that holds them until it is closed.
  private func lockAgainstEveryone() throws(StoreError) -> Int32 {
    let descriptor = try PrivateFiles.locking(path, from: 0x4000_0000, count: 512)
    guard let descriptor else {
      throw StoreError(
        code: .locked, message: "\(path) cannot be used, and another process has it open",
        hint: "end the other processes of ifttt and run the command again; nothing was changed")
    }
    return descriptor
  }
}

extension Database {
  /// Whether the path leads to another file than the one that is open.
  var hasMoved: Bool { csqlite_has_moved(handle) != 0 }
}
