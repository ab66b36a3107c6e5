import Text

/// Assembles one request from its parts, and rejects requests that exceed a limit or are not meant for this server.
struct RequestAssembly {
  private let bodyLimit: Int
  private let acceptsAnyHost: Bool
  private var request: ReceivedRequest?
  /// The first line of the request that has begun, also if it was rejected.
  private(set) var line: RequestLine?
  private var keepsAlive = false

  init(_ settings: ListenerSettings) {
    (bodyLimit, acceptsAnyHost) = (settings.bodyLimit, settings.acceptsAnyHost)
  }

  /// Whether a request has begun but not ended.
  var hasBegun: Bool { request != nil }

  /// - Returns: whether the client waits for permission to send the body (RFC 9110, section 10.1.1).
  mutating func begin(_ head: RequestHead) throws(RequestRejection) -> Bool {
    line = head.line
    guard let (target, authority) = RequestTarget.read(head.line.target) else {
      throw RequestRejection(status: 400, message: "The request's target is not a path")
    }
    let hosts = head.fields.filter { $0.isNamed("Host") }
    guard hosts.count == 1 || (hosts.isEmpty && head.minorVersion == 0) else {
      throw RequestRejection(status: 400, message: "A request must have exactly one Host field")
    }
    try check(authority ?? hosts.first?.value)
    if case .length(let length) = head.framing, length > bodyLimit { throw .tooLong(bodyLimit: bodyLimit) }
    keepsAlive = head.keepsAlive
    request = ReceivedRequest(method: head.line.method, target: target, fields: head.fields)
    guard let expectation = head.fields.first(where: { $0.isNamed("Expect") }) else { return false }
    guard expectation.value.lowercased() == "100-continue" else {
      throw RequestRejection(status: 417, message: "This expectation is not supported")
    }
    return head.minorVersion > 0
  }

  private func check(_ host: String?) throws(RequestRejection) {
    guard let host, !acceptsAnyHost, !HostField.isLoopback(host) else { return }
    throw RequestRejection(status: 421, message: "This server serves only loopback addresses")
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

/// Parses the target of a request line (RFC 9112, section 3.2).
package enum RequestTarget {
  /// The path and query, and the authority if the target is an absolute URL; nil for the forms used by proxies.
  package static func read(_ text: String) -> (target: String, authority: String?)? {
    if text.utf8.first == UInt8(ascii: "/") { return (text, nil) }
    let scheme = "http://"
    guard text.utf8.count > scheme.utf8.count, text.prefix(scheme.utf8.count).lowercased() == scheme else { return nil }
    let rest = text.dropFirst(scheme.utf8.count)
    // Compare bytes: for Swift, a slash and a combining character after it are one other character.
    let end = rest.utf8.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
    let (authority, path) = (rest[..<end], rest[end...])
    return (path.utf8.first == UInt8(ascii: "/") ? String(path) : "/" + path, String(authority))
  }
}

/// The origin of a request, judged by its `Host` field.
///
/// A page that a browser loaded from elsewhere can make its own name resolve to this machine (DNS rebinding). Its
/// requests then carry that name. Only names of this machine are accepted. Any port is accepted, because the port may
/// be forwarded.
package enum HostField {
  /// - Parameter value: with or without a port.
  package static func isLoopback(_ value: String) -> Bool {
    // The brackets of an IPv6 address contain colons that do not begin a port.
    let bracket = value.hasPrefix("[") ? value.utf8.firstIndex(of: UInt8(ascii: "]")) : nil
    let end = value.utf8[(bracket ?? value.startIndex)...].firstIndex(of: UInt8(ascii: ":")) ?? value.endIndex
    return isPort(value.utf8[end...]) && Host.isLoopback(String(value[..<end]).loweredASCII)
  }

  /// Whether the text is empty, or a colon and up to five digits.
  private static func isPort(_ text: Substring.UTF8View) -> Bool {
    guard text.first != nil else { return true }
    let digits = text.dropFirst()
    return text.first == UInt8(ascii: ":") && digits.count <= 5 && digits.allSatisfy(\.isDigit)
  }
}
