import Foundation
import Support
import Testing

/// Tests of the strict server itself: it accepts a valid request and rejects all others.
@Suite struct StrictnessTests {
  let server: Server

  init() throws { server = try Server() }

  private static let frame =
    "Host: HOST\r\nUser-Agent: ifttt/0.1.0\r\nAccept: application/json\r\nAccept-Encoding: gzip\r\n"
  private static let key = "IFTTT-Service-Key: \(Known.serviceKey)\r\n"
  private static let bearer = "Authorization: Bearer \(Known.userToken)\r\n"

  /// Send raw requests, each on a connection of its own, and return the violations that the server reports for each.
  private func complaints(_ heads: [String]) throws -> [[String]] {
    let script = """
      import json, socket, sys
      for head in json.load(sys.stdin):
        stream = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
        stream.sendall(head.replace("HOST", "127.0.0.1:" + sys.argv[1]).encode() + b"\\r\\n")
        stream.recv(1)
      """
    let outcome = try Tool.required("python3").run(
      ["-c", script, "\(server.port)"], in: ScratchFolder(),
      input: String(decoding: JSONEncoder().encode(heads), as: UTF8.self))
    guard outcome.status == 0 else { throw Server.Failed(reason: outcome.errors) }
    let records = try server.records()
    try #require(records.count == heads.count)
    return records.map(\.wrong)
  }

  @Test func acceptsAValidRequest() throws {
    #expect(try complaints(["GET /v2/me HTTP/1.1\r\n" + Self.frame + Self.bearer]) == [[]])
  }

  private static let invalid: [(String, String)] = [
    ("GET /v2/me HTTP/1.1\r\n" + frame + bearer + key, "two credentials"),
    ("GET /v2/me HTTP/1.1\r\n" + frame + frame, "header accept twice"),
    ("GET /v2/me HTTP/1.1\r\n" + frame + "Content-Length: 0\r\n", "header content-length"),
    ("GET /v2/me HTTP/1.1\r\n" + frame + "Expect: 100-continue\r\n", "header expect"),
    ("GET /v2/me HTTP/1.1\r\n" + frame + "Cookie: a=b\r\n", "header cookie"),
    ("GET /v2/me HTTP/1.1\r\n" + frame + "IFTTT-SDK-Platform: ios\r\n", "header ifttt-sdk-platform"),
    ("GET /v2/me?user_id=7 HTTP/1.1\r\n" + frame + bearer, "query item user_id"),
    ("GET /v2/me HTTP/1.1\r\n" + frame + "Authorization: bearer x\r\n", "Authorization 'bearer x'"),
    ("GET /v2/connections/%7e HTTP/1.1\r\n" + frame, "path: %7e"),
    ("GET /v2/connections/%41 HTTP/1.1\r\n" + frame, "path: %41 needs no encoding"),
    ("GET /v2/connections/a+b HTTP/1.1\r\n" + frame, "path: bare '+'"),
    ("GET /v2/connections/a? HTTP/1.1\r\n" + frame, "an empty query"),
    ("POST /v2/connections/a/enable HTTP/1.1\r\n" + frame + bearer, "Content-Length None"),
    ("POST /v2/connections/a/enable HTTP/1.1\r\n" + frame + key + "Content-Length: 0\r\n", "level service"),
    (
      "POST /v2/user_token?access_token=a&user_id=b HTTP/1.1\r\n" + frame + key + "Content-Length: 0\r\n"
        + "Content-Type: application/json\r\n", "header content-type"
    ),
    ("GET /v2/connections HTTP/1.1\r\n" + frame, "no such call: GET /v2/connections"),
    ("GET /v2/me HTTP/1.1\r\nHost: HOST\r\n", "no accept"),
  ]

  @Test func rejectsInvalidRequests() throws {
    for (found, (head, complaint)) in zip(try complaints(Self.invalid.map(\.0)), Self.invalid) {
      #expect(found.contains(complaint), "\(head)")
    }
  }
}
