/// Assembles one request from its parts, and rejects requests that exceed a limit or are not meant for this server.
struct RequestAssembly {
  private let bodyLimit: Int
  private let acceptsAnyHost: Bool
  /// The host of the last accepted request. Nearly all requests have the same host, so it is checked only once.
  private var knownHost: String?
  private var request: ReceivedRequest?
  /// The first line of the request that has begun, also if it was rejected.
  private(set) var line: RequestLine?
  private var keepsAlive = false

  init(_ settings: ListenerSettings) {
    (bodyLimit, acceptsAnyHost) = (settings.bodyLimit, settings.acceptsAnyHost)
  }

  /// Whether a request has begun but not ended.
  var isUnderWay: Bool { request != nil }

  /// - Returns: whether the client waits for permission to send the body (RFC 9110, section 10.1.1).
  mutating func begin(_ head: RequestHead) throws(RequestRejection) -> Bool {
    line = head.line
    guard let (target, authority) = RequestTarget.read(head.line.target) else {
      throw RequestRejection(status: 400, words: "The request's target is not a path")
    }
    let hosts = head.fields.filter { $0.isNamed("Host") }
    guard hosts.count == 1 || (hosts.isEmpty && head.minorVersion == 0) else {
      throw RequestRejection(status: 400, words: "A request must have exactly one Host field")
    }
    try check(authority ?? hosts.first?.value)
    if case .length(let length) = head.framing, length > bodyLimit { throw .tooLong(bodyLimit: bodyLimit) }
    keepsAlive = head.keepsAlive
    request = ReceivedRequest(method: head.line.method, target: target, fields: head.fields)
    guard let expectation = head.fields.first(where: { $0.isNamed("Expect") }) else { return false }
    guard expectation.value.lowercased() == "100-continue" else {
      throw RequestRejection(status: 417, words: "This expectation is not supported")
    }
    return head.minorVersion > 0
  }

  private mutating func check(_ host: String?) throws(RequestRejection) {
    guard let host, !acceptsAnyHost, host != knownHost else { return }
    guard HostField.isLoopback(host) else {
      throw RequestRejection(status: 421, words: "This server serves only loopback addresses")
    }
    knownHost = host
  }

  mutating func receive(_ bytes: ArraySlice<UInt8>) throws(RequestRejection) {
    guard let received = request?.body.count else { return }
    guard received + bytes.count <= bodyLimit else { throw .tooLong(bodyLimit: bodyLimit) }
    request?.body.append(contentsOf: bytes)
  }

  mutating func end() -> AcceptedRequest? {
    guard let request else { return nil }
    (self.request, line) = (nil, nil)
    return AcceptedRequest(request: request, keepsAlive: keepsAlive)
  }
}

/// A complete request, and whether its connection stays open after the response.
struct AcceptedRequest {
  let request: ReceivedRequest
  let keepsAlive: Bool

  var isHead: Bool { request.method == "HEAD" }
}
