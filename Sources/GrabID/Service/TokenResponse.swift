import JSON
package import Text

/// The response of a token endpoint (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3), with its fields checked but
/// nothing verified.
package struct TokenResponse: Sendable {
  package let accessToken: Secret
  /// The lifetime in seconds; nil if the server does not specify it.
  package let lifetime: Int?
  package let refreshToken: Secret?
  package let idToken: Secret?
  /// The granted scope, if it is specified.
  package let scope: String?

  /// Ten years: no server needs more, and sums must not overflow.
  static let longestLifetime = 315_360_000

  /// Parses a response.
  /// - Throws: ``GrabError`` with the event `tokenUnreadable`.
  init(parsing body: [UInt8], needsIDToken: Bool) throws(GrabError) {
    func unreadable(_ why: String) -> GrabError {
      GrabError(
        .tokenUnreadable, "the service's token response cannot be read", reason: why,
        hint: "Nothing was stored. Sign in again, or report this to the operator of the service.")
    }
    let answer: JSONObject
    do { answer = try StrictJSON.object(body) } catch { throw unreadable("\(error)") }
    func secret(_ name: String) throws(GrabError) -> Secret? {
      guard let value = answer[name], !value.isNull, value.string != "" else { return nil }
      guard let text = value.string, text.utf8.count <= CompactToken.maximumSize, let secret = Secret(parsing: text)
      else {
        throw unreadable("\(name) is not a token")
      }
      return secret
    }
    guard let token = try secret("access_token") else { throw unreadable("access_token is missing") }
    guard let type = answer["token_type"]?.string else { throw unreadable("token_type is missing") }
    guard type.lowercased() == "bearer" else {
      throw unreadable("token_type is \(DisplayText.shown(type, limit: 40)), not Bearer")
    }
    lifetime = try Self.lifetime(answer["expires_in"], else: unreadable("expires_in is not a number of seconds"))
    accessToken = token
    refreshToken = try secret("refresh_token")
    idToken = try Self.idToken(answer["id_token"], else: unreadable("id_token is not a token"))
    if needsIDToken, idToken == nil { throw unreadable("id_token is missing, although openid was requested") }
    scope = answer["scope"]?.string
  }

  /// The refresh token of an otherwise invalid response; nil if there is not exactly one.
  static func refreshToken(in body: [UInt8]) -> Secret? {
    guard let members = (try? JSONValue(parsing: body))?.object?.members else { return nil }
    let found = members.filter { $0.key == "refresh_token" }
    guard found.count == 1, let text = found[0].value.string, text.utf8.count <= CompactToken.maximumSize
    else { return nil }
    return Secret(parsing: text)
  }

  /// The ID token. A text that cannot be a token fails the first check of ID tokens; any other type makes the
  /// response invalid.
  private static func idToken(_ value: JSONValue?, else failure: GrabError) throws(GrabError) -> Secret? {
    guard let value, !value.isNull, value.string != "" else { return nil }
    guard let text = value.string else { throw failure }
    guard text.utf8.count <= CompactToken.maximumSize, let secret = Secret(parsing: text) else {
      throw IDTokenError(.encoding, "the token is too long, or is not base64url").failure
    }
    return secret
  }

  private static func lifetime(_ value: JSONValue?, else failure: GrabError) throws(GrabError) -> Int? {
    switch value {
    case nil, .null: return nil
    case .number(let number):
      guard let seconds = number.int else { throw failure }
      return min(max(seconds, 0), longestLifetime)
    case .string(let text):
      guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { throw failure }
      return min(Int(text) ?? longestLifetime, longestLifetime)
    default: throw failure
    }
  }
}
