import HTTP
import JSON
import Store
import World

/// A sandbox server that is running, or was when it was last heard of.
struct RunningServer: Sendable, Equatable {
  var url: String
  var pid: Int
  /// Opens its control endpoint.
  var key: String

  fileprivate init(url: String, pid: Int, key: String) { (self.url, self.pid, self.key) = (url, pid, key) }

  init(at url: String, world: World) {
    let digits = Array("0123456789abcdef".utf8)
    let key = world.random.bytes(24).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    self.init(url: url, pid: Int(world.processes.id), key: String(decoding: key, as: UTF8.self))
  }
}

/// The servers that run for this user: one file in the state folder, which nobody else can read.
struct RunningServers {
  let world: World
  let path: String

  init(_ session: Session) throws {
    world = session.world
    path = try session.store.places.state + "/sandbox-servers.json"
  }

  /// Those that were started last come last.
  func all() throws -> [RunningServer] {
    do throws(SystemError) { _ = try world.files.facts(path) } catch { return [] }
    let bytes = try world.files.read(path, limit: 1 << 20)
    // A file that is damaged tells of no server that could be found.
    return (try? JSONValue(parsing: bytes))?.array?.compactMap { entry in
      guard let url = entry["url"]?.string, let pid = entry["pid"]?.int, let key = entry["key"]?.string else {
        return nil
      }
      return RunningServer(url: url, pid: pid, key: key)
    } ?? []
  }

  /// An entry of the same address is another server's that is gone.
  func add(_ server: RunningServer) throws { try change { $0.filter { $0.url != server.url } + [server] } }

  func remove(_ server: RunningServer) throws { try change { $0.filter { $0 != server } } }

  private func change(_ body: ([RunningServer]) -> [RunningServer]) throws {
    try world.files.makeFolder(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
    try world.files.locked(path + ".lock") {
      let servers = body(try all())
      if servers.isEmpty {
        do throws(SystemError) { try world.files.remove(path) } catch { return }
      } else {
        let json = JSONValue.array(
          servers.map { ["url": .string($0.url), "pid": JSONValue($0.pid), "key": .string($0.key)] })
        try world.files.replace(path, with: json.bytes + [UInt8(ascii: "\n")], mode: 0o600)
      }
    }
  }
}
