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

  package init(base: WebURL, authentication: Authentication, inviteCode: Secret?, identity: SDKIdentity? = nil) {
    (self.base, self.authentication, self.inviteCode, self.identity) = (base, authentication, inviteCode, identity)
  }

  /// The same template with another authentication.
  package func authenticated(as authentication: Authentication) -> RequestTemplate {
    RequestTemplate(base: base, authentication: authentication, inviteCode: inviteCode, identity: identity)
  }

  /// The same template for a client that does not identify itself.
  package var unidentified: RequestTemplate {
    RequestTemplate(base: base, authentication: authentication, inviteCode: inviteCode)
  }

  /// The headers that every request carries in addition to its own.
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
    guard let url = try? WebURL(parsing: address), url.origin == base.origin,
      url.path.hasPrefix(base.appending(path).path + "/")
    else { return nil }
    return Request(.get, url.with(userItem), headers: headers)
  }

  /// The user on whose behalf a service key is used.
  package var userItem: [QueryItem] { [authentication.queryItem].compactMap(\.self) }

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
