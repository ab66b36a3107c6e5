import CSQLite
package import Secrets
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Store {
  /// How often the write lock is asked for before something is spent: another process may hold it during an exchange
  /// of its own.
  private var patientTries: Int { 8 }

  /// Proves that a credential can be written, then runs `obtain`, which spends something that works only once, and
  /// saves what it returns. Where the save fails after all, the secret goes to a recovery file with mode 0600 and
  /// ``StoreError`` names it.
  ///
  /// The write lock is held meanwhile, so exchanges by several processes come one after another.
  /// - Parameter settings: of the profile, saved with it or not at all.
  package func saving(
    _ kind: CredentialKind, userID: String, profile: String, settings: [Profile.Setting: String] = [:],
    obtain: () throws -> Secret
  ) throws -> Secret {
    let database = try made()
    try database.begin(in: world, tries: patientTries)
    let secret: Secret
    do {
      try prove(kind, userID: userID, profile: profile, in: database)
      try database.set(settings, of: profile)
      secret = try obtain()
    } catch {
      database.rollBack()
      throw error
    }
    do throws(StoreError) {
      try seal(secret, as: kind, userID: userID, profile: profile, in: database)
      try database.commit(in: world, tries: patientTries)
      try checkIsInPlace(database)
    } catch {
      database.rollBack()
      throw recovering(secret, kind, from: error)
    }
    return secret
  }

  /// Saves a credential that was obtained already and cannot be obtained again. Whatever stands in the way of that, the
  /// secret goes to a recovery file and ``StoreError`` names it.
  package func keep(
    _ secret: Secret, as kind: CredentialKind, userID: String, profile: String
  ) throws(StoreError) {
    do throws(StoreError) {
      let database = try made()
      try database.write(in: world, tries: patientTries) { database throws(StoreError) in
        try seal(secret, as: kind, userID: userID, profile: profile, in: database)
      }
      try checkIsInPlace(database)
    } catch {
      throw recovering(secret, kind, from: error)
    }
  }

  /// SQLite writes to the file that it has open, even if that was moved or removed in the meantime.
  private func checkIsInPlace(_ database: Database) throws(StoreError) {
    if database.hasMoved { throw file.vanished }
  }

  /// Has SQLite write to the disk and takes it back: whether there is room, and leave, to change anything.
  /// - Throws: ``StoreError``, as a change would.
  package func proveWritable() throws(StoreError) {
    guard let database = try writable() else { return }
    try database.begin(in: world, tries: patientTries)
    defer { database.rollBack() }
    let version = try database.integer("PRAGMA user_version") ?? 0
    try database.execute("PRAGMA user_version = \(version)")
    try database.verify(sqlite3_db_cacheflush(database.handle))
  }

  /// Proves that a credential could be written now, and writes none.
  package func prove(_ kind: CredentialKind, userID: String, profile: String) throws(StoreError) {
    let database = try made()
    try database.begin(in: world, tries: patientTries)
    defer { database.rollBack() }
    try prove(kind, userID: userID, profile: profile, in: database)
  }

  /// Runs `body` while no other process takes its turn: what several would spend at once is spent once.
  /// - Throws: ``StoreError`` where the turn cannot be had, `interrupted` after Ctrl-C; else what `body` throws.
  package func takingTurns<Result>(_ body: () throws -> Result) throws -> Result {
    let path = "\(places.data)/exchange.lock"
    var hasBegun = false
    do {
      try world.files.makeFolder(places.data)
      let notice = tellOfWait.map { tell in
        LockNotice(after: LockPolicy.silence) { tell("Waiting for another ifttt process to finish its exchange.") }
      }
      return try world.files.locked(path, after: notice) {
        hasBegun = true
        return try body()
      }
    } catch let error as SystemError where !hasBegun {
      throw error.number == EINTR ? .interrupted : StoreError(system: error.number, doing: "make", path: path)
    }
  }

  /// Loads the key, seals a credential's worth of bytes and has SQLite write its pages to the disk, all but the commit.
  private func prove(
    _ kind: CredentialKind, userID: String, profile: String, in database: Database
  ) throws(StoreError) {
    guard let probe = Secret(parsing: String(repeating: "0", count: 4096)) else { return }
    try seal(probe, as: kind, userID: userID, profile: profile, in: database)
    try database.verify(sqlite3_db_cacheflush(database.handle))
  }
}
