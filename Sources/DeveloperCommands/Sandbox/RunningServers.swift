import HTTP
import JSON
import Session
import Store
import World

/// A sandbox server that is running, or was running when last contacted.
struct RunningServer: Sendable, Equatable {
  var url: String
  var pid: Int
  /// The key that authorizes requests to its control endpoint.
  var key: String
  /// The environment variables that make a program use it.
  var environment: JSONValue

  static func newKey(_ random: any RandomBytes) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: random.bytes(24).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

/// The running servers of this user. Each has one file in the state folder, which only the user can read; an index
/// file lists them.
///
/// A server that receives a request to stop removes only its own file, because it must not wait for a lock once it is
/// interrupted.
struct RunningServers {
  private let world: World
  private let folder: String
  private var index: String { folder + "/sandbox-servers.json" }

  init(_ session: Session) throws {
    world = session.world
    folder = try session.store.directories.state
  }

  /// The path of the file with a server's key.
  func path(of url: String) -> String { "\(folder)/\(name(of: url))" }

  private func name(of url: String) -> String {
    let port = url.split(separator: ":").last.map(String.init) ?? ""
    return "sandbox-server-\(url.utf8.contains(UInt8(ascii: "[")) ? "v6-" : "")\(port).json"
  }

  /// All servers, most recently started last. Damaged files are skipped.
  func all() -> [RunningServer] {
    (json(index)?.array ?? []).compactMap { name in
      guard let name = name.string, !name.utf8.contains(UInt8(ascii: "/")), let entry = json("\(folder)/\(name)"),
        let url = entry["url"]?.string, let pid = entry["pid"]?.int, let key = entry["key"]?.string,
        let environment = entry["environment"], environment.object != nil
      else { return nil }
      return RunningServer(url: url, pid: pid, key: key, environment: environment)
    }
  }

  func add(_ server: RunningServer) throws {
    try world.files.makeFolder(folder)
    let entry: JSONValue = [
      "url": .string(server.url), "pid": JSONValue(server.pid), "key": .string(server.key),
      "environment": server.environment,
    ]
    try write(entry, to: path(of: server.url))
    try world.files.locked(index + ".lock") {
      let names = (all().map(\.url).filter { $0 != server.url } + [server.url]).map(name)
      try write(.array(names.map(JSONValue.string)), to: index)
    }
  }

  /// Removes the entry of a server, unless another server has replaced it.
  func forget(_ server: RunningServer) {
    if all().contains(server) { remove(server) }
  }

  /// Removes the entry. An entry that cannot be removed is recognized as stale when it is used.
  func remove(_ server: RunningServer) {
    do throws(SystemError) { try world.files.remove(path(of: server.url)) } catch {}
  }

  private func json(_ path: String) -> JSONValue? {
    (try? world.files.readRegular(path, limit: 1 << 20)).flatMap { try? JSONValue(parsing: $0) }
  }

  private func write(_ json: JSONValue, to path: String) throws(SystemError) {
    try world.files.replace(path, with: json.bytes + [UInt8(ascii: "\n")], mode: 0o600)
  }
}
