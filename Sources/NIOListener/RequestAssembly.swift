import Listener
import NIOCore
import NIOHTTP1

/// Assembles one request from its parts, and rejects requests that exceed a limit or are not meant for this server.
struct RequestAssembly {
  /// The reason a request is rejected. The connection is closed after the response.
  struct Refusal: Error {
    let status: Int
    let words: String
  }

  private let bodyLimit: Int
  private let acceptsAnyHost: Bool
  /// The host of the last accepted request. Nearly all requests have the same host, so it is checked only once.
  private var knownHost: String?
  private var request: ReceivedRequest?
  /// The first line of the request that has begun, also if it was rejected.
  private(set) var line: RequestLine?
  private(set) var keepsAlive = false
  private(set) var isHead = false

  init(_ settings: ListenerSettings) {
    (bodyLimit, acceptsAnyHost) = (settings.bodyLimit, settings.acceptsAnyHost)
  }

  /// Whether a request has begun but not ended.
  var isUnderWay: Bool { request != nil }

  /// - Returns: whether the client waits for permission to send the body (RFC 9110, section 10.1.1).
  mutating func begin(_ head: HTTPRequestHead) throws(Refusal) -> Bool {
    line = RequestLine(method: head.method.rawValue, target: head.uri)
    guard head.version.major == 1 else { throw Refusal(status: 505, words: "Only HTTP/1.1 is supported") }
    guard let (target, authority) = RequestTarget.read(head.uri) else {
      throw Refusal(status: 400, words: "The request's target is not a path")
    }
    var request = ReceivedRequest(method: head.method.rawValue, target: target)
    request.fields.reserveCapacity(head.headers.count)
    var host = authority
    var hosts = 0
    var expectation: String?
    for (name, value) in head.headers {
      let field = HeaderField(name, value)
      if field.isNamed("Host") {
        hosts += 1
        if authority == nil { host = value }
      } else if field.isNamed("Expect") {
        expectation = value
      } else if field.isNamed("Content-Length"), (Int(value) ?? .max) > bodyLimit {
        throw Refusal(status: 413, words: "The body is longer than \(bodyLimit) bytes")
      }
      request.fields.append(field)
    }
    guard hosts == 1 || (hosts == 0 && head.version.minor == 0) else {
      throw Refusal(status: 400, words: "A request must have exactly one Host field")
    }
    if let host, !acceptsAnyHost, host != knownHost {
      guard HostField.isLoopback(host) else {
        throw Refusal(status: 421, words: "This server serves only loopback addresses")
      }
      knownHost = host
    }
    keepsAlive = head.isKeepAlive
    isHead = head.method == .HEAD
    self.request = request
    guard let expectation else { return false }
    guard expectation.lowercased() == "100-continue" else {
      throw Refusal(status: 417, words: "This expectation is not supported")
    }
    return head.version.minor > 0
  }

  mutating func receive(_ bytes: ByteBuffer) throws(Refusal) {
    guard request != nil else { return }
    guard (request?.body.count ?? 0) + bytes.readableBytes <= bodyLimit else {
      throw Refusal(status: 413, words: "The body is longer than \(bodyLimit) bytes")
    }
    request?.body.append(contentsOf: bytes.readableBytesView)
  }

  mutating func end() -> AcceptedRequest? {
    guard let request else { return nil }
    (self.request, line) = (nil, nil)
    return AcceptedRequest(request: request, keepsAlive: keepsAlive, isHead: isHead)
  }
}

/// A complete request, and the properties that affect its response.
struct AcceptedRequest {
  let request: ReceivedRequest
  let keepsAlive: Bool
  let isHead: Bool
}
