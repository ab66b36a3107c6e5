import Text
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

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
          guard try PrivateFiles.publish(temporary, as: path) else { throw taken(path) }
        }
        PrivateFiles.synchronizeFolder(folder(of: path))
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
    guard !PrivateFiles.exists(path) else { throw taken(path) }
    try PrivateFiles.create(path, with: key.text)
    PrivateFiles.synchronizeFolder(folder(of: path))
    return path
  }

  /// Rejects the store's own files: a backup that overwrote one of them would destroy the store.
  private func checkTarget(_ path: String, _ replacing: Bool) throws(StoreError) {
    let own =
      [file.path, cacheFile.path] + file.companions + cacheFile.companions + keyFiles
      + [keyLoading.locations.path, rekeyIntent.path]
    for name in own where isSameFile(path, name) || path.lastPart == name.lastPart && isSameFolder(path, name) {
      throw StoreError(code: .exists, message: "\(path) is part of the store itself", hint: "Choose another file.")
    }
    var facts = stat()
    guard lstat(path, &facts) == 0 else { return }
    guard replacing else { throw taken(path) }
    guard facts.st_mode & S_IFMT == S_IFREG else {
      throw StoreError(code: .failed, message: "\(path) is not a regular file", hint: "Choose another file.")
    }
  }

  private func isSameFolder(_ path: String, _ other: String) -> Bool { isSameFile(folder(of: path), folder(of: other)) }

  private func taken(_ path: String) -> StoreError {
    StoreError(code: .exists, message: "\(path) already exists", hint: "Choose another name, or pass --force.")
  }
}

/// Returns the parent folder of a path; `.` for a name without a slash.
func folder(of path: String) -> String {
  guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}

extension String {
  fileprivate var lastPart: Substring { self[(lastIndex(of: "/").map { index(after: $0) } ?? startIndex)...] }
}
