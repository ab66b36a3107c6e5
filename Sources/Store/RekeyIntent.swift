import JSON
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The key files that a rekey at work may leave behind: the one it makes, and the one it removes at its end.
///
/// It is written before the first of them and removed after the last, so that what a killed rekey left is known
/// exactly. A key file that is not listed here may belong to a backup, which only its owner knows.
struct RekeyIntent {
  let folder: String
  var path: String { "\(folder)/store-rekey.json" }

  /// By the keys' ids; empty unless a rekey is at work or was killed.
  func keyIDs() throws(StoreError) -> [String] {
    guard try Permissions.checkFile(path) != nil else { return [] }
    let value = try? JSONValue(parsing: PrivateFiles.read(path, limit: 1 << 16))
    return value?["keys"]?.array?.compactMap(\.string).filter(Self.isKeyID) ?? []
  }

  /// Written to the disk before it returns. Runs within a write to the store, as all changes of it do.
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
    PrivateFiles.synchroniseFolder(folder)
  }

  func clear() {
    for name in PrivateFiles.names(in: folder) where name.hasPrefix("store-rekey.json.new-") {
      unlink("\(folder)/\(name)")
    }
    if unlink(path) == 0 { PrivateFiles.synchroniseFolder(folder) }
  }

  /// Validates the ids: they become parts of file names and come from a file.
  private static func isKeyID(_ text: String) -> Bool {
    text.utf8.count == 16
      && text.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }
}

extension Store {
  var rekeyIntent: RekeyIntent { RekeyIntent(folder: places.state) }

  /// The key files that a killed rekey left behind, and that nothing is encrypted with any more, or ever was.
  package func leftoverKeyFiles() throws(StoreError) -> [String] {
    guard let database = try existing(), !(try rekeyIntent.keyIDs().isEmpty) else { return [] }
    return try leftoverKeyFiles(in: database)
  }

  /// Removes them.
  /// - Returns: those that are gone now.
  package func removeLeftoverKeyFiles() throws(StoreError) -> [String] {
    guard !(try rekeyIntent.keyIDs().isEmpty), let database = try writable() else { return [] }
    // A rekey that is at work holds the lock, and its keys are not left over.
    try database.begin(in: world, tries: 3)
    defer { database.rollBack() }
    return try sweepKeyFiles(in: database)
  }

  /// The same within a write.
  func sweepKeyFiles(in database: Database) throws(StoreError) -> [String] {
    // Before the first key there is nothing to compare with; the next rekey will tell.
    guard try keyRecord(in: database) != nil, try !rekeyIntent.keyIDs().isEmpty else { return [] }
    let leftovers = try leftoverKeyFiles(in: database)
    let removed = leftovers.filter { unlink($0) == 0 || errno == ENOENT }
    if !removed.isEmpty { PrivateFiles.synchroniseFolder(places.state) }
    if removed.count == leftovers.count { rekeyIntent.clear() }
    return removed
  }

  private func leftoverKeyFiles(in database: Database) throws(StoreError) -> [String] {
    let ids = try rekeyIntent.keyIDs()
    // Of a store with any other key it is not known what the rekey had to do with it.
    guard let present = try keyRecord(in: database)?.id, ids.contains(present) else { return [] }
    var paths: [String] = []
    for id in ids {
      let temporary = "store-\(id).key.new-"
      paths += PrivateFiles.names(in: places.state).filter { $0.hasPrefix(temporary) }.map { "\(places.state)/\($0)" }
      guard id != present else { continue }
      let path = keyLoading.ownFile(of: id)
      guard (try? Permissions.checkFile(path)) != nil else { continue }
      // `store.key` tells by its content alone whose it is.
      guard let key = try? DataKey(parsing: PrivateFiles.read(path, limit: 4096)), key.id == id else { continue }
      paths.append(path)
    }
    return paths
  }
}
