package import HTTP
package import JSON
import Text
import World

/// A request of the emulated IFTTT to the partner's server. The emulator has neither the server's URL nor its service
/// key; the program that runs the emulator adds them.
package struct PartnerRequest: Sendable, Equatable {
  package let id: Int
  package var call: PartnerCall
  /// The access token of the request's user; nil to authorize it with the service key.
  package let accessToken: String?
}

/// The contents of a request to a partner's server.
package struct PartnerCall: Sendable, Equatable {
  package let method: Method
  /// The path segments below `/ifttt/v1`.
  package let path: [String]
  package var body: JSONObject?
  /// The id of a webhook that was recorded before. Its body is then sent unchanged. Nil to create an id.
  package var requestID: String?
  /// Whether a Realtime notification caused the request.
  package var isRealtime = false
  /// Whether the user's access token authorizes the request. Otherwise, the service key does.
  var isForUser = true
  /// What the request exchanges for tokens; nil for a request to the service API. Such a request goes to the token URL
  /// and has neither a path nor a body of its own.
  package var grant: TokenGrant?
  /// The access token of a person who has just signed in and whose id is not known yet.
  var newToken: String?
  /// The user's id in the partner service; nil if it is unknown.
  var user: String?
  var connection: String?
  /// Changes that a person made to a request that is sent again. Its method and path are part of this call already.
  package var edit: RequestEdit?

  var endpoint: String { path.joined(separator: "/") }

  /// A key that identifies the call among all calls that one received request causes.
  var key: String {
    if let code { return "code \(code)" }
    return "\(method.rawValue) \(endpoint) \(user ?? "") \(newToken ?? "") \(JSONValue.object(body ?? [:]).text)"
  }
}

/// The changes to a request that is sent again.
package struct RequestEdit: Sendable, Equatable {
  package var method: HTTP.Method?
  /// The path and query, beginning with `/`.
  package var target: String?
  /// Headers to add, or to replace if the request has one with the same name.
  package var headers: [HeaderField] = []
  package var body: [UInt8]?

  package init() {}

  package var isEmpty: Bool { self == RequestEdit() }

  /// The headers with the changes.
  package func applied(to fields: [HeaderField]) -> [HeaderField] {
    fields.filter { field in !headers.contains { $0.isNamed(field.name) } } + headers
  }
}

/// The response to a request to a partner's server.
package enum PartnerResponse: Sendable, Equatable {
  case response(status: Int, body: [UInt8])
  /// The reason why there was no response.
  case failure(String)

  var status: Int? { if case .response(let status, _) = self { status } else { nil } }

  /// Any 2xx is a success if IFTTT needs no body (docs/api/service.md C8).
  var isSuccess: Bool { status.map { 200..<300 ~= $0 } == true }

  private var object: JSONObject? {
    guard case .response(_, let body) = self else { return nil }
    return (try? JSONValue(parsing: body))?.object
  }

  /// The value of `data` in a response with 200.
  var data: JSONValue? { status == 200 ? object?["data"] : nil }
  /// The page cursor of a query's response.
  var cursor: String? { object?["cursor"]?.string.flatMap { $0.isEmpty ? nil : $0 } }
  /// The objects in `data` of a response with 200.
  var rows: [JSONObject]? { data?.array?.compactMap(\.object) }

  /// The tokens in the response to an exchange or a refresh. A text that cannot stand in a header is not a token.
  var tokens: (access: String, refresh: String?)? {
    func token(_ name: String) -> String? { object?[name]?.string.flatMap(Secret.init(parsing:))?.revealed }
    guard status == 200, let access = token("access_token") else { return nil }
    return (access, token("refresh_token"))
  }
  /// All tokens in the response, whether the request succeeded or not.
  var allTokens: [String] { ["access_token", "refresh_token"].compactMap { object?[$0]?.string } }
  /// The reason why a refresh failed, for people.
  var refreshProblem: String {
    oauthError ?? (status == 200 ? "the response has no access_token" : problem)
  }
  /// The error code of an OAuth server, with its description.
  private var oauthError: String? {
    let parts = ["error", "error_description"].compactMap { object?[$0]?.string }.filter { !$0.isEmpty }
    return parts.isEmpty ? nil : parts.joined(separator: ": ")
  }
  /// The server's own words about an error; nil without any.
  var errorText: String? { oauthError ?? message }

  private var errors: [JSONValue] { object?["errors"]?.array ?? [] }
  private var message: String? { errors.lazy.compactMap { $0["message"]?.string }.first { !$0.isEmpty } }

  /// The message of a response that skips the event; nil if the response does not skip it. Only the HTTP status 400
  /// with the error status `SKIP` skips an event.
  var skip: String? {
    guard status == 400, let skip = errors.first(where: { $0["status"] == "SKIP" }) else { return nil }
    return skip["message"]?.string ?? ""
  }

  /// The reason why the request failed, for people.
  var problem: String {
    switch self {
    case .failure(let reason): reason
    case .response(200, _): "the response has no usable \"data\""
    case .response(let status, _): message ?? "the response was \(status)"
    }
  }
}

/// A webhook that IFTTT would POST to a partner's service. The program that runs the emulator displays it, and sends it
/// if it has the service's URL.
package struct Webhook: Sendable, Equatable {
  /// The slug of the receiving service.
  package let service: String
  /// The path below the service's API URL prefix.
  package let path: String
  package let headers: [Header]
  let requestID: String
  private(set) var content: JSONObject
  package var body: [UInt8] { JSONValue.object(content).bytes }
  /// The connection and the user that it is about.
  let connection: String
  let user: String
  let cause: ActivityRecord.Cause
  /// The id of the event that fired a trigger.
  var event: String?

  /// - Parameters:
  ///   - event: the last part of the path.
  ///   - key: the service key.
  init(
    _ type: String, _ event: String, _ content: JSONObject, about connection: SandboxFixtures.Connection,
    _ user: SandboxFixtures.User, _ cause: ActivityRecord.Cause, key: String, request: String
  ) {
    service = connection.services[0].slug
    path = "/ifttt/v1/webhooks/\(type)/\(event)"
    headers = [
      Header("IFTTT-Service-Key", key), Header("Accept", "application/json"), Header("Accept-Charset", "utf-8"),
      Header("Accept-Encoding", "gzip, deflate"), Header("Content-Type", "application/json"),
      Header("X-Request-ID", request),
    ]
    (self.connection, self.user, self.cause, requestID) = (connection.id, user.id, cause, request)
    // IFTTT's bodies have a random extra key too. It reveals receivers that do not ignore unknown keys
    // (docs/api/connect.md R1, §12).
    var content = content
    var random = SplitMix64(state: UInt64(bitPattern: Int64(content["sent_at"]?.int ?? 0)))
    content["emulator_\(random.next() % 1_000_000)"] = .string(String(random.next(), radix: 16))
    self.content = content
  }

  /// Adds the members `type` and `event`. They are in the table of IFTTT's documentation, but not in its examples
  /// (docs/api/service.md C6).
  mutating func addNames() {
    let names = path.split(separator: "/").suffix(2).map { JSONValue.string(String($0)) }
    content = JSONObject(members: zip(["type", "event"], names).map { (key: $0, value: $1) } + content.members)
  }
}

extension Webhook {
  /// The time zone of every user in the sandbox: IFTTT's default, by its name in Rails.
  static let timezone = "Pacific Time (US & Canada)"

  /// A webhook about a change of a connection: `enabled`, `updated` or `disabled` (docs/api/service.md §10).
  static func connection(
    _ change: ActivityRecord.Cause, _ connection: SandboxFixtures.Connection, _ user: SandboxFixtures.User,
    key: String, at milliseconds: Int64, request: String
  ) -> Webhook {
    Webhook(
      "connection", change.rawValue,
      [
        "sent_at": .number(JSONNumber(Int(milliseconds))),
        "data": [
          "connection_id": .string(connection.id), "user_id": .string(user.id), "user_timezone": .string(timezone),
        ],
        "event_data": ["\(change.rawValue)_at": .string(String(milliseconds))],
      ], about: connection, user, change, key: key, request: request)
  }
}
