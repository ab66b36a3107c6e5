import CSQLite
import JSON
import Text
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The result of `store rekey`.
package struct RekeyFacts: Sendable, Equatable {
  package var keyID: String
  package var keySource: String
  /// The id of the old key; nil if there was none.
  package var oldKeyID: String?
  /// The number of credentials that were encrypted with the new key.
  package var resealed: Int
  /// The store's own copy of the old key that was removed; nil if the user keeps the key, or if it could not be
  /// removed.
  package var removed: String?
  /// The location where the old key may still be.
  package var leftover: String?
  /// The removed key files of earlier runs that were killed.
  package var swept: [String] = []
}

extension Store {
  /// Encrypts every credential with another key, in one transaction.
  ///
  /// The new key is on disk or in its keyring before the commit, and the old one is removed only after it. If the
  /// program ends at any point, the key that the store names is therefore available. The leftover key file is removed
  /// by the next rekey or by ``removeLeftoverKeyFiles()``.
  /// - Throws: ``StoreError`` if a credential cannot be decrypted with the current key. Nothing is changed in that
  ///   case.
  package func rekey(to choice: NewKeyChoice) throws(StoreError) -> RekeyFacts {
    tidy()
    let database = try openOrCreate()
    // Prompts and commands for the key come first, so that no other process has to wait for the lock meanwhile.
    try retryingAfterRekey { database throws(StoreError) in
      if let record = try keyRecord(in: database) { _ = try loadKey(record) }
    }
    var made = try newKey(choice)
    let new: NewKey
    let old: KeyRecord?
    let resealed: Int
    let swept: [String]
    do throws(StoreError) {
      try database.begin(in: world, tries: 8)
      do throws(StoreError) {
        old = try keyRecord(in: database)
        swept = try sweepKeyFiles(in: database)
        if let made {
          new = made
          if let old, old.source == .file { try rekeyIntent.add([new.key.id, old.id], world) }
        } else {
          new = try newOwnKey(replacing: old)
          made = new
        }
        resealed = try reseal(with: new, in: database)
        // This writes everything but the commit. A full disk is detected now, while the new key can still be
        // discarded.
        try database.verify(sqlite3_db_cacheflush(database.handle))
      } catch {
        database.rollBack()
        throw error
      }
    } catch {
      if let made { withdraw(made) }
      throw error
    }
    do throws(StoreError) { try database.commit(in: world, tries: 8) } catch {
      // Only reopening the file reveals whether the commit took place, so both keys must stay.
      database.rollBack()
      throw error
    }
    dataKey = new.key
    // The log still contains rows encrypted with the old key. They are removed at the latest when the last process
    // closes the file.
    try? database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    var facts = RekeyFacts(
      keyID: new.key.id, keySource: describe(new.record), oldKeyID: old?.id, resealed: resealed)
    facts.swept = swept
    if let old { (facts.removed, facts.leftover) = remove(old, after: new) }
    // If this fails, the next rekey or `doctor --fix` tries again.
    _ = try? removeLeftoverKeyFiles()
    return facts
  }

  /// Creates the store's own key file. This happens within the write, because another holder of the lock may remove
  /// leftover key files.
  private func newOwnKey(replacing old: KeyRecord?) throws(StoreError) -> NewKey {
    let replaced = old.flatMap { $0.source == .file ? $0.id : nil }
    if old == nil, let key = try abandonedFirstKey() {
      return NewKey(key, .file, path: keyLoading.rekeyedFile(key.id), isMade: true)
    }
    let key = DataKey(world.random.bytes(32))
    try rekeyIntent.add([key.id] + (replaced.map { [$0] } ?? []), world)
    let path = keyLoading.rekeyedFile(key.id)
    try makeKeyFile(key, at: path)
    return NewKey(key, .file, path: path, isMade: true)
  }

  private func reseal(with new: NewKey, in database: Database) throws(StoreError) -> Int {
    let rows = try decryptedRows(in: database)
    for row in rows {
      let (context, secret) = try row.get()
      let sealed = try new.key.seal(secret, context: context, nonce: world.random.bytes(12))
      try database.run(
        "UPDATE credential SET key_id = :key_id, sealed = :sealed WHERE number = :number",
        [":key_id": new.key.id, ":sealed": sealed, ":number": context.row])
    }
    try database.record(new.record, at: world.clock.now())
    return rows.count
  }

  private func remove(_ old: KeyRecord, after new: NewKey) -> (removed: String?, leftover: String?) {
    if old.id != new.key.id { try? keyLoading.locations.remember(nil, of: old.id, world) }
    switch old.source {
    case .file:
      let path = keyLoading.ownFile(of: old.id)
      // The new key may have been written to the same file as the old one.
      guard !isSameFile(path, new.path) else { return (nil, nil) }
      guard unlink(path) == 0 else { return (nil, path) }
      PrivateFiles.synchronizeFolder(directories.state)
      return (path, nil)
    case .keychain, .secretService:
      let name = "key \(old.id) in the \(old.source.label)"
      return SystemKeyring(source: old.source, world: world).forget(id: old.id) ? (name, nil) : (nil, name)
    case .namedFile, .command, .passphrase: return (nil, nil)
    }
  }
}

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
    try PrivateFiles.replace(path, with: value.bytes + [0x0a], world)
  }

  func clear() {
    if unlink(path) == 0 { PrivateFiles.synchronizeFolder(folder) }
  }

  /// Validates an id that was read from a file, because it becomes part of a file name.
  private static func isKeyID(_ text: String) -> Bool {
    text.utf8.count == 16
      && text.utf8.allSatisfy(\.isLowercaseHexadecimal)
  }
}

extension Store {
  var rekeyIntent: RekeyIntent { RekeyIntent(folder: directories.state) }

  /// Returns the key files left behind by a killed rekey. No credential is encrypted with them, or ever was.
  package func leftoverKeyFiles() throws(StoreError) -> [String] {
    guard let database = try openIfExists(), !(try rekeyIntent.keyIDs().isEmpty) else { return [] }
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
    // If the store uses a key that is not listed, the rekey's relation to the listed keys is unknown. A single listed
    // key, however, is a new one that a rekey created to replace a key outside the store's own files.
    guard let present = try keyRecord(in: database)?.id, ids.contains(present) || ids.count == 1 else { return [] }
    var paths: [String] = []
    for id in ids where id != present {
      let uses = try database.integer("SELECT count(*) FROM credential WHERE key_id = :id", [":id": id])
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
