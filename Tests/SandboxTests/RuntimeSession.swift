import HTTP
import JSON
import Sandbox
import Testing
import Text
import World

/// An emulator that acts as IFTTT toward a scripted server of the service `lamps`, with one connection and two users.
struct RuntimeSession {
  var emulator: Emulator
  private(set) var now = Timestamp(milliseconds: 1_772_601_000_000)
  /// The events of the trigger, newest first.
  var events: [String] = ["e-1", "e-0"]
  /// The responses by endpoint, instead of the usual ones.
  var scripted: [String: PartnerResponse] = [:]
  /// The users of the server's sign-in, by code. Each code works once.
  var codes: [String: JSONValue] = [:]
  /// The users whose tokens the server has issued, by access token and by refresh token.
  private var tokens: [String: JSONValue] = [:]
  /// The access tokens that the server rejects.
  var expired: Set<String> = []
  /// All requests that were sent, such as `POST triggers/pressed`.
  private(set) var sent: [PartnerRequest] = []
  /// The responses to requests that waited for the server.
  private(set) var late: [Int: Response] = [:]

  static let first = Header("Authorization", "Bearer t-1")
  static let key = Header("IFTTT-Service-Key", "k-1")

  init(
    seed: JSONValue = Self.seed, secrets: [Secret] = [], users: Int = 0,
    _ change: (inout ConnectionRuntime.Rules) -> Void = { _ in }
  ) throws {
    var seed = try SandboxSeed(parsing: seed.bytes)
    seed.generatedUsers = users
    emulator = Emulator(state: .seed, seed: seed)
    var rules = ConnectionRuntime.Rules()
    change(&rules)
    emulator.startRuntime(rules, secrets: secrets, at: now)
  }

  mutating func pass(_ time: Duration) { now = now - (.zero - time) }

  /// Send a request and exchange requests with the server until nothing is due.
  @discardableResult
  mutating func ask(
    _ method: HTTP.Method, _ target: String, _ headers: [Header] = [Self.first], _ body: JSONValue? = nil
  )
    -> Response?
  {
    send(method, target, headers + (body == nil ? [] : [.json]), body: body?.text)
  }

  /// Send a request with a body of any kind.
  mutating func send(_ method: HTTP.Method, _ target: String, _ headers: [Header], body: String?) -> Response? {
    let reply = emulator.recorded(method, target, headers, body: body, at: now)
    settle()
    let response = reply.response ?? late[reply.key]
    response?.checkDescribed(to: method, target)
    return response
  }

  /// Send a request as a browser does, to `127.0.0.1:8080`.
  ///
  /// - Parameter form: The form to submit; nil to open a page.
  mutating func browse(_ target: String, form: [QueryItem]? = nil, host: String = "127.0.0.1:8080") -> Response {
    let method = form == nil ? "GET" : "POST"
    let body = Array(Browser.body(form ?? []).utf8)
    let received = ReceivedRequest(method: method, target: target, fields: [HeaderField("Host", host)], body: body)
    guard
      let request = Request(receivedMethod: method, target: target, headers: [Header("Host", host)], body: body)
    else { return Response(status: 0) }
    let reply = emulator.respond(to: request, target: target, at: now)
    if let response = reply.response {
      emulator.record(LoggedExchange(received: received, response, duration: .zero), of: reply.key, at: now)
    }
    settle()
    return reply.response ?? late[reply.key] ?? Response(status: 0)
  }

  /// Exchange requests with the server until nothing is due.
  mutating func settle() {
    while true {
      let due = emulator.takeRequests(at: now)
      if due.isEmpty { return }
      for request in due {
        sent.append(request)
        for (key, response) in emulator.receive(response(to: request), for: request.id, at: now) {
          late[key] = response
          let received = ReceivedRequest(method: "GET", target: "/late")
          emulator.record(
            LoggedExchange(received: received, response, duration: .zero), of: key, at: now)
        }
      }
    }
  }

  private mutating func response(to request: PartnerRequest) -> PartnerResponse {
    let call = request.call
    if let token = request.accessToken, expired.contains(token) { return .errors(401, ["message": "Expired."]) }
    if scripted["token"] == nil, let grant = call.grant { return response(to: grant) }
    if scripted["user/info"] == nil, call.path == ["user", "info"] {
      return request.accessToken.flatMap { tokens[$0] }.map(PartnerResponse.data)
        ?? .errors(401, ["message": "Unknown."])
    }
    let endpoint = call.grant == nil ? call.path.joined(separator: "/") : "token"
    return response(to: call, at: endpoint)
  }

  /// New tokens for the user of a code or a refresh token.
  private mutating func response(to grant: TokenGrant) -> PartnerResponse {
    let user: JSONValue? =
      switch grant {
      case .code(let code, _): codes.removeValue(forKey: code)
      case .refreshToken(let token): tokens[token]
      }
    guard let user else {
      let error: JSONValue = ["error": "invalid_grant", "error_description": "The code is unknown."]
      return .response(status: 400, body: error.bytes)
    }
    let number = tokens.count / 2 + 1
    (tokens["at-\(number)"], tokens["rt-\(number)"]) = (user, user)
    let body: JSONValue = [
      "token_type": "Bearer", "access_token": .string("at-\(number)"), "refresh_token": .string("rt-\(number)"),
    ]
    return .response(status: 200, body: body.bytes)
  }

  private func response(to call: PartnerCall, at endpoint: String) -> PartnerResponse {
    if let scripted = scripted[endpoint] { return scripted }
    switch (call.method, call.path.first, call.path.last) {
    case (.post, "triggers", "pressed"):
      let rows = events.map { id -> JSONValue in
        ["pressed_at": .string("at \(id)"), "meta": ["id": .string(id), "timestamp": 1_772_600_000]]
      }
      return .data(.array(rows))
    case (_, _, "options"): return .data([["label": "Rooms", "values": [["label": "Hall", "value": "hall"]]]])
    case (_, _, "validate"): return .response(status: 404, body: [])
    case (_, "actions", _): return .data([["id": "run-1"]])
    case (_, "queries", _): return .data([["weather": "rain"], ["weather": "sun"]])
    default: return .response(status: 200, body: [])
    }
  }

  mutating func forget() { sent = [] }

  /// The requests since they were last forgotten, and what is known of them.
  var calls: [String] { sent.map { "\($0.call.method.rawValue) \($0.call.path.joined(separator: "/"))" } }
  var activity: [ActivityRecord] { emulator.log.all.compactMap(\.activity) }
  var steps: [String] { activity.map(\.step.rawValue) }

  /// The body of the last request to an endpoint.
  func body(_ endpoint: String) -> JSONValue? {
    sent.last { $0.call.path.joined(separator: "/") == endpoint }?.call.body.map(JSONValue.object)
  }

  /// The connection's configuration, with one trigger, one query and two actions.
  static func configuration(lamp: String = "hall", isOn: Bool = true) -> JSONValue {
    [
      "user_features": [
        [
          "id": "uf-1", "feature_id": "f-1", "enabled": .bool(isOn), "user_fields": [],
          "user_feature_triggers": [
            ["feature_trigger_id": "ft-1", "user_fields": [["field_id": "lamp", "value": .string(lamp)]]]
          ],
          "user_feature_queries": [["feature_query_id": "fq-1", "user_fields": []]],
          "user_feature_actions": [
            [
              "feature_action_id": "fa-1",
              "user_fields": [["field_id": "note", "value": "{{PressedAt}}, {{forecast.weather}}, {{none}}"]],
            ]
          ],
        ]
      ]
    ]
  }

  static let seed: JSONValue = {
    let trigger: JSONValue = [
      "id": "ft-1", "service": "lamps", "slug": "pressed", "label": "Pressed",
      "fields": [["id": "lamp", "label": "Lamp", "type": "COLLECTION_SELECT"]],
    ]
    let action: JSONValue = [
      "id": "fa-1", "service": "lamps", "slug": "show", "label": "Show",
      "fields": [["id": "note", "label": "Note", "type": "TEXT_FIELD"]],
    ]
    let other: JSONValue = ["id": "fa-2", "service": "mail", "slug": "send", "label": "Send"]
    let query: JSONValue = ["id": "fq-1", "service": "lamps", "slug": "forecast", "label": "Forecast"]
    let hall: JSONValue = ["value": "hall", "label": "Hall", "group": "Rooms"]
    let configured: JSONValue = [
      "id": "uf-1", "feature": "f-1",
      "triggers": [["id": "uft-1", "values": [hall]]], "queries": [["id": "ufq-1", "values": []]],
      "actions": [["id": "ufa-1", "values": ["{{PressedAt}}"]], ["id": "ufa-2", "values": []]],
    ]
    return [
      "format": 1,
      "services": [["id": "lamps", "name": "Lamps", "key": "k-1"], ["id": "mail", "name": "Mail"]],
      "users": [
        ["id": "u-1", "service": "lamps", "login": "one", "user_token": "t-1", "access_token": "a-1"],
        ["id": "u-2", "service": "lamps", "login": "two", "user_token": "t-2", "access_token": "a-2"],
      ],
      "connections": [
        [
          "id": "C1", "name": "Lamps", "services": ["lamps", "mail"], "published_at": "2026-01-31T12:00:00+00:00",
          "features": [
            [
              "id": "f-1", "title": "Show", "triggers": [trigger], "queries": [query], "actions": [action, other],
            ]
          ],
          "users": ["u-1": ["status": "disabled", "features": [configured]]],
        ]
      ],
    ]
  }()
}

extension PartnerResponse {
  static func data(_ value: JSONValue) -> PartnerResponse {
    .response(status: 200, body: JSONValue.object(["data": value]).bytes)
  }

  static func errors(_ status: Int, _ error: JSONValue) -> PartnerResponse {
    .response(status: status, body: JSONValue.object(["errors": [error]]).bytes)
  }
}
