import HTTP
import JSON
import Text

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
  /// - Throws: ``GrabError``, ``GrabCancellationError``.
  func redeem(code: Secret, redirectURI: String, verifier: Secret) throws -> TokenResponse {
    let response = try send(
      [
        ("grant_type", "authorization_code"), ("code", code.revealed), ("redirect_uri", redirectURI),
        ("code_verifier", verifier.revealed),
      ], secrets: [code, verifier])
    guard (200..<300).contains(response.status) else { throw Self.refusal(response, ofGrant: .codeRefused) }
    return try TokenResponse(parsing: response.body, needsIDToken: client.scope.asksForIdentity)
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
    let response = try world.call(request, "the token endpoint", in: .exchangeToken)
    guard response.status == 404 || response.status == 410, let moved = try moved() else { return response }
    request.url = moved
    return try world.call(request, "the token endpoint", in: .exchangeToken)
  }

  /// The current endpoint, if the service has moved it since its metadata was cached; fetched once.
  private func moved() throws -> WebURL? {
    let now = try Discovery(world: world, client: client).metadata(isForced: true).tokenEndpoint
    return now == url ? nil : now
  }

  /// The error for an error response.
  /// - Parameter grant: the meaning of `invalid_grant` for this request.
  static func refusal(_ response: Response, ofGrant grant: GrabEvent) -> GrabError {
    let words = ServerErrorText(response)
    let (event, message, hint): (GrabEvent, String, Hint?) =
      switch (words.error, response.status) {
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
      case ("temporarily_unavailable", _): (.unavailable, "the service is not available now", GrabWorld.patience)
      case (_, 500...):
        (.tokenServerError, "the service failed to issue tokens (\(response.status))", GrabWorld.patience)
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
    return GrabError(event, message, reason: words.text, hint: hint, status: response.status)
  }
}
