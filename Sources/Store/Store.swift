package import World

/// The two databases of one data folder: `ifttt.db`, which may lose nothing, and `cache.db`, which heals itself.
///
/// Each file is opened when first needed. Reading makes neither files nor folders: a store that is not there reads
/// as an empty one. Every write is one immediate transaction.
package final class Store {
  package let places: Places
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

  /// Opens nothing yet.
  /// - Parameter busyTimeout: how long one try waits for another process's write to end.
  package init(places: Places, world: World, busyTimeout: Duration = .seconds(5)) {
    self.places = places
    self.world = world
    file = DatabaseFile(folder: places.data, schema: .store, busyTimeout: busyTimeout)
    cacheFile = DatabaseFile(folder: places.data, schema: .cache, busyTimeout: busyTimeout)
  }

  /// `ifttt.db`, brought up to the present schema; nil where there is none.
  func existing() throws(StoreError) -> Database? {
    if let database { return database }
    database = try file.open(world)
    return database
  }

  /// `ifttt.db`, made where there is none.
  func made() throws(StoreError) -> Database {
    if let database = try existing() { return database }
    try file.make(world)
    guard let database = try existing() else { throw file.vanished }
    return database
  }

  /// One immediate transaction on `ifttt.db`, which is made where there is none.
  func write<Result>(_ body: (Database) throws(StoreError) -> Result) throws(StoreError) -> Result {
    try made().write(in: world, body)
  }
}
