package import HTTP
package import JSON
package import Text
package import World

/// The credential of a request to a partner's server.
package enum ServiceCredential: Sendable {
  case serviceKey(Secret)
  case accessToken(Secret)

  /// Live IFTTT sends the service key under its old name too, and many services read only that one.
  package var headers: [Header] {
    switch self {
    case .serviceKey(let key): [Header("IFTTT-Service-Key", secret: key), Header("IFTTT-Channel-Key", secret: key)]
    case .accessToken(let token): [Header("Authorization", prefix: "Bearer ", secret: token)]
    }
  }
}

/// Creates the requests that IFTTT sends to a partner's server (reference: service-api.md, sections 1 to 8).
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
    // Tests do not retry, and would blame a server that has just closed a reused connection, as it may.
    request.needsNewConnection = isTest
    return request
  }

  /// A request without a body and a credential.
  func request(_ method: Method, at url: WebURL, contentType: String?) -> Request {
    var headers = [
      Header("Accept", "application/json"), Header("Accept-Charset", "utf-8"),
      Header("Accept-Encoding", "gzip, deflate"), Header("X-Request-ID", hexadecimal(16)),
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
    let digits = Self.hexadecimal(SHA256.hash(seed + JSONValue.object(body).bytes).prefix(12))
    var body = body
    body["random_\(digits.prefix(8))"] = .string(String(digits.dropFirst(8)))
    return body
  }

  /// 40 hexadecimal digits that are always the same for the same trigger and fields.
  package static func triggerIdentity(_ slug: String, _ fields: JSONObject) -> String {
    let text = JSONValue.array([.string(slug), .object(fields)]).bytes
    return hexadecimal(SHA256.hash(text).prefix(20))
  }

  private func hexadecimal(_ count: Int) -> String { Self.hexadecimal(random.bytes(count)) }

  /// Two digits per byte.
  private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
