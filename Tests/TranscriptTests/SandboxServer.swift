import Foundation
import Support
import Testing

/// The built program as a server with its own home, until the object is released.
final class SandboxServer {
  let home = Home()
  let url: String
  /// The variables, as printed by the server, that make a program use it.
  let environment: [String: String]
  let controlFile: String
  let running: Running

  convenience init(_ options: String...) throws { try self.init(options: options) }

  init(options: [String]) throws {
    running = try home.start(["sandbox", "start", "--json"] + options)
    let line = running.read(until: "\n")
    let row = try #require(
      JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
      "the server did not start: \(running.readToEnd(running.errors))")
    url = try #require(row["url"] as? String)
    environment = try #require(row["environment"] as? [String: String])
    controlFile = try #require(row["control_file"] as? String)
  }

  deinit {
    running.signal(15)
    running.wait()
  }

  /// The home of a user of the server.
  func user() -> Home { Home(nil, environment) }

  func setFaults(_ faults: String..., sourceLocation: SourceLocation = #_sourceLocation) throws {
    let outcome = try home.run(["sandbox", "faults", "set"] + faults)
    #expect(outcome.status == 0, "\(faults): \(outcome.errors)", sourceLocation: sourceLocation)
  }

  struct Record: Decodable {
    var number: Int
    var method: String
    var path: String
    var status: Int
    var fault: String?
    var request: Message
    var headers: [String: String] { request.headers }

    struct Message: Decodable { var headers: [String: String] }
  }

  /// The received requests, from `sandbox requests`.
  func requests() throws -> [Record] {
    let outcome = try home.run("sandbox", "requests", "--json")
    return try JSONDecoder().decode([Record].self, from: Data(outcome.output))
  }
}
