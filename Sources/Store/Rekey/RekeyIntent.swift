import JSON
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The key files that an interrupted rekey may leave behind: the one it creates and the one it removes at the end.
///
/// The record is written before the first file is created and removed after the last is deleted. It therefore lists
/// exactly what a killed rekey left. A key file that is not listed may belong to a backup.
struct RekeyIntent {
  let folder: String
  var path: String { "\(folder)/store-rekey.json" }

  /// Returns the ids of the keys; empty unless a rekey is in progress or was killed.
  func keyIDs() throws(StoreError) -> [String] {
    guard try Permissions.checkFile(path) != nil else { return [] }
    let value = try? JSONValue(parsing: PrivateFiles.read(path, limit: 1 << 16))
    return value?["keys"]?.array?.compactMap(\.string).filter(Self.isKeyID) ?? []
  }

  /// Adds keys and syncs the record to disk. Like all changes to the record, it runs within a write to the store.
  func add(_ ids: [String], _ world: World) throws(StoreError) {
    var all = try keyIDs()
    for id in ids where !all.contains(id) { all.append(id) }
    try PrivateFiles.makeFolder(folder)
    let value: JSONValue = ["keys": .array(all.map { .string($0) })]
    try TemporaryFile.use(for: path, world) { temporary throws(StoreError) in
      try PrivateFiles.create(temporary, with: value.bytes + [0x0a])
      guard rename(temporary, path) == 0 else { throw StoreError(system: errno, doing: "write", path: path) }
    }
    PrivateFiles.synchronizeFolder(folder)
  }

  func clear() {
    if unlink(path) == 0 { PrivateFiles.synchronizeFolder(folder) }
  }

  /// Validates an id that was read from a file, because it becomes part of a file name.
  private static func isKeyID(_ text: String) -> Bool {
    text.utf8.count == 16
      && text.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }
}

extension Store {
  var rekeyIntent: RekeyIntent { RekeyIntent(folder: directories.state) }

  /// Returns the key files left behind by a killed rekey. No credential is encrypted with them, or ever was.
  package func leftoverKeyFiles() throws(StoreError) -> [String] {
    guard let database = try existing(), !(try rekeyIntent.keyIDs().isEmpty) else { return [] }
    return try leftoverKeyFiles(in: database)
  }

  /// Removes the leftover key files.
  /// - Returns: The removed files.
  package func removeLeftoverKeyFiles() throws(StoreError) -> [String] {
    guard !(try rekeyIntent.keyIDs().isEmpty), let database = try writable() else { return [] }
    // A rekey in progress holds the lock, so its keys are not mistaken for leftovers.
    try database.begin(in: world, tries: 3)
    defer { database.rollBack() }
    return try sweepKeyFiles(in: database)
  }

  /// Removes the leftover key files within a write.
  func sweepKeyFiles(in database: Database) throws(StoreError) -> [String] {
    // Without a current key, there is nothing to compare with. The next rekey decides.
    guard let present = try keyRecord(in: database)?.id else { return [] }
    let ids = try rekeyIntent.keyIDs()
    guard !ids.isEmpty else { return [] }
    let removed = try leftoverKeyFiles(in: database).filter { unlink($0) == 0 || errno == ENOENT }
    if !removed.isEmpty { PrivateFiles.synchronizeFolder(directories.state) }
    // A key that could not be removed, or whose use is unknown, stays on the list.
    if ids.allSatisfy({ $0 == present || ownFile(holding: $0) == nil }) { rekeyIntent.clear() }
    return removed
  }

  private func leftoverKeyFiles(in database: Database) throws(StoreError) -> [String] {
    let ids = try rekeyIntent.keyIDs()
    // If the store uses a key that is not listed, the rekey's relation to the listed keys is unknown. A single one is the
    // key that a rekey made in place of a key that is not in a file of the store's own.
    guard let present = try keyRecord(in: database)?.id, ids.contains(present) || ids.count == 1 else { return [] }
    var paths: [String] = []
    for id in ids where id != present {
      let uses = try database.integer("SELECT count(*) FROM credential WHERE key_id = ?", .text(id))
      if uses == 0, let path = ownFile(holding: id) { paths.append(path) }
    }
    return paths
  }

  /// The key that a killed rekey made for a store without credentials; nil if there is none. Nothing was encrypted with
  /// it, so it can be the store's first key.
  func abandonedFirstKey() throws(StoreError) -> DataKey? {
    let ids = try rekeyIntent.keyIDs()
    guard ids.count == 1, let path = ownFile(holding: ids[0]), path == keyLoading.rekeyedFile(ids[0]) else {
      return nil
    }
    return try? DataKey(parsing: PrivateFiles.read(path, limit: 4096))
  }

  /// The store's own key file that holds this key. The name `store.key` does not contain the id, so the content is
  /// checked.
  private func ownFile(holding id: String) -> String? {
    let path = keyLoading.ownFile(of: id)
    guard (try? Permissions.checkFile(path)) != nil,
      let key = try? DataKey(parsing: PrivateFiles.read(path, limit: 4096)), key.id == id
    else { return nil }
    return path
  }
}
