import CSQLite
import JSON
package import Text
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Store {
  /// The number of attempts to acquire the write lock. It is large, because another process may hold the lock during
  /// its own exchange.
  private var lockAttempts: Int { 8 }

  /// Verifies that a credential can be written, then runs `obtain`, which spends a single-use value, and saves its
  /// result. If the save fails after that, the secret goes to a recovery file with mode 0600, and the ``StoreError``
  /// names the file.
  ///
  /// The write lock is held throughout, so that exchanges by several processes run one after another.
  /// - Parameter settings: Settings of the profile, saved in the same transaction.
  package func saving(
    _ kind: CredentialKind, userID: String, profile: String, settings: [Profile.Setting: String] = [:],
    obtain: () throws -> Secret
  ) throws -> Secret {
    let database = try openOrCreate()
    try database.begin(in: world, tries: lockAttempts)
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
      try database.commit(in: world, tries: lockAttempts)
      try checkIsInPlace(database)
    } catch {
      database.rollBack()
      throw recovering(secret, kind, from: error)
    }
    return secret
  }

  /// Saves a credential that cannot be obtained again. If this fails for any reason, the secret goes to a recovery
  /// file, and the ``StoreError`` names the file.
  package func saveOrRecover(
    _ secret: Secret, as kind: CredentialKind, userID: String, profile: String
  ) throws(StoreError) {
    do throws(StoreError) {
      let database = try openOrCreate()
      try database.write(in: world, tries: lockAttempts) { database throws(StoreError) in
        try seal(secret, as: kind, userID: userID, profile: profile, in: database)
      }
      try checkIsInPlace(database)
    } catch {
      throw recovering(secret, kind, from: error)
    }
  }

  /// Saves credentials of many users that cannot be obtained again, in one transaction. If this fails for any reason,
  /// they go to a recovery file as JSON Lines, and the ``StoreError`` names the file.
  /// - Parameter journal: The journal of the run, which marks the users as done if and only if their credentials are
  ///   saved.
  package func saveOrRecover(
    _ secrets: [(userID: String, secret: Secret)], as kind: CredentialKind, profile: String,
    in journal: Journal? = nil
  ) throws(StoreError) {
    do throws(StoreError) {
      let database = try openOrCreate()
      let run = try database.write(in: world, tries: lockAttempts) { database throws(StoreError) in
        for (userID, secret) in secrets {
          try seal(secret, as: kind, userID: userID, profile: profile, in: database)
        }
        return try journal?.insert(savedCredentialsOf: secrets.map(\.userID), in: database)
      }
      if let run { journal?.didInsert(secrets.count, of: run) }
      try checkIsInPlace(database)
    } catch {
      let lines = secrets.map { userID, secret in
        JSONValue.object(["user_id": .string(userID), "credential": .string(secret.revealed)]).text
      }
      throw recovering(lines.joined(separator: "\n"), named: kind.rawValue, as: "\(kind.name.noun)s", from: error)
    }
  }

  /// Checks that the file is still in place. SQLite writes to its open file even if that was moved or removed in the
  /// meantime.
  private func checkIsInPlace(_ database: Database) throws(StoreError) {
    if database.hasMoved { throw file.vanished }
  }

  /// Verifies free disk space and write access: SQLite writes a change to disk, which is then rolled back.
  /// - Throws: ``StoreError``, as a real change would.
  package func proveWritable() throws(StoreError) {
    guard let database = try writable() else { return }
    try database.begin(in: world, tries: lockAttempts)
    defer { database.rollBack() }
    // A flush skips pages in use, such as the first page. A new table also changes other pages.
    try database.execute("CREATE TABLE proof (bytes BLOB); INSERT INTO proof VALUES (zeroblob(4096))")
    try database.verify(sqlite3_db_cacheflush(database.handle))
  }

  /// Verifies that a credential could be written now, without writing one.
  package func prove(_ kind: CredentialKind, userID: String, profile: String) throws(StoreError) {
    let database = try openOrCreate()
    try database.begin(in: world, tries: lockAttempts)
    defer { database.rollBack() }
    try prove(kind, userID: userID, profile: profile, in: database)
  }

  /// Runs `body` under a lock, so that concurrent processes spend a shared single-use value only once.
  /// - Throws: ``StoreError`` if the lock cannot be acquired, `interrupted` after Ctrl-C; also rethrows the errors of
  ///   `body`.
  package func withExchangeLock<Result>(_ body: () throws -> Result) throws -> Result {
    let path = "\(directories.data)/exchange.lock"
    var hasBegun = false
    do {
      try world.files.makeFolder(directories.data)
      let notice = noteWait.map { report in
        LockNotice(after: LockPolicy.silence) { report("Waiting for another ifttt process to finish its exchange.") }
      }
      return try world.files.locked(path, after: notice) {
        hasBegun = true
        return try body()
      }
    } catch let error as SystemError where !hasBegun {
      throw error.number == EINTR ? .interrupted : StoreError(system: error.number, doing: "create", path: path)
    }
  }

  /// Loads the key, encrypts bytes of a credential's size, and makes SQLite write the pages to disk, without a
  /// commit.
  private func prove(
    _ kind: CredentialKind, userID: String, profile: String, in database: Database
  ) throws(StoreError) {
    guard let probe = Secret(parsing: String(repeating: "0", count: 4096)) else { return }
    try seal(probe, as: kind, userID: userID, profile: profile, in: database)
    try database.verify(sqlite3_db_cacheflush(database.handle))
  }

  /// Writes an unsaved secret to a recovery file, and returns an error that names the file.
  func recovering(_ secret: Secret, _ kind: CredentialKind, from error: StoreError) -> StoreError {
    recovering(secret.revealed, named: kind.rawValue, as: kind.name.noun, from: error)
  }

  /// Writes the text of unsaved secrets to a recovery file, and returns an error that names the file.
  /// - Parameter label: The name of the text for the error.
  func recovering(_ text: String, named kind: String, as label: String, from error: StoreError) -> StoreError {
    let name = "recovered-\(kind)-\(world.random.bytes(6).hex)"
    let temporaryFolder = world.environment[.temporaryFolder].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    var failure = error
    for folder in [directories.state, world.path(temporaryFolder)] {
      let path = "\(folder)/\(name)"
      do throws(StoreError) {
        try PrivateFiles.makeFolder(folder)
        try PrivateFiles.create(path, with: Array("\(text)\n".utf8))
      } catch { continue }
      failure.message = "the \(label) was obtained, but not saved in the store (\(error.message)); it is in \(path)"
      failure.hint =
        "Save the \(label) from that file once the store can be written, and delete the file. \(error.hint)"
      return failure
    }
    failure.message = "the \(label) was obtained, but it could not be saved anywhere (\(error.message))"
    failure.hint = "Obtain a new one once the store can be written. \(error.hint)"
    return failure
  }
}
