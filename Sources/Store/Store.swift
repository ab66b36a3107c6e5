package import World

/// The two databases of a data folder: `ifttt.db`, which must not lose data, and `cache.db`, which is recreated if it
/// is corrupt.
///
/// Each file is opened on first use. Reading creates neither files nor folders: a store that does not exist appears
/// empty. Every write is one immediate transaction.
package final class Store {
  package let directories: AppDirectories
  let world: World
  let file: DatabaseFile
  let cacheFile: DatabaseFile
  var database: Database?
  var cacheDatabase: Database?
  /// The identity of the file that `cacheDatabase` has open.
  var cacheIdentity: FileIdentity?
  private(set) lazy var compression = ResponseCompression()
  /// The key, cached because a key command or a passphrase takes time.
  var dataKey: DataKey?
  /// The prompt for a passphrase; nil if no prompt is possible.
  package var promptForPassphrase: PassphraseQuestion?
  private let lockPolicy: LockPolicy
  /// Whether this process has removed the files that killed processes left behind.
  private var hasTidied = false
  /// Whether `ifttt.db` is opened as a read-only snapshot, until something is written to it.
  private var readsSnapshot = false
  /// Whether the file did not exist when its snapshot was requested.
  private var isAbsent = false
  /// Whether `cache.db` is opened as a read-only snapshot, until something is written to it.
  private(set) var readsCacheSnapshot = false
  /// Shows the user what the program is waiting for, if the wait is long; nil to wait silently.
  package var noteWait: ((String) -> Void)? {
    get { lockPolicy.report }
    set { lockPolicy.report = newValue }
  }

  /// Creates a store without opening its files.
  /// - Parameter busyTimeout: The timeout of one attempt to acquire the write lock.
  package init(directories: AppDirectories, world: World, busyTimeout: Duration = .seconds(5)) {
    self.directories = directories
    self.world = world
    let lockPolicy = LockPolicy(world)
    var file = DatabaseFile(folder: directories.data, schema: .store, busyTimeout: busyTimeout)
    var cacheFile = DatabaseFile(folder: directories.data, schema: .cache, busyTimeout: busyTimeout)
    (file.lockPolicy, cacheFile.lockPolicy) = (lockPolicy, lockPolicy)
    (self.file, self.cacheFile, self.lockPolicy) = (file, cacheFile, lockPolicy)
  }

  /// Reads each file in a single transaction if possible, until something is written to it. Opening is then faster. Only
  /// for a command that does not wait for changes of other processes and does not write while it reads rows.
  /// - Parameter ofCache: Whether this applies to `cache.db` too. A write then opens that file a second time.
  package func readSnapshots(ofCache: Bool = true) { (readsSnapshot, readsCacheSnapshot) = (true, ofCache) }

  /// Opens both files normally from now on, because something will be written. SQLite cannot write to a file of which
  /// the same process has a snapshot.
  func endSnapshots() {
    (readsSnapshot, isAbsent) = (false, false)
    if database?.isSnapshot == true { database = nil }
    endCacheSnapshot()
  }

  /// Opens `cache.db` normally from now on, because something will be written to it alone.
  func endCacheSnapshot() {
    readsCacheSnapshot = false
    if cacheDatabase?.isSnapshot == true { cacheDatabase = nil }
  }

  /// Returns `ifttt.db`, migrated to the current schema, for reading; nil if it does not exist. It is also readable,
  /// but not writable, on a full or read-only disk.
  func openIfExists() throws(StoreError) -> Database? {
    if let database { return database }
    guard !isAbsent else { return nil }
    database = try file.open(world, asSnapshot: readsSnapshot)
    isAbsent = readsSnapshot && database == nil
    return database
  }

  /// Returns `ifttt.db` for writing; nil if it does not exist.
  /// - Throws: ``StoreError`` if the disk is not writable.
  func writable() throws(StoreError) -> Database? {
    endSnapshots()
    // The disk may have free space again.
    if database?.readOnlyReason != nil { database = nil }
    let database = try openIfExists()
    if let reason = database?.readOnlyReason { throw reason }
    return database
  }

  /// Returns `ifttt.db`, which is created if it does not exist.
  func openOrCreate() throws(StoreError) -> Database {
    if let database = try writable() { return database }
    try file.make(world)
    guard let database = try writable() else { throw file.vanished }
    return database
  }

  /// Runs `body` in an immediate transaction on `ifttt.db`, which is created if it does not exist.
  func write<Result>(_ body: (Database) throws(StoreError) -> Result) throws(StoreError) -> Result {
    tidy()
    return try openOrCreate().write(in: world, body)
  }

  /// Like ``write(_:)``, but creates no file.
  /// - Returns: nil if `ifttt.db` does not exist.
  @discardableResult
  func writeExisting<Result>(_ body: (Database) throws(StoreError) -> Result) throws(StoreError) -> Result? {
    try openIfExists() == nil ? nil : write(body)
  }

  /// Runs one statement on `ifttt.db` in a transaction, and returns the number of rows it changed.
  @discardableResult
  func run(_ sql: String, _ parameters: SQLParameters) throws(StoreError) -> Int {
    try write { database throws(StoreError) in try database.run(sql, parameters) }
  }

  /// Removes the files that killed processes left behind, once.
  func tidy() {
    guard !hasTidied else { return }
    hasTidied = true
    removeAbandonedFiles()
  }
}
