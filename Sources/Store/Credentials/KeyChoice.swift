import Text
import World

extension Store {
  /// The files of the store, and the files with its keys, including those outside of the program's folders.
  package var privateFiles: [String] {
    [file.path, cacheFile.path] + file.companions + cacheFile.companions + keyFiles
      + [keyLoading.ownFile(of: nil), keyLoading.locations.record.path, credentialCommands.path]
      + keyLoading.locations.files
  }

  var keyLoading: KeyLoading { KeyLoading(world: world, stateFolder: directories.state, prompt: promptForPassphrase) }

  func keyRecord(in database: Database) throws(StoreError) -> KeyRecord? {
    try database.first("SELECT id, source, salt FROM data_key") { row throws(StoreError) in
      let name: String = row["source"]
      guard let source = KeySource(rawValue: name) else {
        throw file.advised(StoreError(code: .damaged, message: "\(file.path): unknown key source \(name)", hint: ""))
      }
      return KeyRecord(id: row["id"], source: source, salt: row["salt"])
    }
  }

  /// Loads the key that the store records. It never falls back to another source.
  func loadKey(_ record: KeyRecord) throws(StoreError) -> DataKey {
    if let dataKey, dataKey.id == record.id { return dataKey }
    let key = try keyLoading.load(record.source, id: record.id, salt: record.salt)
    guard key.id == record.id else {
      throw .wrongKey(needed: record.id, found: key.id, in: record.source.label)
    }
    dataKey = key
    return key
  }

  /// Runs `body`, which loads the store's key. If it fails because other processes replaced the key, runs it again: a rekey
  /// removes the old key, whose id may have been read before.
  /// - Returns: nil if the store does not exist.
  @discardableResult
  func retryingAfterRekey<Result>(_ body: (Database) throws(StoreError) -> Result) throws(StoreError) -> Result? {
    var triesLeft = 8
    while true {
      var before: String?
      do throws(StoreError) {
        guard let database = try openIfExists() else { return nil }
        before = try keyRecord(in: database)?.id
        return try body(database)
      } catch {
        triesLeft -= 1
        // A snapshot would show the old key forever.
        if database?.isSnapshot == true { endSnapshots() }
        guard triesLeft > 0, let database = try openIfExists(), try keyRecord(in: database)?.id != before else {
          throw error
        }
      }
    }
  }

  /// Returns the store's key. For the first credential, it chooses and records one. Runs within a write.
  func keyForSealing(in database: Database) throws(StoreError) -> DataKey {
    if let record = try keyRecord(in: database) { return try loadKey(record) }
    let (key, source, salt) = try chooseKey()
    try database.record(KeyRecord(id: key.id, source: source, salt: salt), at: world.clock.now())
    dataKey = key
    return key
  }

  /// Chooses the first available source. A source named by the user comes first and must work. Next is the system's
  /// keyring, if it stores keys reliably, and last a key file.
  private func chooseKey() throws(StoreError) -> (DataKey, KeySource, salt: [UInt8]) {
    for source in KeySource.allCases {
      guard let variable = source.variable, world.environment[variable]?.isEmpty == false else { continue }
      let salt = source == .passphrase ? world.random.bytes(16) : []
      return (try keyLoading.load(source, id: nil, salt: salt), source, salt)
    }
    // An existing key file was made for this folder earlier.
    if try Permissions.checkFolder(directories.state), try Permissions.checkFile(keyLoading.ownFile(of: nil)) != nil {
      return (try keyLoading.load(.file, id: nil, salt: []), .file, [])
    }
    if let key = try abandonedFirstKey() { return (key, .file, []) }
    let key = DataKey(world.random.bytes(32))
    if let ring = SystemKeyring.available(world), try accepts(ring, key) { return (key, ring.source, []) }
    try makeKeyFile(key, at: keyLoading.ownFile(of: nil))
    return (key, .file, [])
  }

  /// Returns whether the keyring accepts the key. Before the first credential, a keyring that does not work is
  /// skipped, because nothing has been stored in it.
  private func accepts(_ ring: SystemKeyring, _ key: DataKey) throws(StoreError) -> Bool {
    do throws(StoreError) {
      try ring.store(key)
      return true
    } catch {
      if error == .interrupted { throw error }
      return false
    }
  }

  /// Creates a key file and syncs it to disk.
  func makeKeyFile(_ key: DataKey, at path: String) throws(StoreError) {
    try PrivateFiles.makeFolder(directories.state)
    _ = try Permissions.checkFolder(directories.state)
    try PrivateFiles.lockingFolder(directories.state) { () throws(StoreError) in
      let isNew = try TemporaryFile.use(for: path, world) { temporary throws(StoreError) in
        try PrivateFiles.create(temporary, with: key.text)
        return try PrivateFiles.publish(temporary, as: path)
      }
      guard isNew else {
        throw StoreError(
          code: .failed, message: "\(path) was created by another process in the meantime",
          hint: "Run the command again.")
      }
    }
  }
}

extension Database {
  /// Records the key of the store, replacing any other.
  func record(_ key: KeyRecord, at time: Timestamp) throws(StoreError) {
    try run(
      """
      INSERT OR REPLACE INTO data_key (number, id, source, salt, made_at) VALUES (1, :id, :source, :salt, :made_at)
      """, [":id": key.id, ":source": key.source.rawValue, ":salt": key.salt, ":made_at": time])
  }
}
