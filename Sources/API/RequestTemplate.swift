package import HTTP
package import JSON
package import Secrets

/// Makes the requests of one API: its base URL, who is asking, and the headers that every call carries.
package struct RequestTemplate: Sendable, Equatable {
  /// Without the version part: `https://connect.ifttt.com`.
  package let base: WebURL
  package let authentication: Authentication
  package let inviteCode: Secret?
  /// Nil where the client says nothing of itself, as it does unless the user switched usage events on.
  package let identity: SDKIdentity?

  package init(base: WebURL, authentication: Authentication, inviteCode: Secret?, identity: SDKIdentity? = nil) {
    (self.base, self.authentication, self.inviteCode, self.identity) = (base, authentication, inviteCode, identity)
  }

  /// The same calls made as somebody else.
  package func authenticated(as authentication: Authentication) -> RequestTemplate {
    RequestTemplate(base: base, authentication: authentication, inviteCode: inviteCode, identity: identity)
  }

  /// The same calls by a client that says nothing of itself.
  package var unidentified: RequestTemplate {
    RequestTemplate(base: base, authentication: authentication, inviteCode: inviteCode)
  }

  /// What every request carries besides its own headers.
  package var headers: [Header] {
    var headers = [Header("Accept", "application/json")]
    if let credential = authentication.header { headers.append(credential) }
    if APIAssumptions.inviteCodeTravelsOnEveryCall, let inviteCode {
      headers.append(Header("IFTTT-Invite-Code", secret: inviteCode))
    }
    return headers + (identity?.headers ?? [])
  }

  /// - Parameter path: the segments below the base URL; each is percent-encoded.
  package func get(_ path: [String], query: [QueryItem] = []) -> Request {
    Request(.get, url(path).with(query + userItem), headers: headers)
  }

  /// A POST whose body is empty, which is sent with `Content-Length: 0` and no content type.
  package func post(_ path: [String], query: [QueryItem] = [], isRepeatable: Bool) -> Request {
    Request(.post, url(path).with(query), headers: headers, body: [], isRepeatable: isRepeatable)
  }

  /// A POST of a JSON document.
  /// - Parameter secrets: those of its members whose values are credentials.
  package func post(
    _ path: [String], json: JSONObject, secrets names: Set<String> = [], isRepeatable: Bool
  ) -> Request {
    send(.post, url(path), json, secrets: names, isRepeatable: isRepeatable)
  }

  /// A PUT of a JSON document for the user, who is named in the query where a service key speaks.
  package func put(_ path: [String], json: JSONObject, isRepeatable: Bool) -> Request {
    send(.put, url(path).with(userItem), json, secrets: [], isRepeatable: isRepeatable)
  }

  /// A GET of an address that the API itself gave; nil unless it lies below the base URL and the path, since no other host
  /// gets a credential.
  /// - Parameter path: the segments below the base URL, at least one.
  package func get(following address: String, below path: [String]) -> Request? {
    guard let url = try? WebURL(parsing: address), url.origin == base.origin,
      url.path.hasPrefix(self.url(path).path + "/")
    else { return nil }
    return Request(.get, url.with(userItem), headers: headers)
  }

  /// The user a service key speaks for.
  package var userItem: [QueryItem] { [authentication.queryItem].compactMap(\.self) }

  private func send(
    _ method: HTTP.Method, _ url: WebURL, _ json: JSONObject, secrets names: Set<String>, isRepeatable: Bool
  ) -> Request {
    let type = Header("Content-Type", "application/json")
    var request = Request(
      method, url, headers: headers + [type], body: JSONValue.object(json).bytes, isRepeatable: isRepeatable)
    // With the escapes of a JSON string, without its quotes.
    request.bodySecrets = json.members.filter { names.contains($0.key) }.flatMap { member in
      [member.value.string, String(decoding: member.value.bytes.dropFirst().dropLast(), as: UTF8.self)]
    }.compactMap { $0.flatMap(Secret.init(parsing:)) }
    return request
  }

  private func url(_ path: [String]) -> WebURL {
    path.reduce(base) { url, segment in url.appending(segment) }
  }
}
