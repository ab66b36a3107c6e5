package import Text

/// A request method. The program sends no others.
package enum Method: String, Sendable, CaseIterable {
  case get = "GET"
  case head = "HEAD"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"
}

/// One header field. A value that is a credential is masked wherever the request is shown.
package struct Header: Sendable, Equatable {
  package enum Value: Sendable, Equatable {
    case text(String)
    /// A prefix and the secret: `Bearer ` and a token.
    case secret(prefix: String, Secret)
  }
  package var name: String
  package var value: Value
  package init(_ name: String, _ value: String) { (self.name, self.value) = (name, .text(value)) }
  package init(_ name: String, prefix: String = "", secret: Secret) {
    (self.name, self.value) = (name, .secret(prefix: prefix, secret))
  }
  /// Whether a field of this name carries a credential, regardless of its value.
  package static func isCredential(_ name: String) -> Bool { SecretNames.isHeader(name) }
  /// Whether a field of this name belongs to one connection (RFC 9110, section 7.6.1), or frames a request: the client
  /// sets it itself.
  package static func isOfConnection(_ name: String) -> Bool { ofConnection.contains(name.lowercased()) }
  private static let ofConnection: Set<String> = [
    "connection", "content-length", "expect", "host", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade",
  ]
  /// The value as sent.
  package var wire: String {
    switch value {
    case .text(let text): text
    case .secret(let prefix, let secret): prefix + secret.revealed
    }
  }
  /// The value as it may be shown.
  package var redacted: String {
    switch value {
    case .text(let text): text
    case .secret(let prefix, let secret): prefix + secret.masked
    }
  }
}

/// One item of a query string. Everything except `A–Z a–z 0–9 - . _ ~` is percent-encoded when sent.
package struct QueryItem: Sendable, Hashable {
  package var name: String
  package var value: String
  /// Whether the value is masked wherever the request is shown, as the parameters of `user_token` must be.
  package var isSecret: Bool
  package init(_ name: String, _ value: String, isSecret: Bool = false) {
    (self.name, self.value, self.isSecret) = (name, value, isSecret)
  }
}

/// A request before it is sent. Pure data, so that the emulator can respond to it just as a server does.
package struct Request: Sendable, Equatable {
  package var method: Method
  package var url: WebURL
  package var headers: [Header]
  package var body: [UInt8]?
  /// Whether the same request may be sent again when it is unknown whether it arrived.
  package var isRepeatable: Bool
  /// Credentials in the body, exactly as they appear there.
  package var bodySecrets: [Secret] = []
  /// Whether a response counts as soon as its headers are complete, whatever happens to its body.
  package var needsStatusAlone = false
  /// Whether the request gets a connection of its own.
  package var needsNewConnection = false
  package init(
    _ method: Method, _ url: WebURL, headers: [Header] = [], body: [UInt8]? = nil, isRepeatable: Bool? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.isRepeatable = isRepeatable ?? (method == .get || method == .head)
  }

  /// The value of a header; the name is case-insensitive.
  package func header(_ name: String) -> String? {
    headers.first { $0.name.isSame(ignoringASCIICase: name) }?.wire
  }

  /// All credentials in the request.
  package var secrets: [Secret] {
    headers.compactMap { header in
      if case .secret(_, let secret) = header.value { secret } else { nil }
    } + url.pathSecrets + url.query.filter(\.isSecret).compactMap { Secret(parsing: $0.value) } + bodySecrets
  }
}

/// A complete, decompressed response.
package struct Response: Sendable, Equatable {
  package var status: Int
  /// In the order received; names as received.
  package var headers: [HeaderField]
  package var body: [UInt8]
  /// The number of times the request was sent to get this response.
  package var attempts = 1
  /// The delay before the next request that the server requests (`Retry-After`); nil if absent.
  package var requestedDelay: Duration?

  package init(status: Int, headers: [HeaderField] = [], body: [UInt8] = []) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }

  /// The first value of a header; the name is case-insensitive.
  package func header(_ name: String) -> String? {
    headers.first { $0.isNamed(name) }?.value
  }

  /// Compares status, headers and body, but not ``attempts`` and ``requestedDelay``.
  package static func == (a: Response, b: Response) -> Bool {
    a.status == b.status && a.headers == b.headers && a.body == b.body
  }
}

/// A header field as received.
package struct HeaderField: Sendable, Equatable {
  package var name: String
  package var value: String
  package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }

  /// Whether a text is the name of a field: a token (RFC 9110, section 5.6.2).
  package static func isName(_ text: some Collection<UInt8>) -> Bool {
    !text.isEmpty && text.allSatisfy { $0 > 0x20 && $0 < 0x7f && !"()<>@,;:\\\"/[]?={}".utf8.contains($0) }
  }

  /// Whether a text can be the value of a field: it has no control characters but tabs.
  package static func isValue(_ text: some Collection<UInt8>) -> Bool {
    text.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }
  }

  /// A text without the spaces and tabs around it, which do not belong to a field's value (RFC 9110, section 5.5).
  static func trimmed<Text: BidirectionalCollection<UInt8>>(_ text: Text) -> Text where Text.SubSequence == Text {
    var rest = text
    while rest.first == UInt8(ascii: " ") || rest.first == UInt8(ascii: "\t") { rest = rest.dropFirst() }
    while rest.last == UInt8(ascii: " ") || rest.last == UInt8(ascii: "\t") { rest = rest.dropLast() }
    return rest
  }

  /// Whether this is the field's name, ignoring the case of ASCII letters.
  package func isNamed(_ other: String) -> Bool { name.isSame(ignoringASCIICase: other) }
}
