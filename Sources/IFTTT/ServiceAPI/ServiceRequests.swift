package import HTTP
package import JSON
package import Text
package import World

/// The credential of a request to a partner's server.
package enum ServiceCredential: Sendable {
  case serviceKey(Secret)
  case accessToken(Secret)

  /// The headers that carry the credential. IFTTT also sends the service key under its old name, and many services read
  /// only that header.
  package var headers: [Header] {
    switch self {
    case .serviceKey(let key): [Header("IFTTT-Service-Key", secret: key), Header("IFTTT-Channel-Key", secret: key)]
    case .accessToken(let token): [Header("Authorization", prefix: "Bearer ", secret: token)]
    }
  }
}

/// Creates the requests that IFTTT sends to a partner's server (docs/api/service.md §1 to §8).
package struct ServiceRequests {
  package let url: ServiceURL
  /// Whether the requests are marked as endpoint tests.
  package let isTest: Bool
  private let random: any RandomBytes
  /// Random bytes of this run, from which the extra data is derived.
  private let seed: [UInt8]

  /// - Parameter seed: determines the extra data, so that a replay sends the same bodies.
  package init(_ url: ServiceURL, isTest: Bool, random: any RandomBytes, seed: [UInt8] = []) {
    (self.url, self.isTest, self.random, self.seed) = (url, isTest, random, seed)
  }

  /// A request to an endpoint.
  /// - Parameters:
  ///   - body: nil for a request without a body.
  ///   - isRepeatable: whether sending the request twice has the same effect as sending it once.
  package func request(
    _ method: Method, _ path: ServicePath, _ credential: ServiceCredential?, body: JSONObject? = nil,
    isRepeatable: Bool = true, isRealtime: Bool = false
  ) -> Request {
    var request = request(method, at: url.endpoint(path), contentType: body.map { _ in "application/json" })
    if isRealtime { request.headers.append(Header("X-IFTTT-Realtime", "1")) }
    request.headers += credential?.headers ?? []
    request.body = body.map { JSONValue.object($0).bytes } ?? (method == .post ? [] : nil)
    request.isRepeatable = isRepeatable
    // A server may close an idle connection at any time. A test does not retry, so it would report that as a failure.
    request.needsNewConnection = isTest
    return request
  }

  /// A request with neither a body nor a credential.
  func request(_ method: Method, at url: WebURL, contentType: String?) -> Request {
    var headers = [
      Header("Accept", "application/json"), Header("Accept-Charset", "utf-8"),
      Header("Accept-Encoding", "gzip, deflate"), Header("X-Request-ID", RequestID(random).description),
    ]
    if let contentType { headers.append(Header("Content-Type", contentType)) }
    if isTest { headers.append(Header("IFTTT-Test-Mode", "1")) }
    return Request(method, url, headers: headers)
  }

  /// The body of a trigger's, query's or action's request.
  /// - Parameters:
  ///   - fields: nil to omit them.
  ///   - limit: nil to omit it; an action has none.
  package func body(
    _ kind: ServiceStepKind, _ slug: String, fields: JSONObject?, limit: Int? = nil, cursor: String? = nil
  ) -> JSONObject {
    var body: JSONObject = [:]
    if kind == .triggers { body["trigger_identity"] = .string(Self.triggerIdentity(slug, fields ?? [:])) }
    if let fields { body[kind.fieldsKey] = .object(fields) }
    if let limit { body["limit"] = JSONValue(limit) }
    if let cursor { body["cursor"] = .string(cursor) }
    body["user"] = ["timezone": "America/Los_Angeles"]
    let source = String(Self.triggerIdentity(slug, [:]).prefix(16))
    body["ifttt_source"] = ["id": .string(source), "url": .string("https://example.com/applets/\(source)")]
    return body
  }

  /// The body with a random key and value, which a service must ignore. IFTTT adds them to check that it does.
  package func addingExtraData(to body: JSONObject) -> JSONObject {
    let digits = SHA256.hash(seed + JSONValue.object(body).bytes).prefix(12).hex
    var body = body
    body["random_\(digits.prefix(8))"] = .string(String(digits.dropFirst(8)))
    return body
  }

  /// 40 hexadecimal digits that are always the same for the same trigger and fields.
  package static func triggerIdentity(_ slug: String, _ fields: JSONObject) -> String {
    let text = JSONValue.array([.string(slug), .object(fields)]).bytes
    return SHA256.hash(text).prefix(20).hex
  }
}

/// The address of a partner's server, up to and including `/ifttt/v1` (docs/api/service.md §1).
package struct ServiceURL: Sendable, Equatable {
  package let base: WebURL

  /// - Parameter prefix: the API URL prefix. `/ifttt/v1` is added unless the path ends with it.
  package init(prefix: WebURL) {
    var base = prefix
    while base.path.hasSuffix("/") { base.path.removeLast() }
    if base.path.hasSuffix("/ifttt/v1") {
      self.base = base
    } else {
      self.base = base.appending("ifttt", "v1")
    }
  }

  package func endpoint(_ path: ServicePath) -> WebURL {
    path.segments.reduce(base) { $0.appending($1) }
  }
}

/// The path of an endpoint below `/ifttt/v1`, such as `triggers/lamp_switched_on`.
package struct ServicePath: Sendable, Hashable, CustomStringConvertible {
  package let segments: [String]
  package init(_ segments: [String]) { self.segments = segments }
  package init(_ segments: String...) { self.segments = segments }

  package static let status = ServicePath("status")
  package static let testSetup = ServicePath("test", "setup")
  package static let userInfo = ServicePath("user", "info")

  /// The validation of one field of a trigger.
  static func validation(of field: String, in trigger: String) -> ServicePath {
    ServiceStepKind.triggers.path(trigger).field(field, "validate")
  }

  /// The validation of all fields of a trigger together (docs/api/service.md C7).
  static func contextualValidation(of trigger: String) -> ServicePath {
    ServiceStepKind.triggers.path(trigger).appending("validate")
  }

  /// The options or the validation of a field of this trigger, query or action.
  func field(_ slug: String, _ verb: String) -> ServicePath { appending("fields", slug, verb) }

  package func appending(_ segments: String...) -> ServicePath { ServicePath(self.segments + segments) }

  /// Whether this is the other path, or a path below it.
  package func isWithin(_ other: ServicePath) -> Bool { segments.starts(with: other.segments) }

  package var description: String { segments.joined(separator: "/") }
}

/// A kind of endpoint that has fields.
package enum ServiceStepKind: String, Sendable, CaseIterable {
  case triggers, queries, actions

  package func path(_ slug: String) -> ServicePath { ServicePath(rawValue, slug) }

  /// The key of the fields in a request's body.
  package var fieldsKey: String {
    switch self {
    case .triggers: "triggerFields"
    case .queries: "queryFields"
    case .actions: "actionFields"
    }
  }
}

/// A webhook that IFTTT sends when a connection changes or one of its triggers fires (docs/api/service.md §10).
package struct ServiceWebhook: Sendable {
  package let type: String
  package let event: String
  package let body: JSONObject

  package var path: ServicePath { ServicePath("webhooks", type, event) }

  /// A webhook about a connection.
  /// - Parameters:
  ///   - change: `enabled`, `updated` or `disabled`.
  ///   - time: in milliseconds. `sent_at` is a number, and the time of the change is a string.
  private static func connection(_ change: String, _ data: JSONObject, time: Int) -> ServiceWebhook {
    ServiceWebhook(
      type: "connection", event: change,
      body: [
        "sent_at": JSONValue(time), "data": .object(data), "event_data": ["\(change)_at": .string(String(time - 250))],
      ])
  }

  private static func fired(_ data: JSONObject, ingredients: JSONObject, time: Int) -> ServiceWebhook {
    ServiceWebhook(
      type: "trigger_subscription", event: "fired",
      body: [
        "sent_at": JSONValue(time), "data": .object(data), "event_data": ["ingredients": .object(ingredients)],
      ])
  }

  /// One webhook of each kind, with invented values.
  package static var samples: [ServiceWebhook] {
    let time = 1_772_646_131_850
    let data: JSONObject = [
      "connection_id": "Kd7Rn2Qx", "user_id": "test-user", "user_timezone": "Pacific Time (US & Canada)",
    ]
    var fired = data
    fired["trigger_id"] = "location.exit_region_location"
    fired["feature_id"] = "mw4tq9hzjc"
    fired["user_feature_id"] = "8f0b6c1e-2d57-4a93-b8e4-71c0d9a5f326"
    fired["user_feature_trigger_id"] = "d27e9a40-5b13-4c68-9f02-3e8a6b7c1d54"
    return ["enabled", "updated", "disabled"].map { connection($0, data, time: time) } + [
      .fired(
        fired, ingredients: ["OccurredAt": "March 04, 2026 at 05:42PM", "EnteredOrExited": "exited"], time: time)
    ]
  }
}
