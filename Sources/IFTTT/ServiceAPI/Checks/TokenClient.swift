package import HTTP
package import Text

/// IFTTT as a client of a partner's OAuth server (reference: service-api.md, section 2).
package struct TokenClient: Sendable {
  package let id: String
  package let secret: Secret
  /// The token URL.
  package let url: WebURL

  package init(id: String, secret: Secret, url: WebURL) { (self.id, self.secret, self.url) = (id, secret, url) }

  /// The request that exchanges the code of a sign-in for tokens.
  package func exchange(_ code: Secret, redirectURI: String, _ requests: ServiceRequests) -> Request {
    let fields = [
      ("grant_type", "authorization_code"), ("code", code.revealed), ("client_id", id),
      ("client_secret", secret.revealed), ("redirect_uri", redirectURI),
    ]
    return form(fields, hiding: code, requests)
  }

  /// The request that exchanges a refresh token for a new access token.
  package func refresh(_ token: Secret, _ requests: ServiceRequests) -> Request {
    let fields = [
      ("grant_type", "refresh_token"), ("client_id", id), ("client_secret", secret.revealed),
      ("refresh_token", token.revealed),
    ]
    return form(fields, hiding: token, requests)
  }

  private func form(_ fields: [(String, String)], hiding other: Secret, _ requests: ServiceRequests) -> Request {
    var request = requests.request(.post, at: url, contentType: "application/x-www-form-urlencoded")
    request.body = Array(Percent.encode(fields).utf8)
    request.bodySecrets = [secret, other]
    return request
  }
}
