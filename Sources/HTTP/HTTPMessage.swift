package import Secrets

/// A request method; those named here are all the program sends.
package enum Method: String, Sendable, CaseIterable {
  case get = "GET"
  case head = "HEAD"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"
}

/// One header field. Its value may be a credential, which then is masked wherever the request is shown.
package struct Header: Sendable, Equatable {
  package enum Value: Sendable, Equatable {
    case text(String)
    /// `prefix` and the secret: `Bearer ` and a token.
    case secret(prefix: String, Secret)
  }
  package var name: String
  package var value: Value
  package init(_ name: String, _ value: String) { (self.name, self.value) = (name, .text(value)) }
  package init(_ name: String, prefix: String = "", secret: Secret) {
    (self.name, self.value) = (name, .secret(prefix: prefix, secret))
  }
  /// Whether a field of this name carries a credential, whatever its value.
  package static func isCredential(_ name: String) -> Bool { SecretNames.isHeader(name) }
  /// What is sent.
  package var wire: String {
    switch value {
    case .text(let text): text
    case .secret(let prefix, let secret): prefix + secret.revealed
    }
  }
  /// What may be shown.
  package var redacted: String {
    switch value {
    case .text(let text): text
    case .secret(let prefix, let secret): prefix + secret.masked
    }
  }
}

/// One item of a query string, percent-encoded strictly when sent (all but `A–Z a–z 0–9 - . _ ~`).
package struct QueryItem: Sendable, Hashable {
  package var name: String
  package var value: String
  /// Masked wherever the request is shown, as `user_token`'s parameters must be.
  package var isSecret: Bool
  package init(_ name: String, _ value: String, isSecret: Bool = false) {
    (self.name, self.value, self.isSecret) = (name, value, isSecret)
  }
}

/// A request before it is sent. Pure data: the emulator answers it as well as a server does.
package struct Request: Sendable, Equatable {
  package var method: Method
  package var url: WebURL
  package var headers: [Header]
  package var body: [UInt8]?
  /// Whether the same request may be sent again when nobody knows if it arrived.
  package var isRepeatable: Bool
  /// Credentials in the body, as they stand there.
  package var bodySecrets: [Secret] = []
  /// Whether an answer counts as soon as its headers are there, whatever becomes of its body.
  package var needsStatusAlone = false
  package init(
    _ method: Method, _ url: WebURL, headers: [Header] = [], body: [UInt8]? = nil, isRepeatable: Bool? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.isRepeatable = isRepeatable ?? (method == .get || method == .head)
  }

  /// The value of a header, whatever the case of its name.
  package func header(_ name: String) -> String? {
    headers.first { isSameName($0.name, name) }?.wire
  }

  /// All credentials in it.
  package var secrets: [Secret] {
    headers.compactMap { header in
      if case .secret(_, let secret) = header.value { secret } else { nil }
    } + url.query.filter(\.isSecret).compactMap { Secret(parsing: $0.value) } + bodySecrets
  }
}

/// An answer, whole and decompressed.
package struct Response: Sendable, Equatable {
  package var status: Int
  /// In the order received; names as received.
  package var headers: [Field]
  package var body: [UInt8]
  /// How often the request was sent until this came.
  package var attempts = 1
  /// The delay before the next request that the server requests (`Retry-After`); nil if there is none.
  package var patience: Duration?

  package struct Field: Sendable, Equatable {
    package var name: String
    package var value: String
    package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
  }

  package init(status: Int, headers: [Field] = [], body: [UInt8] = []) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }

  /// The first value of a header, whatever the case of its name.
  package func header(_ name: String) -> String? {
    headers.first { isSameName($0.name, name) }?.value
  }

  /// The same message; how it was obtained does not matter.
  package static func == (a: Response, b: Response) -> Bool {
    a.status == b.status && a.headers == b.headers && a.body == b.body
  }
}

/// Whether two field names are one, in any case of ASCII letters; nothing is allocated to find out.
private func isSameName(_ a: String, _ b: String) -> Bool {
  a.utf8.count == b.utf8.count && zip(a.utf8, b.utf8).allSatisfy { $0 == $1 || folded($0) == folded($1) }
}

private func folded(_ byte: UInt8) -> UInt8 {
  UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
}
