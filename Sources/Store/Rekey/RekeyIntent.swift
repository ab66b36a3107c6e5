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
    let temporary = temporaryName(for: path, world)
    let value: JSONValue = ["keys": .array(all.map { .string($0) })]
    try PrivateFiles.create(temporary, with: value.bytes + [0x0a])
    guard rename(temporary, path) == 0 else {
      let number = errno
      unlink(temporary)
      throw StoreError(system: number, doing: "write", path: path)
    }
    PrivateFiles.synchronizeFolder(folder)
  }

  func clear() {
    for name in PrivateFiles.names(in: folder) where name.hasPrefix("store-rekey.json.new-") {
      unlink("\(folder)/\(name)")
    }
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
    guard try keyRecord(in: database) != nil, try !rekeyIntent.keyIDs().isEmpty else { return [] }
    let leftovers = try leftoverKeyFiles(in: database)
    let removed = leftovers.filter { unlink($0) == 0 || errno == ENOENT }
    if !removed.isEmpty { PrivateFiles.synchronizeFolder(directories.state) }
    if removed.count == leftovers.count { rekeyIntent.clear() }
    return removed
  }

  private func leftoverKeyFiles(in database: Database) throws(StoreError) -> [String] {
    let ids = try rekeyIntent.keyIDs()
    // If the store uses a key that is not listed, the rekey's relation to the listed keys is unknown.
    guard let present = try keyRecord(in: database)?.id, ids.contains(present) else { return [] }
    var paths: [String] = []
    for id in ids {
      let temporary = "store-\(id).key.new-"
      paths += PrivateFiles.names(in: directories.state).filter { $0.hasPrefix(temporary) }.map {
        "\(directories.state)/\($0)"
      }
      guard id != present else { continue }
      let path = keyLoading.ownFile(of: id)
      guard (try? Permissions.checkFile(path)) != nil else { continue }
      // The name `store.key` does not contain the id, so check the content.
      guard let key = try? DataKey(parsing: PrivateFiles.read(path, limit: 4096)), key.id == id else { continue }
      paths.append(path)
    }
    return paths
  }
}
