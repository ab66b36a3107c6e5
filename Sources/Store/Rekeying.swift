import CSQLite
import Time
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What `store rekey` did.
package struct RekeyFacts: Sendable, Equatable {
  package var keyID: String
  package var keySource: String
  /// Nil where there was no key before.
  package var oldKeyID: String?
  package var resealed: Int
  /// What the store itself kept of the old key and has removed; nil where it is kept by the user, or could not be
  /// removed.
  package var removed: String?
  /// Where the old key may still be.
  package var leftover: String?
  /// The key files of earlier runs that were killed, which are gone now.
  package var swept: [String] = []
}

extension Store {
  /// Seals every credential with another key, in one transaction.
  ///
  /// The new key is on the disk, or in its key ring, before the transaction is committed, and the old one is removed
  /// only afterwards: whenever this is cut off, the key that the store names is there. The key file that is left over
  /// then is removed by the next rekey, or ``removeLeftoverKeyFiles()``.
  /// - Throws: ``StoreError`` where a credential does not open with the present key; nothing was changed then.
  package func rekey(to choice: NewKeyChoice) throws(StoreError) -> RekeyFacts {
    let database = try made()
    // A person is asked, and a command is run, while nobody waits for the lock.
    if let record = try keyRecord(in: database) { _ = try loadKey(record) }
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
        // All but the commit: a full disk shows now, while the new key can still be taken back.
        try database.verify(sqlite3_db_cacheflush(database.handle))
      } catch {
        database.rollBack()
        throw error
      }
    } catch {
      if let made { takeBack(made) }
      throw error
    }
    do throws(StoreError) { try database.commit(in: world, tries: 8) } catch {
      // Whether it took place after all is known only when the file is opened again, so both keys stay.
      database.rollBack()
      throw error
    }
    dataKey = new.key
    // The log still holds rows as the old key sealed them; they go with the next process to close it at the latest.
    try? database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    var facts = RekeyFacts(
      keyID: new.key.id, keySource: describe(new.record), oldKeyID: old?.id, resealed: resealed)
    facts.swept = swept
    if let old { (facts.removed, facts.leftover) = remove(old, after: new) }
    // If this fails, the next rekey or `doctor --fix` tries again.
    _ = try? removeLeftoverKeyFiles()
    return facts
  }

  /// A key file of the store's own, made within the write: who else has the lock may remove what is left over.
  private func newOwnKey(replacing old: KeyRecord?) throws(StoreError) -> NewKey {
    let key = DataKey(world.random.bytes(32))
    let replaced = old.flatMap { $0.source == .file ? $0.id : nil }
    try rekeyIntent.add([key.id] + (replaced.map { [$0] } ?? []), world)
    let path = keyLoading.rekeyedFile(key.id)
    try makeKeyFile(key, at: path)
    return NewKey(key, .file, path: path, isMade: true)
  }

  private func reseal(with new: NewKey, in database: Database) throws(StoreError) -> Int {
    let rows = try sealedRows(in: database)
    for row in rows {
      let (place, secret) = try row.get()
      let sealed = try new.key.seal(secret, at: place, nonce: world.random.bytes(12))
      try database.run(
        "UPDATE credential SET key_id = ?, sealed = ? WHERE number = ?", .text(new.key.id), .blob(sealed),
        .integer(place.row))
    }
    try database.run(
      "INSERT OR REPLACE INTO data_key (number, id, source, salt, made_at) VALUES (1, ?, ?, ?, ?)",
      .text(new.key.id), .text(new.record.source.rawValue), .blob(new.record.salt),
      .integer(world.clock.now().milliseconds))
    return rows.count
  }

  private func remove(_ old: KeyRecord, after new: NewKey) -> (removed: String?, leftover: String?) {
    if old.id != new.key.id { try? keyLoading.places.remember(nil, of: old.id, world) }
    switch old.source {
    case .file:
      let path = keyLoading.ownFile(of: old.id)
      // The new key may have been put into the very file of the old one.
      guard !isSameFile(path, new.path) else { return (nil, nil) }
      guard unlink(path) == 0 else { return (nil, path) }
      PrivateFiles.synchroniseFolder(places.state)
      return (path, nil)
    case .keychain, .secretService:
      let name = "key \(old.id) in the \(old.source.words)"
      return SystemKeyring(source: old.source, world: world).forget(id: old.id) ? (name, nil) : (nil, name)
    case .namedFile, .command, .passphrase: return (nil, nil)
    }
  }
}
