package import HTTP
package import JSON
package import Text

/// Creates the requests of one API from its base URL, the caller's identity, and the headers of every request.
package struct RequestTemplate: Sendable, Equatable {
  /// Without the version segment: `https://connect.ifttt.com`.
  package let base: WebURL
  package let authentication: Authentication
  package let inviteCode: Secret?
  /// Nil if the client does not identify itself. This is the default; it changes if the user enables usage events.
  package let identity: SDKIdentity?
  /// The option, variable or profile that the credential is from; nil if it is unknown.
  private let origin: String?

  package init(
    base: WebURL, authentication: Authentication, from origin: String? = nil, inviteCode: Secret?,
    identity: SDKIdentity? = nil
  ) {
    (self.base, self.authentication, self.inviteCode, self.identity) = (base, authentication, inviteCode, identity)
    self.origin = origin
  }

  /// The same template with another authentication.
  package func authenticated(as authentication: Authentication) -> RequestTemplate {
    let isSame = authentication.secret == self.authentication.secret
    return RequestTemplate(
      base: base, authentication: authentication, from: isSame ? origin : nil, inviteCode: inviteCode,
      identity: identity)
  }

  /// The same template for a client that does not identify itself.
  package var unidentified: RequestTemplate {
    RequestTemplate(base: base, authentication: authentication, from: origin, inviteCode: inviteCode)
  }

  /// The credential of every request, as errors name it; nil for anonymous requests.
  package var credential: SentCredential? {
    switch authentication {
    case .anonymous: nil
    case .service: SentCredential(.serviceKey, from: origin)
    case .user: SentCredential(.userToken, from: origin)
    }
  }

  /// The headers that every request carries in addition to its own.
  package var headers: [Header] {
    var headers = [Header("Accept", "application/json")]
    if let credential = authentication.header { headers.append(credential) }
    // The iOS SDK sends the invite code on `/connections/*` only, the Android SDK with every request
    // (docs/api/activation.md C18; docs/api/connect.md §4).
    if let inviteCode { headers.append(Header("IFTTT-Invite-Code", secret: inviteCode)) }
    return headers + (identity?.headers ?? [])
  }

  /// A GET for the user. With a service key, the user is named in the query.
  /// - Parameter path: the segments below the base URL; each is percent-encoded.
  package func get(_ path: [String], query: [QueryItem] = []) -> Request {
    Request(.get, base.appending(path).with(query + userItem), headers: headers)
  }

  /// A POST with an empty body, sent with `Content-Length: 0` and no content type.
  package func post(_ path: [String], query: [QueryItem] = [], isRepeatable: Bool) -> Request {
    Request(.post, base.appending(path).with(query), headers: headers, body: [], isRepeatable: isRepeatable)
  }

  /// A POST of a JSON document.
  /// - Parameter secrets: the keys of the members whose values are credentials.
  package func post(
    _ path: [String], json: JSONObject, secrets names: Set<String> = [], isRepeatable: Bool
  ) -> Request {
    send(.post, base.appending(path), json, secrets: names, isRepeatable: isRepeatable)
  }

  /// A PUT of a JSON document for the user. With a service key, the user is named in the query.
  package func put(_ path: [String], json: JSONObject, isRepeatable: Bool) -> Request {
    send(.put, base.appending(path).with(userItem), json, secrets: [], isRepeatable: isRepeatable)
  }

  /// A GET of a URL that the API provided. Nil unless it is below the base URL and the path, because no other host
  /// may receive a credential.
  /// - Parameter path: the segments below the base URL, at least one.
  package func get(following address: String, below path: [String]) -> Request? {
    guard let url = try? WebURL(parsing: address, allowing: base.plainHosts), url.origin == base.origin,
      url.path.hasPrefix(base.appending(path).path + "/")
    else { return nil }
    return Request(.get, url.with(userItem), headers: headers)
  }

  /// The user on whose behalf a service key is used, in the query string of every GET. Always sent as text
  /// (docs/api/connect.md C4).
  var userItem: [QueryItem] {
    guard case .service(_, let userID?) = authentication else { return [] }
    return [QueryItem("user_id", userID)]
  }

  private func send(
    _ method: HTTP.Method, _ url: WebURL, _ json: JSONObject, secrets names: Set<String>, isRepeatable: Bool
  ) -> Request {
    let type = Header("Content-Type", "application/json")
    var request = Request(
      method, url, headers: headers + [type], body: JSONValue.object(json).bytes, isRepeatable: isRepeatable)
    // Include each value as it is escaped in the JSON body, without its quotes.
    request.bodySecrets = json.members.filter { names.contains($0.key) }.flatMap { member in
      [member.value.string, String(decoding: member.value.bytes.dropFirst().dropLast(), as: UTF8.self)]
    }.compactMap { $0.flatMap(Secret.init(parsing:)) }
    return request
  }
}

/// The identity a request is made with. Each request uses one level: a key and a token are never both sent
/// (docs/api/connect.md U28).
package enum Authentication: Sendable, Equatable {
  case anonymous
  /// The service key, and the user of the developer's service on whose behalf it is used.
  case service(Secret, userID: String?)
  case user(Secret)

  /// The level only, as named by `--as`.
  package enum Level: String, Sendable, CaseIterable { case anonymous, service, user }

  package var level: Level {
    switch self {
    case .anonymous: .anonymous
    case .service: .service
    case .user: .user
    }
  }

  package var secret: Secret? {
    switch self {
    case .anonymous: nil
    case .service(let secret, _), .user(let secret): secret
    }
  }

  /// The one header that carries the credential (docs/api/connect.md §3).
  package var header: Header? {
    switch self {
    case .anonymous: nil
    case .service(let key, _): Header("IFTTT-Service-Key", secret: key)
    case .user(let token): Header("Authorization", prefix: "Bearer ", secret: token)
    }
  }
}

/// The identity of an IFTTT client, which it may send with every request: its version, its platform, and a random id of
/// the installation (docs/api/connect.md §4).
///
/// No endpoint needs it (docs/api/connect.md C27), so it is sent only while the user has usage events enabled.
package struct SDKIdentity: Sendable, Equatable {
  package let version: String
  /// A secret although it grants no access, so that it is masked in traces and not sent to another host on a
  /// redirect.
  package let anonymousID: Secret

  package init(version: String, anonymousID: Secret) {
    (self.version, self.anonymousID) = (version, anonymousID)
  }

  /// The platform of this program, wherever it is sent: its own name, since it is neither of the two known platforms
  /// (docs/api/connect.md C27). Whether IFTTT uses the value is not stated anywhere (docs/api/connect.md U24).
  package static let platform = "ifttt-cli"

  package var headers: [Header] {
    [
      Header("IFTTT-SDK-Version", version), Header("IFTTT-SDK-Platform", Self.platform),
      Header("IFTTT-SDK-Anonymous-Id", secret: anonymousID),
    ]
  }
}

/// An id or slug that can be one segment of an API path without changing the URL's meaning.
///
/// The formats seen so far (8 or 10 letters and digits, UUIDs) are not enforced (docs/api/connect.md §1). Ids of
/// different subjects are different types.
package struct PathSegment<Subject>: Sendable, Hashable, CustomStringConvertible {
  package let description: String

  /// Nil for the empty string, `.` and `..`, and for text with `/`, `?`, `#` or a control character.
  package init?(parsing text: String) {
    guard !text.isEmpty, text != ".", text != ".." else { return nil }
    let isSafe = text.unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      case 0..<0x20, 0x7f..<0xa0: false
      default: scalar != "/" && scalar != "?" && scalar != "#"
      }
    }
    guard isSafe else { return nil }
    description = text
  }
}
