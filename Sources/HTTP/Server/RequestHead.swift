import Text

/// The request line and the header fields of a request.
package struct RequestHead: Equatable {
  /// How the end of the body is found (RFC 9112, section 6.3).
  package enum Framing: Equatable {
    case length(Int)
    case chunked
  }

  package var line: RequestLine
  /// The digit after `HTTP/1.`.
  package var minorVersion: Int
  package var fields: [HeaderField]
  package var framing: Framing
  package var keepsAlive: Bool
}

extension RequestHead {
  /// Parses the lines of a head, without the empty line at its end (RFC 9112, sections 3 and 5).
  ///
  /// Two programs that parse the same bytes differently make request smuggling possible. Anything that the RFC does not
  /// allow is therefore rejected: bare line feeds, folded lines, spaces before a colon, two lengths.
  init(parsing bytes: ArraySlice<UInt8>, fieldLimit: Int) throws(RequestRejection) {
    var lines = HeadLines(bytes)
    let (line, minorVersion) = try Self.requestLine(lines.next() ?? [])
    var fields: [HeaderField] = []
    var framingFields = FramingFields()
    while let text = lines.next() {
      guard fields.count < fieldLimit else {
        throw RequestRejection(status: 431, message: "The header has more than \(fieldLimit) fields")
      }
      let field = try HeaderField(parsing: text)
      try framingFields.receive(field)
      fields.append(field)
    }
    (self.line, self.minorVersion, self.fields) = (line, minorVersion, fields)
    self.framing = try framingFields.framing(minorVersion: minorVersion)
    keepsAlive = framingFields.keepsAlive(minorVersion: minorVersion)
  }

  private static func requestLine(_ line: ArraySlice<UInt8>) throws(RequestRejection) -> (
    RequestLine, minorVersion: Int
  ) {
    let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard words.count == 3 else { throw .syntax("a request line has three words") }
    let (method, target, version) = (words[0], words[1], words[2])
    guard HeaderField.isName(method) else { throw .syntax("the method is not a name") }
    guard !target.isEmpty, target.allSatisfy({ 0x21...0x7e ~= $0 }) else {
      throw .syntax("the target contains a character that must be percent-encoded")
    }
    let request = RequestLine(
      method: String(decoding: method, as: UTF8.self), target: String(decoding: target, as: UTF8.self))
    switch String(decoding: version, as: UTF8.self) {
    case "HTTP/1.1": return (request, 1)
    case "HTTP/1.0": return (request, 0)
    case "HTTP/0.9", "HTTP/2.0", "HTTP/3.0": throw RequestRejection(status: 505, message: "Only HTTP/1.1 is supported")
    default: throw .syntax("the version is not known")
    }
  }
}

extension HeaderField {
  /// Parses a field line (RFC 9110, section 5).
  fileprivate init(parsing line: ArraySlice<UInt8>) throws(RequestRejection) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .syntax("a field has no colon") }
    let name = line[..<colon]
    guard Self.isName(name) else { throw .syntax("the name of a field is not a name") }
    let value = HeaderField.trimmed(line[line.index(after: colon)...])
    guard Self.isValue(value) else { throw .syntax("the value of a field contains a control character") }
    self.init(String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
  }
}

/// The lines of a head, each of which ends with CR and LF, except the last one.
private struct HeadLines {
  private var rest: ArraySlice<UInt8>?

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func next() -> ArraySlice<UInt8>? {
    guard let text = rest else { return nil }
    var end = text.startIndex
    // A bare CR or LF does not end a line. It stays in the line, and the line's parser rejects it.
    while let carriageReturn = text[end...].firstIndex(of: UInt8(ascii: "\r")) {
      let after = text.index(after: carriageReturn)
      if after < text.endIndex, text[after] == UInt8(ascii: "\n") {
        rest = text[text.index(after: after)...]
        return text[..<carriageReturn]
      }
      end = after
    }
    rest = nil
    return text
  }
}

/// The header fields that determine the framing of the body and the lifetime of the connection.
private struct FramingFields {
  private var length: Int?
  private var isChunked = false
  private var closes = false
  private var hasKeepAlive = false

  mutating func receive(_ field: HeaderField) throws(RequestRejection) {
    if field.isNamed("Content-Length") {
      guard length == nil else { throw .syntax("there are two lengths") }
      length = try Self.length(field.value)
    } else if field.isNamed("Transfer-Encoding") {
      guard !isChunked else { throw .syntax("there are two transfer encodings") }
      let codings = field.value.lowercased().utf8.split(separator: UInt8(ascii: ",")).map { HeaderField.trimmed($0) }
      guard let last = codings.last, last.elementsEqual("chunked".utf8) else {
        throw .syntax("the last transfer encoding is not 'chunked'")
      }
      guard codings.count == 1 else {
        throw RequestRejection(status: 501, message: "The only supported transfer encoding is 'chunked'")
      }
      isChunked = true
    } else if field.isNamed("Connection") {
      for option in field.value.utf8.split(separator: UInt8(ascii: ",")) {
        switch String(decoding: HeaderField.trimmed(option), as: UTF8.self).lowercased() {
        case "close": closes = true
        case "keep-alive": hasKeepAlive = true
        default: break
        }
      }
    }
  }

  func framing(minorVersion: Int) throws(RequestRejection) -> RequestHead.Framing {
    guard isChunked else { return .length(length ?? 0) }
    guard length == nil else { throw .syntax("there are a length and a transfer encoding") }
    guard minorVersion > 0 else { throw .syntax("HTTP/1.0 has no transfer encoding") }
    return .chunked
  }

  func keepsAlive(minorVersion: Int) -> Bool { !closes && (minorVersion > 0 || hasKeepAlive) }

  private static func length(_ value: String) throws(RequestRejection) -> Int {
    guard !value.isEmpty, value.utf8.allSatisfy(\.isDigit),
      let length = Int(value)
    else { throw .syntax("the length is not a number") }
    return length
  }
}

/// The assembly of a connection's requests, one after the other, from heads and pieces of bodies. It rejects requests
/// that exceed a limit or name another host.
struct RequestAssembly {
  private let bodyLimit: Int
  private let acceptsAnyHost: Bool
  private let allowedHosts: Set<HostName>
  private let targetsForAnyHost: Set<String>
  private var request: ReceivedRequest?
  /// The request line of the current request, even if the request was rejected.
  private(set) var line: RequestLine?
  private var keepsAlive = false

  init(_ settings: ListenerSettings) {
    (bodyLimit, acceptsAnyHost) = (settings.bodyLimit, settings.acceptsAnyHost)
    (allowedHosts, targetsForAnyHost) = (settings.allowedHosts, settings.targetsForAnyHost)
  }

  /// Whether a request has begun but not ended.
  var hasBegun: Bool { request != nil }

  /// Begins a request with its head.
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
    if !targetsForAnyHost.contains(target) { try check(authority ?? hosts.first?.value) }
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
    guard let host, !acceptsAnyHost, !HostField.isAccepted(host, allowing: allowedHosts) else { return }
    throw RequestRejection(
      status: 421,
      message: allowedHosts.isEmpty
        ? "This server serves only loopback addresses" : "This server does not serve the host of this request")
  }

  /// Adds a piece of the body.
  mutating func receive(_ bytes: ArraySlice<UInt8>) throws(RequestRejection) {
    guard let received = request?.body.count else { return }
    guard received + bytes.count <= bodyLimit else { throw .tooLong(bodyLimit: bodyLimit) }
    request?.body.append(contentsOf: bytes)
  }

  /// Ends the request.
  /// - Returns: the request; nil if none has begun.
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

/// The parser for the target of a request line (RFC 9112, section 3.2).
package enum RequestTarget {
  /// Returns the path and query, and the authority if the target is an absolute URL. Returns nil for all other forms.
  package static func read(_ text: String) -> (target: String, authority: String?)? {
    if text.utf8.first == UInt8(ascii: "/") { return (text, nil) }
    let scheme = "http://"
    guard text.utf8.count > scheme.utf8.count, text.prefix(scheme.utf8.count).lowercased() == scheme else { return nil }
    let rest = text.dropFirst(scheme.utf8.count)
    // Compare bytes: Swift combines a slash and a combining mark after it into one Character, which is not a slash.
    let end = rest.utf8.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
    let (authority, path) = (rest[..<end], rest[end...])
    return (path.utf8.first == UInt8(ascii: "/") ? String(path) : "/" + path, String(authority))
  }
}

/// The check of a request's `Host` field against DNS rebinding.
///
/// A web page can make its own host name resolve to this machine. The requests of the page then have that name in
/// `Host`, so only names of this machine and the allowed names are accepted. Any port is accepted, because the port may
/// be forwarded.
package enum HostField {
  /// Whether the value names this machine or an allowed host.
  /// - Parameter value: the value of the field, with or without a port.
  package static func isAccepted(_ value: String, allowing allowed: Set<HostName>) -> Bool {
    // The brackets of an IPv6 address contain colons that do not begin a port.
    let bracket = value.hasPrefix("[") ? value.utf8.firstIndex(of: UInt8(ascii: "]")) : nil
    let end = value.utf8[(bracket ?? value.startIndex)...].firstIndex(of: UInt8(ascii: ":")) ?? value.endIndex
    let host = String(value[..<end]).loweredASCII
    return isPort(value.utf8[end...]) && allowed.admits(host)
  }

  /// Whether the text is empty, or a colon and up to five digits.
  private static func isPort(_ text: Substring.UTF8View) -> Bool {
    guard text.first != nil else { return true }
    let digits = text.dropFirst()
    return text.first == UInt8(ascii: ":") && digits.count <= 5 && digits.allSatisfy(\.isDigit)
  }
}
