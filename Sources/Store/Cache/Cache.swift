import JSON
package import Text
package import World

// `cache.db` is disposable, so corruption is not an error: the file is moved aside and recreated.
extension Store {
  /// Runs `body` on the cache; returns nil if there is no cache.
  func readCache<Result>(_ body: (Database) throws(StoreError) -> Result) throws(StoreError) -> Result? {
    try healing { () throws(StoreError) -> Result? in
      guard let cache = try existingCache() else { return nil }
      return try body(cache)
    }
  }

  /// Opens the cache, if there is one, before a change of `ifttt.db` that the cache has to follow. A cache that cannot be
  /// used is then reported before anything is changed.
  package func checkCache() throws(StoreError) { _ = try readCache { _ in true } }

  /// Runs `body` in an immediate transaction on the cache, which is created if it does not exist.
  func writeCache<Result>(_ body: (Database) throws(StoreError) -> Result) throws(StoreError) -> Result {
    try healing { () throws(StoreError) in
      endCacheSnapshot()
      // The disk may have free space again.
      if cacheDatabase?.readOnlyReason != nil { cacheDatabase = nil }
      if try existingCache() == nil { try cacheFile.make(world) }
      guard let cache = try existingCache() else { throw cacheFile.vanished }
      if let reason = cache.readOnlyReason { throw reason }
      return try cache.write(in: world, body)
    }
  }

  /// Like ``writeCache(_:)``, but creates no cache.
  /// - Returns: nil if there is no cache.
  @discardableResult
  func writeExistingCache<Result>(_ body: (Database) throws(StoreError) -> Result) throws(StoreError) -> Result? {
    try readCache { _ in true } == nil ? nil : writeCache(body)
  }

  /// Continues with an in-memory cache for this run if the disk is not writable. It starts with the content of the
  /// file, if that is readable, and `body` can change it.
  /// - Parameter reason: The reason the file could not be written.
  func changeCacheInMemory<Result>(
    because reason: StoreError, _ body: (Database) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    guard [.readOnly, .full, .unreadable].contains(reason.code) else { throw reason }
    let memory = try Database(inMemoryFor: cacheFile, because: reason)
    if let cache = try? existingCache() {
      try cache.copyContent(to: memory)
    } else {
      for migration in cacheFile.schema.migrations { try memory.execute(migration.sql) }
    }
    let result = try memory.write(in: world, body)
    cacheDatabase = memory
    return result
  }

  /// Deletes all cached data of a profile.
  func forgetCache(of profile: String) throws(StoreError) {
    try writeExistingCache { cache throws(StoreError) in
      for table in ["mirror", "applet_list", "field_options", "provided_list"] {
        try cache.run("DELETE FROM \(table) WHERE profile = :profile", [":profile": profile])
      }
    }
  }

  private func existingCache() throws(StoreError) -> Database? {
    if let cacheDatabase { return cacheDatabase }
    cacheIdentity = try? Permissions.checkFile(cacheFile.path)
    cacheDatabase = try cacheFile.open(world, asSnapshot: readsCacheSnapshot)
    return cacheDatabase
  }

  /// Runs `body` again with a new file if the existing one is foreign or corrupt.
  private func healing<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    do throws(StoreError) { return try body() } catch {
      guard error.code == .damaged || error.code == .foreign else { throw error }
      cacheDatabase = nil
      try cacheFile.setAside(cacheIdentity, world)
      return try body()
    }
  }
}

extension DatabaseFile {
  /// The error for corruption found after part of a listing was already output, so that a retry would repeat that
  /// part.
  var interruptedListing: StoreError {
    StoreError(
      code: .failed, message: "\(path) was damaged and is rebuilt, so this list is incomplete",
      hint: "Run the command again.")
  }
}

/// The identity a fetch is made with. IFTTT returns a different status to each user, so responses for one identity
/// are not valid for another.
package struct RequestIdentity: Sendable, Equatable {
  /// A stable, nonempty description without secrets.
  let key: String

  /// - Parameter parts: The parts that distinguish identities: the level, the credential and the user.
  package init(_ parts: String...) { key = parts.joined(separator: " ") }

  /// Returns a value that distinguishes secrets without revealing them: the first eight bytes of the SHA-256 hash, in
  /// hexadecimal.
  package static func fingerprint(of secret: Secret) -> String {
    SHA256.hash(Array(secret.revealed.utf8)).prefix(8).hex
  }
}

extension Store {
  /// Returns whether the cached connections were fetched with this identity.
  package func belongs(to identity: RequestIdentity, profile: String) throws(StoreError) -> Bool {
    let key = try mirrored(profile) { cache, mirror throws(StoreError) in try cache.identity(ofMirror: mirror.number) }
    return key == identity.key
  }
}

extension Database {
  /// The condition for connections that were last fetched with one of these statuses; if there are none, for all.
  static func condition(on statuses: [String]) -> (sql: String, SQLParameters) {
    guard !statuses.isEmpty else { return ("TRUE", [:]) }
    let list = JSONValue.array(statuses.map(JSONValue.string)).text
    return ("document IS NOT NULL AND status IN (SELECT value FROM json_each(:statuses))", [":statuses": list])
  }

  func identity(ofMirror number: Int64) throws(StoreError) -> String {
    try text("SELECT asked_as FROM mirror WHERE number = :mirror", [":mirror": number]) ?? ""
  }

  /// Assigns the mirror to the identity. Data fetched with another identity is deleted, and fetched again when it is
  /// next needed.
  func assign(_ mirror: inout Mirror, to identity: RequestIdentity) throws(StoreError) {
    // SQLite holds the pages that a statement changes in memory until the statement ends, so each changes 256 rows. The
    // order is that of an index.
    let part = """
      FROM connection WHERE mirror = :mirror AND fetched_at <> 0
      ORDER BY fetched_at DESC, name DESC, id DESC LIMIT 256
      """
    repeat {
      try run("DELETE FROM response WHERE number IN (SELECT response \(part))", [":mirror": mirror.number])
      try run(
        """
        UPDATE connection SET name = '', status = 'unknown', fetched_at = 0, document = NULL, response = NULL,
          state = NULL, pending = NULL, services = NULL
        WHERE mirror = :mirror AND id IN (SELECT id \(part))
        """, [":mirror": mirror.number])
    } while changedRows > 0
    try run(
      "UPDATE mirror SET asked_as = :identity WHERE number = :mirror",
      [":identity": identity.key, ":mirror": mirror.number])
    try setRefresh(0, of: &mirror)
  }
}

/// A connection as last fetched.
package struct CachedConnection: Sendable, Equatable {
  package var id: String
  package var name: String
  /// The status: `enabled`, `disabled`, `never_enabled` or `unknown`.
  package var status: String
  /// The program's own JSON object, compact, up to and including `cover_images` and without the closing brace.
  package var document: [UInt8]
  /// IFTTT's response, byte for byte.
  package var raw: [UInt8]
  package var fetchedAt: Timestamp
  /// A hash of its state, to compare it with a file. Nil if unknown.
  package var state: [UInt8]?
  package init(
    id: String, name: String, status: String, document: [UInt8], raw: [UInt8], fetchedAt: Timestamp,
    state: [UInt8]? = nil
  ) {
    self.id = id
    self.name = name
    self.status = status
    self.document = document
    self.raw = raw
    self.fetchedAt = fetchedAt
    self.state = state
  }
}

extension Store {
  /// A cached connection in a listing. Its buffer is valid only during the callback. It contains only what a listing
  /// shows, because in SQLite each further column takes as long as copying the document.
  package struct CachedRow {
    package let document: UnsafeRawBufferPointer
    package let fetchedAt: Timestamp
  }

  /// The part of a cached connection that a listing can show without reading its document. It and its buffers are valid
  /// only during the callback. A column that is not needed is not read, because each takes time.
  package struct CachedSummary {
    fileprivate let columns: SummaryColumns
    package let fetchedAt: Timestamp
    package var id: UnsafeRawBufferPointer { columns.id.buffer }
    package var name: UnsafeRawBufferPointer { columns.name.buffer }
    package var status: UnsafeRawBufferPointer { columns.status.buffer }
    /// Whether its configuration was skipped.
    package var isPending: Bool { computed?.isPending ?? columns.pending.value() }

    /// Appends its services, each with its short name: a JSON array of objects.
    package func appendServices(to json: inout [UInt8]) {
      if let services = computed?.services {
        json.append(contentsOf: services)
      } else {
        json.append(contentsOf: columns.services.buffer)
      }
    }

    /// Of a connection that was fetched before these were stored in columns.
    private var computed: ListColumns? { columns.services.isNull ? ListColumns(columns.document.buffer) : nil }
  }

  /// Calls `body` with each tracked connection that has been fetched, using bounded memory.
  ///
  /// The order is by name and then by id. Names are compared by their UTF-8 bytes, ignoring the case of ASCII
  /// letters.
  /// - Parameter statuses: Only connections with one of these statuses; all connections if it is empty.
  /// - Throws: ``StoreError``, and any error of `body`, which ends the listing.
  package func forEachCached(
    profile: String, statuses: [String] = [], _ body: (CachedRow) throws -> Void
  ) throws {
    try list(
      "fetched_at, document", profile, statuses,
      in: { (fetchedAt: $0.column("fetched_at"), document: $0.column("document")) }
    ) { columns, mirror in
      // Checked here rather than in the query, which would fetch the column twice.
      guard !columns.document.isNull else { return false }
      let fetchTime = mirror.fetchTime(ofRow: columns.fetchedAt.value())
      try body(CachedRow(document: columns.document.buffer, fetchedAt: Timestamp(milliseconds: fetchTime)))
      return true
    }
  }

  /// Calls `body` with the summary of each tracked connection that has been fetched. Otherwise like
  /// ``forEachCached(profile:statuses:_:)``, which takes longer.
  package func forEachCachedSummary(
    profile: String, statuses: [String] = [], _ body: (CachedSummary) throws -> Void
  ) throws {
    try list(SummaryColumns.names, profile, statuses, in: { SummaryColumns($0) }) { columns, mirror in
      let fetchTime = mirror.fetchTime(ofRow: columns.fetchedAt.value())
      guard fetchTime != 0 else { return false }
      try body(CachedSummary(columns: columns, fetchedAt: Timestamp(milliseconds: fetchTime)))
      return true
    }
  }

  /// - Parameters:
  ///   - columns: Looks up the selected columns, once.
  ///   - body: Returns whether it used the row. Its error ends the listing.
  private func list<Columns>(
    _ selected: String, _ profile: String, _ statuses: [String], in columns: (borrowing Statement) -> Columns,
    _ body: (Columns, Mirror) throws -> Bool
  ) throws {
    let (condition, parameters) = Database.condition(on: statuses)
    let sql = "SELECT \(selected) FROM connection WHERE mirror = :mirror AND \(condition) ORDER BY name, id"
    var hasBegun = false
    var bodyError: (any Error)?
    _ = try mirrored(profile) { cache, mirror throws(StoreError) in
      guard !hasBegun else { throw cacheFile.interruptedListing }
      let statement = try cache.prepare(sql)
      try statement.bind([":mirror": mirror.number] + parameters)
      let columns = columns(statement)
      while try statement.step() {
        do { if try body(columns, mirror) { hasBegun = true } } catch {
          (hasBegun, bodyError) = (true, error)
          return
        }
      }
    }
    if let bodyError { throw bodyError }
  }
}

/// The columns of a ``Store/CachedSummary``.
private struct SummaryColumns {
  static let names = """
    fetched_at, id, name, status, pending, services, CASE WHEN services IS NULL THEN document END AS document
    """

  let fetchedAt, id, name, status, pending, services, document: SQLColumn

  init(_ statement: borrowing Statement) {
    (fetchedAt, id) = (statement.column("fetched_at"), statement.column("id"))
    (name, status) = (statement.column("name"), statement.column("status"))
    (pending, services) = (statement.column("pending"), statement.column("services"))
    document = statement.column("document")
  }
}
