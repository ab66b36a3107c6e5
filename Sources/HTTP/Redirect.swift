import Text

/// The decision about a response that may be a redirect.
package enum RedirectDecision: Equatable, Sendable {
  case notRedirect
  case follow(Request)
  /// The redirect must not be followed. The text is the reason, for an error message.
  case reject(String)
}

/// Follows redirects only as far as credentials and side effects allow.
package enum Redirect {
  /// The maximum number of redirects followed per request.
  package static let limit = 5

  /// Decides whether and how to follow a response.
  /// - Parameters:
  ///   - followed: the number of redirects already followed for this request.
  ///   - limit: the maximum number of redirects; nil if a redirect is a response like any other.
  ///   - plainHosts: the hosts that a redirect may lead to over plain http, in addition to this machine.
  package static func decide(
    _ request: Request, _ response: Response, followed: Int, limit: Int? = limit,
    allowing plainHosts: Set<HostName> = []
  ) -> RedirectDecision {
    guard let limit, [301, 302, 303, 307, 308].contains(response.status) else { return .notRedirect }
    let from = request.url.origin
    guard let location = response.header("Location") else {
      return .reject("\(from) responded with redirect \(response.status) without a Location header")
    }
    let target: WebURL
    do { target = try request.url.resolving(location, allowing: plainHosts) } catch {
      return .reject("\(from) redirects to a URL that is not accepted: \(error)")
    }
    let isRead = request.method == .get || request.method == .head
    if request.url.scheme == "https", target.scheme == "http" {
      return .reject("\(from) redirects from https to http")
    }
    if !isRead {
      // 301, 302 and 303 would turn the request into a GET, which has a different effect.
      guard response.status == 307 || response.status == 308 else {
        return .reject("\(from) responded to a \(request.method.rawValue) with redirect \(response.status)")
      }
      guard request.isRepeatable else {
        return .reject("\(from) redirects a \(request.method.rawValue) that must not be sent twice")
      }
      guard target.origin == from else {
        return .reject("\(from) redirects a \(request.method.rawValue) to another host, \(target.origin)")
      }
    }
    // The server may have copied the credential to any part of the new path.
    guard request.url.pathSecrets.isEmpty || target.origin == from else {
      return .reject("\(from) redirects a request with a credential in its path to another host, \(target.origin)")
    }
    // A credential in the query is removed. Without a credential in its path, the URL would name something else.
    guard target.origin == from || !Self.occurs(in: target.host + target.path, anyOf: request.secrets) else {
      return .reject("\(from) redirects to another host, \(target.origin), with a credential of the request in the URL")
    }
    guard followed < limit else { return .reject("\(from) redirects more than \(limit) times in a row") }
    var next = request
    next.url = target
    return .follow(target.origin == from ? marked(next, as: request) : stripped(next, of: request))
  }

  /// On the same origin, values that were secret in the first URL stay masked in the second.
  private static func marked(_ next: Request, as request: Request) -> Request {
    var next = next
    next.url.pathSecrets = request.url.pathSecrets
    for index in next.url.query.indices where carriesSecret(next.url.query[index], of: request) {
      next.url.query[index].isSecret = true
    }
    return next
  }

  /// Removes all credentials for another origin, even those the first server wrote into the new URL.
  private static func stripped(_ next: Request, of request: Request) -> Request {
    var next = next
    next.url.query.removeAll { carriesSecret($0, of: request) }
    next.headers.removeAll { header in
      if case .secret = header.value { return true }
      return ["authorization", "proxy-authorization", "cookie"].contains(header.name.lowercased())
    }
    return next
  }

  private static func carriesSecret(_ item: QueryItem, of request: Request) -> Bool {
    request.url.query.contains { $0.isSecret && $0.name == item.name }
      || request.secrets.contains { $0.revealed == item.value }
      || occurs(in: item.name, anyOf: request.secrets) || occurs(in: item.value, anyOf: request.secrets)
  }

  /// A shorter credential would occur in any URL by chance.
  private static let minimumLength = 4
  /// The number of times that a server may have percent-encoded what it copied.
  private static let encodingLimit = 3

  /// Whether a text contains one of the credentials: as a whole or as a part, encoded or not.
  private static func occurs(in text: String, anyOf secrets: [Secret]) -> Bool {
    let redactor = Redactor(secrets.filter { $0.revealed.utf8.count >= minimumLength })
    var bytes = Array(text.utf8)
    for _ in 0...encodingLimit {
      if redactor.firstRange(in: bytes) != nil { return true }
      guard let decoded = Percent.bytes(of: bytes, plus: .literal, invalidEscape: .unchanged), decoded != bytes else {
        break
      }
      bytes = decoded
    }
    return false
  }
}
