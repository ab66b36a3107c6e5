import Foundation
import Store
import Text
import World

/// A temporary folder for one test, with its stores.
final class TestHome {
  let path: String
  let clock = TestClock()
  var environment: [String: String] = [:]
  var processes: any Processes = NoProcesses()

  init() {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("store-\(UUID().uuidString)").path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var storePath: String { "\(path)/ifttt.db" }
  var cachePath: String { "\(path)/cache.db" }

  var world: World {
    var world = World.live()
    world.environment = Environment(environment)
    world.clock = clock
    world.processes = processes
    world.workingFolder = path
    return world
  }

  /// Returns a new store for the folder, as another command would open it.
  func store() -> Store {
    Store(directories: AppDirectories(all: path), world: world, busyTimeout: .milliseconds(1))
  }

  /// What completion shows of the default profile's connections.
  func connectionNames() -> [(id: String, name: String)] {
    CompletionQueries(store()).connections(profile: "default", prefix: "")
  }

  func names() -> [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

  /// Without the write-ahead logs and their shared memory, which SQLite keeps.
  func namesWithoutLogs() -> [String] { names().filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") } }

  func bytes(_ name: String) -> [UInt8] { [UInt8](FileManager.default.contents(atPath: "\(path)/\(name)") ?? Data()) }

  func write(_ bytes: [UInt8], to name: String, mode: Int = 0o600) throws {
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    try setMode(mode, of: name)
  }

  func setMode(_ mode: Int, of name: String = "") throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: "\(path)/\(name)")
  }

  func mode(of name: String = "") throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
    return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
  }

  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(path)/\(name)") }

  /// Opens the file directly with SQLite, without the store.
  func database(_ schema: Schema = .store) throws -> Database {
    let file = DatabaseFile(folder: path, schema: schema, busyTimeout: .milliseconds(1))
    return try Database(path: file.path, as: file)
  }
}

/// A clock that the test sets. Its sleeps return immediately.
///
/// All mutable state is guarded by `lock`.
final class TestClock: Clock, @unchecked Sendable {
  private let lock = NSLock()
  private var time = Timestamp(milliseconds: 1_800_000_000_000)

  func now() -> Timestamp { lock.withLock { time } }
  func monotonic() -> Duration { .zero }
  func sleep(for duration: Duration) {}
  func set(_ time: Timestamp) { lock.withLock { self.time = time } }
}

/// An implementation without any programs.
final class NoProcesses: Processes {
  let id: Int32 = 1
  func run(_ arguments: [String], input: [UInt8], limit: Duration, seeing variables: EnvironmentFilter)
    throws(SystemError) -> ProcessResult
  {
    throw SystemError(number: ENOENT, call: "posix_spawnp")
  }
  func openBrowser(_ url: String, with command: String?) throws(SystemError) {}
  func startAgain(_ arguments: [String]) throws(SystemError) {}
}

extension Store {
  /// Returns all tracked ids, whether or not they were fetched.
  func trackedIDs(profile: String) throws(StoreError) -> [String] {
    try tracked(fetchedBefore: Timestamp(milliseconds: .max), profile: profile).sorted()
  }
}

let token = secret("token-e1hM0123456789abcdef4aTz")

func secret(_ text: String) -> Secret {
  guard let secret = Secret(parsing: text) else { preconditionFailure("not a secret: \(text)") }
  return secret
}

func connection(_ id: String, name: String = "", status: String = "enabled", at time: Int64 = 1000) -> CachedConnection
{
  CachedConnection(
    id: id, name: name, status: status, document: Array("{\"id\":\"\(id)\"".utf8), raw: Array("raw \(id)".utf8),
    fetchedAt: Timestamp(milliseconds: time))
}

extension Store.CachedRow {
  /// The id in the document of ``connection(_:name:status:at:)``.
  var id: String {
    String(decoding: document, as: UTF8.self).split(separator: "\"").dropFirst(3).first.map(String.init) ?? ""
  }
}

/// Returns the error thrown by `body`; nil if there is none or it is not a ``StoreError``.
func failure(_ body: () throws -> Void) -> StoreError? {
  do { try body() } catch { return error as? StoreError }
  return nil
}

extension Store {
  /// Caches connections for a fixed identity, in tests that do not depend on identities.
  func cache(_ connections: [CachedConnection], profile: String) throws {
    try cache(connections, as: RequestIdentity("anybody"), profile: profile)
  }
}

// Changes of plugins, of which the store sees only the records.
extension Store {
  func trust(
    _ plugin: PluginTrust, from provenance: PluginProvenance? = nil, _ outcome: PluginChange.Outcome = .installedAlone,
    folder: String = ""
  ) throws {
    try PluginRecords(self).complete(
      PluginChange(outcome, plugin, from: provenance, folder: folder, keepsCredentials: true))
  }

  func distrustPlugin(_ name: String) throws {
    guard let plugin = try PluginRecords(self).trusted(name) else { return }
    try PluginRecords(self).complete(PluginChange(.removed, plugin, keepsCredentials: true))
  }

  func link(_ plugin: PluginTrust) throws {
    try PluginRecords(self).complete(PluginChange(.linked, plugin, keepsCredentials: true))
  }

  func unlinkPlugin(_ name: String) throws {
    guard let plugin = try PluginRecords(self).linked(name) else { return }
    try PluginRecords(self).complete(PluginChange(.unlinked, plugin, keepsCredentials: true))
  }
}
