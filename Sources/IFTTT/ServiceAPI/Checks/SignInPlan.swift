package import HTTP
import JSON
package import Text

/// The probes of a service's OAuth server, with a code that a user's sign-in returned (docs/api/service.md §2).
package struct SignInPlan: Sendable {
  package let clientID: String
  package let clientSecret: Secret
  package let authorizeURL: WebURL
  package let tokenURL: WebURL
  package let scope: String

  package init(
    clientID: String, clientSecret: Secret, authorizeURL: WebURL, tokenURL: WebURL, scope: String = "ifttt"
  ) {
    (self.clientID, self.clientSecret) = (clientID, clientSecret)
    (self.authorizeURL, self.tokenURL, self.scope) = (authorizeURL, tokenURL, scope)
  }

  /// The endpoints in the report. The OAuth server's URLs are not part of the service API.
  package static let authorize = ServicePath("sign-in", "authorize")
  package static let token = ServicePath("sign-in", "token")

  /// The URL to open in the browser.
  package func authorizationURL(state: String, redirectURI: String) -> WebURL {
    authorizeURL.with([
      QueryItem("client_id", clientID), QueryItem("response_type", "code"), QueryItem("scope", scope),
      QueryItem("state", state), QueryItem("redirect_uri", redirectURI),
    ])
  }

  /// The first probes. The others follow from their responses.
  /// - Parameter code: the code of the redirect, which the second probe uses up.
  package func probes(code: Secret, redirectURI: String, _ plan: ServiceTestPlan) -> [Probe] {
    let exchange = { (code: Secret) in
      withoutWrongCredential(client.exchange(code, redirectURI: redirectURI, plan.requests))
    }
    return [
      probe(.badCode, exchange(ServiceTestPlan.wrongCredential)) { $0.isInvalidGrant },
      Probe(.signIn, Self.token, exchange(code)) { exchange in
        guard exchange.isSuccess, let tokens = exchange.object else {
          return [
            (.token, .failed("expected 200 and JSON, but \(exchange.description)")),
            (.tokenType, .skipped("there is no token")), (.userInfo, .skipped("there is no token")),
            (.refresh, .skipped("there is no token")), (.olderRefreshToken, .skipped("there is no token")),
          ]
        }
        let isBearer = tokens["token_type"]?.string?.lowercased() == "bearer"
        let type = tokens["token_type"].map { "token_type is \($0.text)" } ?? "token_type is missing"
        return [
          (.token, Finding(problem: exchange.secret("access_token") == nil ? "access_token is missing" : nil)),
          (.tokenType, Finding(problem: isBearer ? nil : type)),
        ] + (exchange.secret("refresh_token") == nil ? Self.withoutRefreshToken : [])
      } next: { exchange in
        guard exchange.isSuccess, let token = exchange.secret("access_token") else { return [] }
        return [userInfo(token, refreshToken: exchange.secret("refresh_token"), plan)]
      },
    ]
  }

  private static let withoutRefreshToken: [(check: ServiceCheck, finding: Finding)] = [
    (.refresh, .skipped("there is no refresh token, so access tokens must not expire")),
    (.olderRefreshToken, .skipped("there is no refresh token")),
    (.badRefreshToken, .skipped("there is no refresh token")),
  ]

  private func userInfo(_ token: Secret, refreshToken: Secret?, _ plan: ServiceTestPlan) -> Probe {
    let request = plan.requests.request(.get, .userInfo, .accessToken(token))
    return Probe(.signIn, Self.token, request) { exchange in
      [(.userInfo, Finding(problem: exchange.isSuccess ? nil : "with the new access token, \(exchange.description)"))]
    } next: { _ in
      guard let refreshToken else { return [] }
      return [
        probe(.badRefreshToken, refresh(ServiceTestPlan.wrongCredential, plan)) { $0.isInvalidGrant },
        firstRefresh(refreshToken, plan),
      ]
    }
  }

  private func firstRefresh(_ token: Secret, _ plan: ServiceTestPlan) -> Probe {
    Probe(.signIn, Self.token, refresh(token, plan)) { exchange in
      let problem = exchange.refreshProblem
      return [(.refresh, Finding(problem: problem))]
        + (problem == nil ? [] : [(.olderRefreshToken, .skipped("the refresh failed"))])
    } next: { exchange in
      guard exchange.refreshProblem == nil else { return [] }
      return [
        probe(.olderRefreshToken, refresh(token, plan)) { again in
          Finding(problem: again.refreshProblem.map { "the refresh token that was used before: \($0)" })
        }
      ]
    }
  }

  private var client: TokenClient { TokenClient(id: clientID, secret: clientSecret, url: tokenURL) }

  private func refresh(_ token: Secret, _ plan: ServiceTestPlan) -> Request {
    withoutWrongCredential(client.refresh(token, plan.requests))
  }

  /// A credential that is wrong on purpose is not a secret.
  private func withoutWrongCredential(_ request: Request) -> Request {
    var request = request
    request.bodySecrets.removeAll { $0 == ServiceTestPlan.wrongCredential }
    return request
  }

  private func probe(
    _ check: ServiceCheck, _ request: Request, _ evaluate: @escaping (ServiceExchange) -> Finding
  ) -> Probe { Probe(.signIn, Self.token, request, check, evaluate) }
}

extension ServiceExchange {
  fileprivate func secret(_ key: String) -> Secret? { object?[key]?.string.flatMap(Secret.init(parsing:)) }

  fileprivate var refreshProblem: String? {
    if !isSuccess { return "expected 200, but \(description)" }
    return secret("access_token") == nil ? "access_token is missing" : nil
  }

  /// An older text of IFTTT's documentation has 401 for an invalid refresh token (docs/api/service.md C9).
  fileprivate var isInvalidGrant: Finding {
    guard status == 400 || status == 401 else { return .failed("expected 400, but \(description)") }
    if status == 401 { return .warning("the response was 401; IFTTT's documentation says 400 and invalid_grant") }
    return Finding(problem: object?["error"] == "invalid_grant" ? nil : "the body has no error \"invalid_grant\"")
  }
}

/// IFTTT as a client of a partner's OAuth server (docs/api/service.md §2).
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
