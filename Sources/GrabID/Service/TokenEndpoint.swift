import HTTP
import JSON
package import Text

/// A successful response to a refresh that is not usable. The old refresh token is spent, and the response may
/// contain a new one.
struct UnusableTokensError: Error {
  let failure: GrabError
  let refreshToken: Secret?
}

/// The service's token endpoint (RFC 6749 §3.2). Parameters are in the body, never in the URL. A request is never
/// repeated if the first attempt may have arrived.
struct TokenEndpoint {
  let world: GrabWorld
  let client: GrabClient
  let url: WebURL

  /// Exchanges an authorization code for tokens.
  /// - Throws: ``GrabError``, ``PluginError``.
  func redeem(code: Secret, redirectURI: String, verifier: Secret) throws -> TokenResponse {
    let response = try send(
      [
        ("grant_type", "authorization_code"), ("code", code.revealed), ("redirect_uri", redirectURI),
        ("code_verifier", verifier.revealed),
      ], secrets: [code, verifier])
    guard (200..<300).contains(response.status) else { throw Self.refusal(response, ofGrant: .codeRefused) }
    return try TokenResponse(parsing: response.body, needsIDToken: client.scope.requestsIdentity)
  }

  /// Exchanges a refresh token for new tokens.
  /// - Throws: ``GrabError``, with the event `refreshRefused` only if the refresh token is permanently invalid;
  ///   ``UnusableTokensError`` for a successful response that cannot be used.
  func refresh(_ token: Secret) throws -> TokenResponse {
    let response = try send([("grant_type", "refresh_token"), ("refresh_token", token.revealed)], secrets: [token])
    guard (200..<300).contains(response.status) else { throw Self.refusal(response, ofGrant: .refreshRefused) }
    do throws(GrabError) { return try TokenResponse(parsing: response.body, needsIDToken: false) } catch {
      throw UnusableTokensError(failure: error, refreshToken: TokenResponse.refreshToken(in: response.body))
    }
  }

  /// Polls a device grant once. ``DevicePolling`` interprets the response.
  func poll(deviceCode: Secret) throws -> Response {
    try send(
      [("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", deviceCode.revealed)],
      secrets: [deviceCode])
  }

  private func send(_ items: [(name: String, value: String)], secrets: [Secret]) throws -> Response {
    var items = items + [("client_id", client.id)]
    var secrets = secrets
    if let secret = client.settings.clientSecret {
      items.append(("client_secret", secret.revealed))
      secrets.append(secret)
    }
    var request = Request.form(url, items, secrets: secrets)
    if client.settings.tokenRequest == .json {
      request.headers[0] = Header("Content-Type", "application/json")
      let members = items.map { (key: $0.name, value: JSONValue.string($0.value)) }
      request.body = JSONValue.object(JSONObject(members: members)).bytes
    }
    let response = try world.send(request, "the token endpoint", in: .exchangeToken)
    guard response.status == 404 || response.status == 410, let moved = try moved() else { return response }
    request.url = moved
    return try world.send(request, "the token endpoint", in: .exchangeToken)
  }

  /// The current endpoint, if the service has moved it since its metadata was cached; fetched once.
  private func moved() throws -> WebURL? {
    let current = try Discovery(world: world, client: client).metadata(isForced: true).tokenEndpoint
    return current == url ? nil : current
  }

  /// The error for an error response.
  /// - Parameter grant: The event that `invalid_grant` stands for in this request.
  static func refusal(_ response: Response, ofGrant grant: GrabEvent) -> GrabError {
    let errorText = ServerErrorText(response)
    let (event, message, hint): (GrabEvent, String, Hint?) =
      switch (errorText.error, response.status) {
      case ("invalid_grant", _) where grant == .refreshRefused:
        (grant, "the sign-in has ended: the service no longer accepts its refresh token", "Run \(ifttt: "grab login").")
      case ("invalid_grant", _):
        (
          grant, "the service rejected the code",
          "A code works once and for a short time. Run \(ifttt: "grab login")."
        )
      case ("invalid_client", _), (_, 401):
        (
          .clientRefused, "the service rejected this client",
          "Check --client-id, and --client-secret-file if the client has a secret."
        )
      case ("invalid_scope", _): (.invalidScope, "the service does not grant these scopes", "Check --scope.")
      case ("temporarily_unavailable", _): (.unavailable, "the service is not available now", GrabWorld.retryAdvice)
      case (_, 500...):
        (.tokenServerError, "the service failed to issue tokens (\(response.status))", GrabWorld.retryAdvice)
      case (_, 400..<500):
        (
          .tokenRefused, "the service rejected the token request (\(response.status))",
          "Check --client-id, --redirect-uri and --token-request against the registration."
        )
      default:
        (
          .tokenUnreadable, "the service responded to the token request with \(response.status)",
          GrabWorld.addressAdvice
        )
      }
    return GrabError(event, message, reason: errorText.text, hint: hint, status: response.status)
  }
}

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

  /// The maximum lifetime, in seconds: ten years. It keeps sums from overflowing, and no server needs more.
  static let longestLifetime = 315_360_000

  /// Parses a response.
  /// - Throws: ``GrabError`` with the event `tokenUnreadable`.
  init(parsing body: [UInt8], needsIDToken: Bool) throws(GrabError) {
    func unreadable(_ why: String) -> GrabError {
      GrabError(
        .tokenUnreadable, "the service's token response cannot be read", reason: why,
        hint: "Nothing was stored. Sign in again, or report this to the operator of the service.")
    }
    let response: JSONObject
    do { response = try StrictJSON.object(body) } catch { throw unreadable("\(error)") }
    func secret(_ name: String) throws(GrabError) -> Secret? {
      guard let value = response[name], !value.isNull, value.string != "" else { return nil }
      guard let text = value.string, text.utf8.count <= CompactToken.maximumSize, let secret = Secret(parsing: text)
      else {
        throw unreadable("\(name) is not a token")
      }
      return secret
    }
    guard let token = try secret("access_token") else { throw unreadable("access_token is missing") }
    guard let type = response["token_type"]?.string else { throw unreadable("token_type is missing") }
    guard type.lowercased() == "bearer" else {
      throw unreadable("token_type is \(DisplayText.shown(type, limit: 40)), not Bearer")
    }
    lifetime = try Self.lifetime(response["expires_in"], else: unreadable("expires_in is not a number of seconds"))
    accessToken = token
    refreshToken = try secret("refresh_token")
    idToken = try Self.idToken(response["id_token"], else: unreadable("id_token is not a token"))
    if needsIDToken, idToken == nil { throw unreadable("id_token is missing, although openid was requested") }
    scope = response["scope"]?.string
  }

  /// The refresh token of an otherwise invalid response; nil if there is not exactly one.
  static func refreshToken(in body: [UInt8]) -> Secret? {
    guard let members = (try? JSONValue(parsing: body))?.object?.members else { return nil }
    let matches = members.filter { $0.key == "refresh_token" }
    guard matches.count == 1, let text = matches[0].value.string, text.utf8.count <= CompactToken.maximumSize
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
      guard !text.isEmpty, text.utf8.allSatisfy(\.isDigit) else { throw failure }
      return min(Int(text) ?? longestLifetime, longestLifetime)
    default: throw failure
    }
  }
}
