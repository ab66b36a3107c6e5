import Text

/// How to handle a response that may be a redirect.
package enum RedirectDecision: Equatable, Sendable {
  /// Not a redirect.
  case keep
  case follow(Request)
  /// The redirect must not be followed. The text says why and fits into an error message.
  case refuse(String)
}

/// Follows redirects only as far as credentials and side effects allow.
package enum Redirect {
  /// The maximum number of redirects followed per request.
  package static let most = 5

  /// - Parameters:
  ///   - followed: redirects already followed for this request.
  ///   - most: the maximum number of redirects; nil if a redirect is a response like any other.
  package static func decide(
    _ request: Request, _ response: Response, followed: Int, most: Int? = most
  ) -> RedirectDecision {
    guard let most, [301, 302, 303, 307, 308].contains(response.status) else { return .keep }
    let from = request.url.origin
    guard let location = response.header("Location") else {
      return .refuse("\(from) responded with redirect \(response.status) without a Location header")
    }
    let target: WebURL
    do { target = try request.url.resolving(location) } catch {
      return .refuse("\(from) redirects to a URL that is not accepted: \(error)")
    }
    let reading = request.method == .get || request.method == .head
    if request.url.scheme == "https", target.scheme == "http" {
      return .refuse("\(from) redirects from https to http")
    }
    if !reading {
      // 301, 302 and 303 would turn it into a GET, which has a different effect.
      guard response.status == 307 || response.status == 308 else {
        return .refuse("\(from) responded to a \(request.method.rawValue) with redirect \(response.status)")
      }
      guard request.isRepeatable else {
        return .refuse("\(from) redirects a \(request.method.rawValue) that must not be sent twice")
      }
      guard target.origin == from else {
        return .refuse("\(from) redirects a \(request.method.rawValue) to another host, \(target.origin)")
      }
    }
    // The server may have copied the credential to any part of the new path.
    guard request.url.pathSecrets.isEmpty || target.origin == from else {
      return .refuse("\(from) redirects a request with a credential in its path to another host, \(target.origin)")
    }
    // A value in the query is removed; a path without it would name something else.
    guard target.origin == from || !Self.occurs(in: target.host + target.path, anyOf: request.secrets) else {
      return .refuse("\(from) redirects to another host, \(target.origin), with a credential of the request in the URL")
    }
    guard followed < most else { return .refuse("\(from) redirects more than \(most) times in a row") }
    var next = request
    next.url = target
    return .follow(target.origin == from ? marked(next, as: request) : stripped(next, of: request))
  }

  /// On the same origin, values that were secret in the first URL stay masked in the second.
  private static func marked(_ next: Request, as request: Request) -> Request {
    var next = next
    next.url.pathSecrets = request.url.pathSecrets
    for place in next.url.query.indices where carriesSecret(next.url.query[place], of: request) {
      next.url.query[place].isSecret = true
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
  private static let shortest = 4
  /// The number of times that a server may have percent-encoded what it copied.
  private static let mostEncodings = 3

  /// Whether a text contains one of the credentials: as a whole or as a part, encoded or not.
  private static func occurs(in text: String, anyOf secrets: [Secret]) -> Bool {
    let redactor = Redactor(secrets.filter { $0.revealed.utf8.count >= shortest })
    var bytes = Array(text.utf8)
    for _ in 0...mostEncodings {
      if redactor.firstRange(in: bytes) != nil { return true }
      guard let decoded = Percent.bytes(of: bytes, plus: .literal, invalidEscape: .kept), decoded != bytes else {
        break
      }
      bytes = decoded
    }
    return false
  }
}
