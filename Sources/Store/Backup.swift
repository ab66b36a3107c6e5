import Hints
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What a backup holds.
package struct BackupFacts: Sendable, Equatable {
  package var path: String
  package var sizeInBytes: Int
  package var schemaVersion: Int
  package var profiles: Int
  package var credentials: Int
  package var tracked: Int
  /// Of the key its credentials are sealed with; nil where none was ever saved.
  package var keyID: String?
  /// As ``StoreFacts/keySource``.
  package var keySource: String
  /// The file that the key was written to; nil where none was asked for.
  package var keyPath: String?
}

extension Store {
  /// Copies `ifttt.db` as it is at one moment to a new file of mode 0600, which has its name only once it is whole and
  /// on the disk. Credentials stay sealed in it, and the key is not in it.
  ///
  /// - Parameters:
  ///   - name: of the new file, which may be relative to the working folder.
  ///   - replacing: whether a regular file of that name gives way.
  ///   - keyPath: a new file for the key itself, in the clear, mode 0600.
  /// - Returns: nil where there is no store.
  /// - Throws: ``StoreError``, `store_damaged` where the store is not sound; nothing is left behind then.
  package func backUp(to name: String, replacing: Bool, keyPath: String? = nil) throws(StoreError) -> BackupFacts? {
    guard try file.openAsItIs() != nil else { return nil }
    let (path, keyPath) = (world.path(name), keyPath.map(world.path))
    try checkTarget(path, replacing)
    let temporary = temporaryName(for: path, world)
    do throws(StoreError) {
      try file.copy(to: temporary, shownAs: path)
      var facts = try backupFacts(of: temporary, shownAs: path)
      // The key first: a backup without it may be worth nothing, a key without a backup harms nobody.
      if let keyPath { facts.keyPath = try writeKey(of: temporary, to: keyPath) }
      if replacing {
        guard rename(temporary, path) == 0 else { throw StoreError(system: errno, doing: "make", path: path) }
      } else {
        guard try PrivateFiles.publish(temporary, as: path) else { throw taken(path) }
      }
      PrivateFiles.synchroniseFolder(folder(of: path))
      return facts
    } catch {
      unlink(temporary)
      throw error
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
    PrivateFiles.synchroniseFolder(folder(of: path))
    return path
  }

  /// A backup that took the place of the store would be the end of it.
  private func checkTarget(_ path: String, _ replacing: Bool) throws(StoreError) {
    let own =
      [file.path, cacheFile.path] + file.companions + cacheFile.companions + keyFiles
      + [keyLoading.places.path, rekeyIntent.path]
    for name in own where isSameFile(path, name) || path.lastPart == name.lastPart && isSameFolder(path, name) {
      throw StoreError(code: .exists, message: "\(path) is part of the store itself", hint: "choose another file")
    }
    var facts = stat()
    guard lstat(path, &facts) == 0 else { return }
    guard replacing else { throw taken(path) }
    guard facts.st_mode & S_IFMT == S_IFREG else {
      throw StoreError(code: .failed, message: "\(path) is no regular file", hint: "choose another file")
    }
  }

  private func isSameFolder(_ path: String, _ other: String) -> Bool { isSameFile(folder(of: path), folder(of: other)) }

  private func taken(_ path: String) -> StoreError {
    StoreError(code: .exists, message: "\(path) is there already", hint: "choose another name, or say --force")
  }
}

/// The folder a path is in, `.` for a name alone.
func folder(of path: String) -> String {
  guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}

extension String {
  fileprivate var lastPart: Substring { self[(lastIndex(of: "/").map { index(after: $0) } ?? startIndex)...] }
}
