import HTTP
import Text

/// Revokes a token at the service (RFC 7009).
struct Revocation {
  let world: GrabWorld
  let client: GrabClient
  let url: WebURL

  enum Kind: String { case refreshToken = "refresh_token", accessToken = "access_token" }

  /// Revokes one token.
  /// - Returns: false if the service does not revoke tokens of this kind; true also for an unknown token.
  /// - Throws: ``GrabError``.
  func revoke(_ token: Secret, _ kind: Kind) throws -> Bool {
    var items = [(name: "token", value: token.revealed), ("token_type_hint", kind.rawValue), ("client_id", client.id)]
    var secrets = [token]
    if let secret = client.settings.clientSecret {
      items.append(("client_secret", secret.revealed))
      secrets.append(secret)
    }
    var request = Request.form(url, items, secrets: secrets)
    request.isRepeatable = true
    let response = try world.call(request, "revocation", in: .logout)
    guard !(200..<300).contains(response.status) else { return true }
    let words = ServerErrorText(response)
    // The server does not revoke this kind of token at all, but the other kind may still be revoked.
    if words.error == "unsupported_token_type" { return false }
    let isForbidden = response.status == 401 || response.status == 403
    throw GrabError(
      .notRevoked,
      isForbidden ? "this client is not allowed to revoke tokens" : "the service responded with \(response.status)",
      reason: words.text, in: .logout, status: response.status,
      code: isForbidden ? .forbidden : response.status >= 500 ? .serverError : .refused)
  }
}
