import Foundation
import HTTP
import JSON
import Sandbox
import Testing
import World

/// A session with an emulator, for tests that write requests in a compact form. Its texts are the unusual ones unless a
/// test selects other contents.
struct EmulatorSession {
  var emulator: Emulator
  /// March 4, 2026, 05:10:07 UTC.
  static let now = Timestamp(milliseconds: 1_772_601_007_250)

  init(_ state: SandboxState = SandboxState(.unusual), seed: SandboxSeed? = nil) {
    emulator = Emulator(state: state, seed: seed)
  }

  mutating func ask(
    _ method: HTTP.Method, _ target: String, _ headers: [Header] = [], body: String? = nil,
    host: String = "connect.ifttt.com"
  ) -> Response {
    let response = emulator.response(to: request(method, target, headers, body: body, host: host), at: Self.now)
    response.checkDescribed(to: method, target, host: host)
    return response
  }

  mutating func get(_ target: String, _ headers: [Header] = []) -> Response {
    ask(.get, target, headers, host: target.hasPrefix("/v1") ? "api.ifttt.com" : "connect.ifttt.com")
  }

  mutating func post(_ target: String, _ headers: [Header] = [], body: String? = nil) -> Response {
    let host = target.hasPrefix("/v1") ? "api.ifttt.com" : "connect.ifttt.com"
    return ask(.post, target, headers + (body == nil ? [] : [.json]), body: body, host: host)
  }
}

extension EmulatorSession {
  /// The webhooks that the requests since the last call would send, oldest first.
  mutating func takeWebhooks() -> [LoggedExchange] {
    let last = emulator.log.lastNumber
    _ = emulator.recorded(.get, "/terms", at: Self.now)
    return emulator.log.entries(after: last).compactMap(\.exchange).filter { $0.direction == .sent }
  }
}

extension Emulator {
  /// Respond to a request and record it, as a server does.
  mutating func recorded(
    _ method: HTTP.Method, _ target: String, _ headers: [Header] = [], body: String? = nil, at now: Timestamp
  ) -> EmulatorReply {
    let reply = respond(to: request(method, target, headers, body: body, host: "127.0.0.1"), at: now)
    if let response = reply.response {
      let received = ReceivedRequest(method: method.rawValue, target: target, body: body.map { Array($0.utf8) } ?? [])
      record(
        LoggedExchange(received: received, response, duration: .zero), of: reply.key, at: now)
    }
    return reply
  }
}

extension EmulatorSession {
  mutating func put(_ target: String, _ headers: [Header] = [], body: JSONValue) -> Response {
    ask(.put, target, headers + [.json], body: body.text)
  }

  mutating func post(_ target: String, _ headers: [Header] = [], json body: JSONValue) -> Response {
    post(target, headers, body: body.text)
  }

  /// The user features of the token's user.
  mutating func userFeatures(_ id: String, _ headers: Header...) -> [JSONValue] {
    get("/v2/connections/\(id)", headers.isEmpty ? [.token] : headers).json["user_connection"]?["user_features"]?.array
      ?? []
  }
}

/// - Parameter target: The path and query; the query's items are not encoded.
func request(
  _ method: HTTP.Method, _ target: String, _ headers: [Header] = [], body: String? = nil,
  host: String = "connect.ifttt.com"
) -> Request {
  let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
  let items = parts.count < 2 ? [] : parts[1].split(separator: "&").map(String.init)
  let query = items.map { item in
    let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    return QueryItem(pair[0], pair.count == 2 ? pair[1] : "")
  }
  let url = WebURL(scheme: "https", host: host, port: nil, path: String(parts[0]), query: query)
  return Request(method, url, headers: headers, body: body.map { Array($0.utf8) })
}

extension Header {
  static let key = Header("IFTTT-Service-Key", SandboxFixtures.serviceKey)
  static let otherKey = Header("IFTTT-Service-Key", SandboxFixtures.otherServiceKey)
  static let invite = Header("IFTTT-Invite-Code", SandboxFixtures.inviteCode)
  static let token = bearer(SandboxFixtures.userToken)
  static let secondToken = bearer(SandboxFixtures.users[1].userToken)
  static let otherToken = bearer(SandboxFixtures.users[2].userToken)
  static let json = Header("Content-Type", "application/json")

  static func bearer(_ token: String) -> Header { Header("Authorization", "Bearer \(token)") }
}

extension Response {
  /// The body as JSON; null if it is not JSON or empty.
  var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }
  var code: String? { json["code"]?.string }
  /// The invalid parameters.
  var faults: [String] { (json["details"]?.array ?? []).compactMap { $0["parameter"]?.string } }
  var status200: String? { status == 200 ? json["user_status"]?.string : nil }
  /// The assumptions that the response relies on, except docs/api/connect.md U25, which applies to all responses.
  var assumptions: [String] {
    headers.filter { $0.name == "X-Emulator-Assumption" && $0.value != "U25" }.map(\.value)
  }
}

extension JSONValue {
  /// The same value with the members of every object sorted by key, for comparisons that ignore the order.
  var sorted: JSONValue {
    switch self {
    case .array(let elements): .array(elements.map(\.sorted))
    case .object(let object):
      .object(
        JSONObject(
          members: object.members.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value.sorted) }))
    default: self
    }
  }
}

/// Read a file from the folder Examples next to the tests.
func example(_ name: String) throws -> JSONValue {
  let url = try #require(Bundle.module.url(forResource: name, withExtension: nil, subdirectory: "Examples"))
  return try JSONValue(parsing: Array(Data(contentsOf: url)))
}
