import Foundation
import Support
import Testing

/// The strict IFTTT of `Servers/ifttt_server.py`, running as a process of its own until this goes away.
///
/// Those that share one only start programs that use it and read its log.
final class Server: @unchecked Sendable {
  /// One request as the server received it, and what was wrong with it.
  struct Record: Decodable {
    var connection: Int
    var method: String
    var target: String
    /// `none`, `service` or `user`.
    var level: String
    var headers: [[String]]
    var body: String
    var wrong: [String]

    var line: String { "\(method) \(target)" }
    func header(_ name: String) -> String? { headers.first { $0[0] == name.lowercased() }?[1] }
  }

  struct Failed: Error { var words: String }

  /// One that tests share whose ids tell their requests apart: starting one takes longer than most tests.
  static func shared() throws -> Server { try common.get() }
  private static let common = Result { try Server() }

  let port: Int
  private let folder = TemporaryFolder()
  private let running: Running

  /// - Parameters:
  ///   - certificate: the paths of a certificate and its key; TLS is spoken then, and CONNECT answered.
  ///   - other: the base URL to which `fault-elsewhere` redirects.
  ///   - events: what usage events are answered with, a status or `stall`; nil where none may come.
  init(certificate: [String] = [], other: Server? = nil, events: String? = nil) throws {
    let servers = try #require(Bundle.module.resourceURL).appendingPathComponent("Servers")
    let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../ConnectTests/Fixtures").standardized
    var words = ["/usr/bin/env", "python3", "-B", servers.appendingPathComponent("ifttt_server.py").path]
    words += [folder.path, fixtures.path]
    if !certificate.isEmpty { words += ["--tls"] + certificate }
    if let other { words += ["--other", other.base] }
    if let events { words += ["--events", events] }
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    running = try Running(words, environment: ["PATH": path, "LC_ALL": "C.UTF-8"])
    let line = running.read(until: "\n")
    guard let port = Int(line.dropLast()) else {
      throw Failed(words: "the server did not start: \(line)\(running.readToEnd(running.errors))")
    }
    self.port = port
  }

  deinit {
    running.endInput()
    running.wait()
  }

  var base: String { "http://127.0.0.1:\(port)" }

  /// What makes a program talk to this server.
  var environment: [String: String] { ["IFTTT_CONNECT_URL": base, "IFTTT_API_URL": base] }

  /// Waits until the server holds back the answer to this one.
  func waitForStall(_ id: String) throws {
    let line = running.read(until: "\n")
    guard line == "stalled \(id)\n" else { throw Failed(words: "instead of \(id): \(line)") }
  }

  /// Waits until usage events have come.
  func waitForEvents(_ answer: String) throws {
    let line = running.read(until: "\n")
    guard line == "events \(answer)\n" else { throw Failed(words: "instead of events: \(line)") }
  }

  /// Lets all that is held back be answered.
  func release() { running.type("go\n") }

  /// What was asked so far: each is written before it is answered.
  func records() throws -> [Record] {
    // What follows the last line end is still being written.
    try (folder.text("log") ?? "").components(separatedBy: "\n").dropLast().map {
      try JSONDecoder().decode(Record.self, from: Data($0.utf8))
    }
  }

  /// How often a connection was asked for.
  func count(of id: String) throws -> Int { try records().filter { $0.target == "/v2/connections/\(id)" }.count }

  /// The requests so far, none of which may have had anything wrong with it.
  func requests(sourceLocation: SourceLocation = #_sourceLocation) throws -> [Record] {
    let records = try records()
    for record in records where !record.wrong.isEmpty {
      Issue.record("\(record.line): \(record.wrong.joined(separator: "; "))", sourceLocation: sourceLocation)
    }
    return records
  }
}

/// The example values of the server's world.
enum Known {
  static let serviceKey = "key-lampost-9JtE9uFa6RiOxQ1lDyVwBk"
  static let user = "u-5521"
  static let accessToken = "at_7f20c1"
  static let userToken = "Zq8v_T2mLr-5YpWc0NdXs7KhGb3JtE9uFa6RiOxQ1lDyVwBk"
  /// A user whose id and token hold what a URL must not.
  static let oddUser = "kai & co/ü+1%"
  static let oddAccessToken = "at = 7f&20/c1+ü"
  static let oddUserToken = "Kw3x_R7nMs-2ZqVd1OeYt8LiHc4KuF0vGb5SjPyR2mExUzCl"

  static let asUser = ["IFTTT_USER_TOKEN": userToken]
  static let asService = ["IFTTT_SERVICE_KEY": serviceKey]
  static let secrets = [serviceKey, accessToken, userToken, oddAccessToken, oddUserToken]
}
