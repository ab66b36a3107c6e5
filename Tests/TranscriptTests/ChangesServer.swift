import Foundation
import Support
import Testing

/// The server of `Servers/changes.py`, as a process that runs until the object is released.
final class ChangesServer {
  /// A change that the server made.
  struct Change: Hashable, Comparable, CustomStringConvertible {
    var user: String
    var id: String
    var verb: String

    var description: String { "\(verb) \(id) of \(user)" }
    static func < (one: Change, other: Change) -> Bool { one.description < other.description }
  }

  /// A connection or Applet of a user.
  struct Subject: Hashable {
    var user: String
    var id: String
  }

  struct State: Equatable {
    var status: String
    /// The settings of a connection that has some, by field.
    var fields: [String: String] = [:]
  }

  struct Report {
    var requests: Int
    var changes: [Change]
    var states: [Subject: State]
  }

  private struct Wire: Decodable {
    struct State: Decodable {
      var user: String
      var path: String
      var status: String
      var fields: [String: String]?
    }
    var requests: Int
    var changes: [[String]]
    var states: [State]
  }

  private let folder = TemporaryFolder()
  private let running: Running
  let environment: [String: String]
  static let user = "own"

  init() throws {
    let script = try #require(Bundle.module.resourceURL).appendingPathComponent("Servers/changes.py").path
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    running = try Running(
      Python.command(script, [folder.path]), environment: ["PATH": path, "LC_ALL": "C.UTF-8"])
    let base = "http://127.0.0.1:\(try #require(Int(running.read(until: "\n").dropLast())))"
    environment = [
      "IFTTT_CONNECT_URL": base, "IFTTT_API_URL": base, "IFTTT_SERVICE_KEY": Known.serviceKey,
      "IFTTT_USER_ID": Self.user, "IFTTT_USER_TOKEN": "ut_\(Self.user)_Qx7Lm2Vd9Rk4Tz8Wn3Bp6Hs1Yc5Jf0Ga",
    ]
  }

  deinit {
    running.endInput()
    running.wait()
  }

  /// Hold a request, counted from now. - Parameter moment: how far it comes: `before`, `after` or `half`.
  func hold(_ number: Int, _ moment: String) { running.type("hold \(number) \(moment)\n") }

  /// The descriptor that becomes readable when the request is held.
  var held: Int32 { running.output }

  /// Read the announcement that a request is held.
  func readHeld() { #expect(running.read(until: "\n") == "held\n") }

  /// The requests and changes since the last report, and the states now. Nothing is held any longer.
  func report() throws -> Report {
    running.type("report\n")
    var line = running.read(until: "\n")
    // The request was held just as the program ended.
    if line == "held\n" { line = running.read(until: "\n") }
    let wire = try JSONDecoder().decode(Wire.self, from: Data(line.utf8))
    func id(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? "" }
    return Report(
      requests: wire.requests, changes: wire.changes.map { Change(user: $0[0], id: id($0[1]), verb: $0[2]) },
      states: Dictionary(
        wire.states.map {
          (Subject(user: $0.user, id: id($0.path)), State(status: $0.status, fields: $0.fields ?? [:]))
        }, uniquingKeysWith: { $1 }))
  }
}
