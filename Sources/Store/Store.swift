package import World

/// The two databases of one data folder: `ifttt.db`, which may lose nothing, and `cache.db`, which heals itself.
///
/// Each file is opened when first needed. Reading makes neither files nor folders: a store that is not there reads
/// as an empty one. Every write is one immediate transaction.
package final class Store {
  package let places: AppDirectories
  let world: World
  let file: DatabaseFile
  let cacheFile: DatabaseFile
  var database: Database?
  var cacheDatabase: Database?
  /// Of the file that `cacheDatabase` has open.
  var cacheIdentity: FileIdentity?
  /// Kept once it was asked for, since a key command or a passphrase takes its time.
  var dataKey: DataKey?
  /// How a person is asked for a passphrase; nil where nobody can be asked.
  package var askPassphrase: PassphraseQuestion?
  private let patience: LockPolicy
  /// Tells the user what the program waits for, once that takes longer than two seconds; nil to wait in silence.
  package var tellOfWait: ((String) -> Void)? {
    get { patience.tell }
    set { patience.tell = newValue }
  }

  /// Opens nothing yet.
  /// - Parameter busyTimeout: how long one try waits for another process's write to end.
  package init(places: AppDirectories, world: World, busyTimeout: Duration = .seconds(5)) {
    self.places = places
    self.world = world
    let patience = LockPolicy(world)
    var file = DatabaseFile(folder: places.data, schema: .store, busyTimeout: busyTimeout)
    var cacheFile = DatabaseFile(folder: places.data, schema: .cache, busyTimeout: busyTimeout)
    (file.patience, cacheFile.patience) = (patience, patience)
    (self.file, self.cacheFile, self.patience) = (file, cacheFile, patience)
  }

  /// `ifttt.db`, brought up to the present schema, for reading; nil if there is none. It can be read from a full or
  /// read-only disk, and is then not writable.
  func existing() throws(StoreError) -> Database? {
    if let database { return database }
    database = try file.open(world)
    return database
  }

  /// The same for a change.
  /// - Throws: ``StoreError`` if the disk is not writable.
  func writable() throws(StoreError) -> Database? {
    // There may be room by now.
    if database?.readOnlyReason != nil { database = nil }
    let database = try existing()
    if let reason = database?.readOnlyReason { throw reason }
    return database
  }

  /// `ifttt.db`, made where there is none.
  func made() throws(StoreError) -> Database {
    if let database = try writable() { return database }
    try file.make(world)
    guard let database = try writable() else { throw file.vanished }
    return database
  }

  /// One immediate transaction on `ifttt.db`, which is made where there is none.
  func write<Result>(_ body: (Database) throws(StoreError) -> Result) throws(StoreError) -> Result {
    try made().write(in: world, body)
  }
}
