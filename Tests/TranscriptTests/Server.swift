import Foundation
import Support
import Testing

/// The strict IFTTT server of `Servers/ifttt_server.py`, as a process that runs until the object is released.
///
/// No lock is needed: tests that share a server only start programs that use it and read its log.
final class Server: @unchecked Sendable {
  /// One request as the server received it, with any violations.
  struct Record: Decodable {
    var connection: Int
    var method: String
    var target: String
    /// The credential: `none`, `service` or `user`.
    var level: String
    var headers: [[String]]
    var body: String
    var wrong: [String]

    var line: String { "\(method) \(target)" }
    func header(_ name: String) -> String? { headers.first { $0[0] == name.lowercased() }?[1] }
  }

  struct Failed: Error { var reason: String }

  /// A server that tests share, with ids that distinguish their requests, because starting a server takes longer than
  /// most tests.
  static func shared() throws -> Server { try common.get() }
  private static let common = Result { try Server() }

  let port: Int
  private let folder = TemporaryFolder()
  private let running: Running

  /// - Parameters:
  ///   - certificate: The paths of a certificate and its key. If given, the server uses TLS and accepts CONNECT.
  ///   - other: The base URL that `fault-elsewhere` redirects to.
  ///   - events: The response to usage events, a status or `stall`; nil if none may arrive.
  init(certificate: [String] = [], other: Server? = nil, events: String? = nil) throws {
    let servers = try #require(Bundle.module.resourceURL).appendingPathComponent("Servers")
    let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../IFTTTTests/Fixtures").standardized
    var words = Python.command(
      servers.appendingPathComponent("ifttt_server.py").path, [folder.path, fixtures.path])
    if !certificate.isEmpty { words += ["--tls"] + certificate }
    if let other { words += ["--other", other.base] }
    if let events { words += ["--events", events] }
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    running = try Running(words, environment: ["PATH": path, "LC_ALL": "C.UTF-8"])
    let line = running.read(until: "\n")
    guard let port = Int(line.dropLast()) else {
      throw Failed(reason: "the server did not start: \(line)\(running.readToEnd(running.errors))")
    }
    self.port = port
  }

  deinit {
    running.endInput()
    running.wait()
  }

  var base: String { "http://127.0.0.1:\(port)" }

  /// The variables that make a program use this server.
  var environment: [String: String] { ["IFTTT_CONNECT_URL": base, "IFTTT_API_URL": base] }

  /// Wait until the server holds back the response for this id.
  func waitForStall(_ id: String) throws {
    let line = running.read(until: "\n")
    guard line == "stalled \(id)\n" else { throw Failed(reason: "instead of \(id): \(line)") }
  }

  /// Wait until usage events arrive.
  func waitForEvents(_ answer: String) throws {
    let line = running.read(until: "\n")
    guard line == "events \(answer)\n" else { throw Failed(reason: "instead of events: \(line)") }
  }

  /// Send all responses that are held back.
  func release() { running.type("go\n") }

  /// The requests so far. Each is logged before the response is sent.
  func records() throws -> [Record] {
    // Text after the last line break is still being written.
    try (folder.text("log") ?? "").components(separatedBy: "\n").dropLast().map {
      try JSONDecoder().decode(Record.self, from: Data($0.utf8))
    }
  }

  /// The number of requests for a connection.
  func count(of id: String) throws -> Int { try records().filter { $0.target == "/v2/connections/\(id)" }.count }

  /// The requests so far. Any violation fails the test.
  func requests(sourceLocation: SourceLocation = #_sourceLocation) throws -> [Record] {
    let records = try records()
    for record in records where !record.wrong.isEmpty {
      Issue.record("\(record.line): \(record.wrong.joined(separator: "; "))", sourceLocation: sourceLocation)
    }
    return records
  }
}

/// The example values known to the server.
enum Known {
  static let serviceKey = "key-lampost-9JtE9uFa6RiOxQ1lDyVwBk"
  static let user = "u-5521"
  static let accessToken = "at_7f20c1"
  static let userToken = "Zq8v_T2mLr-5YpWc0NdXs7KhGb3JtE9uFa6RiOxQ1lDyVwBk"
  /// A user whose id and token contain characters that must be escaped in a URL.
  static let oddUser = "kai & co/ü+1%"
  static let oddAccessToken = "at = 7f&20/c1+ü"
  static let oddUserToken = "Kw3x_R7nMs-2ZqVd1OeYt8LiHc4KuF0vGb5SjPyR2mExUzCl"

  static let asUser = ["IFTTT_USER_TOKEN": userToken]
  static let asService = ["IFTTT_SERVICE_KEY": serviceKey]
  static let secrets = [serviceKey, accessToken, userToken, oddAccessToken, oddUserToken]
}
