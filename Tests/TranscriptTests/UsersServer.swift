import Foundation
import Support
import Testing

/// The server of `Servers/users.py`, as a process that runs until the object is released.
final class UsersServer {
  /// One request, and when it arrived.
  struct Arrival {
    var seconds: Double
    var method: String
    var path: String
    var user: String
  }

  private let folder = TemporaryFolder()
  private let running: Running
  let environment: [String: String]

  init() throws {
    let script = try #require(Bundle.module.resourceURL).appendingPathComponent("Servers/users.py").path
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    running = try Running(
      Python.command(script, [folder.path]), environment: ["PATH": path, "LC_ALL": "C.UTF-8"])
    let port = try #require(Int(running.read(until: "\n").dropLast()))
    environment = [
      "IFTTT_CONNECT_URL": "http://127.0.0.1:\(port)", "IFTTT_SERVICE_KEY": Known.serviceKey, "IFTTT_NO_PLUGINS": "1",
    ]
  }

  deinit {
    running.endInput()
    running.wait()
  }

  func arrivals() throws -> [Arrival] {
    try (folder.text("log") ?? "").split(separator: "\n").map { line in
      let values = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [Any])
      return Arrival(
        seconds: try #require(values[0] as? Double), method: try #require(values[1] as? String),
        path: try #require(values[2] as? String), user: try #require(values[3] as? String))
    }
  }
}
