package import JSON

/// The errors of a Grab sign-in. Each case is a row of the table in docs/grab.md.
package enum GrabEvent: String, Sendable, CaseIterable {
  case noClientID, badRedirectURI, unparsableRedirectURI, emptyScope, badSetting, noGrabSettings, noAppFile
  case badDiscoveryURL
  case noConnection, tlsFailed, timeLimit, tooManyRequests, unavailable
  case discoveryStatus, discoveryUnusable
  case authorizeURLImpossible, noRandomBytes
  case stateMismatch, foreignRedirect, redirectWithoutCode
  case userCancelled, interactionRequired, clientNotAllowed, invalidScope, redirectError
  case redirectTimeout, noPendingLogin
  case codeRefused, clientRefused, tokenRefused, tokenServerError, tokenUnreadable
  case nonceMismatch, partnerMismatch, idTokenInvalid, noKeySet
  case refreshRefused, noRefreshToken
  case callUnauthorized, insufficientScope, callFailed
  case noSuchAccount, notSignedIn, noLongerValid
  case remoteRefused, remoteUnreadable, remoteNonce, remoteClaim, noVerificationEndpoint
  case logoutNotStored, notRevoked
  case publicInfoStatus, publicInfoUnusable, publicInfoURL
  case linkNotOpened
  case noDeviceGrant
}

/// A row of the table: an event with the program's code and Grab's code.
package struct GrabEventRow: Sendable {
  package let event: GrabEvent
  /// The description for the table.
  package let happened: String
  /// The code, or a code for 4xx and a code for 5xx if the server's status decides. If it is empty, the failure has the
  /// code.
  package let codes: [ProblemCode]
  /// Grab's code; nil if Grab's list has no suitable code.
  package let grab: Grab?

  package enum Grab: Sendable, Equatable {
    case code(GrabCode.Domain, GrabCode.Name)
    /// A name in the domain of the request.
    case ofRequest(GrabCode.Name)
  }

  init(_ event: GrabEvent, _ happened: String, _ codes: ProblemCode..., grab: Grab?) {
    (self.event, self.happened, self.codes, self.grab) = (event, happened, codes, grab)
  }
}

extension GrabEvent {
  package var row: GrabEventRow { Self.table[self] ?? GrabEventRow(self, "", .pluginFailed, grab: nil) }

  /// The rows by event. A test ensures that every event has a row.
  package static let table = Dictionary(uniqueKeysWithValues: rows.map { ($0.event, $0) })

  /// The rows in the order of a sign-in.
  package static let rows: [GrabEventRow] = configuring + calling + redirecting + exchanging + afterwards

  private static let configuring = [
    GrabEventRow(.noClientID, "no client id", .credentialsMissing, grab: .code(.loadConfiguration, .invalidClientId)),
    GrabEventRow(
      .badRedirectURI, "a redirect URI that cannot be used", .usage,
      grab: .code(.loadConfiguration, .invalidRedirectUrl)),
    GrabEventRow(
      .unparsableRedirectURI, "a redirect URI that does not parse", .usage,
      grab: .code(.loadConfiguration, .somethingWentWrong)),
    GrabEventRow(.emptyScope, "an empty or malformed scope", .usage, grab: .code(.loadConfiguration, .invalidScope)),
    GrabEventRow(.badSetting, "another setting or option that cannot be used", .usage, grab: nil),
    GrabEventRow(
      .noGrabSettings, "a property list or manifest without Grab's settings", .usage,
      grab: .code(.loadConfiguration, .invalidConfiguration)),
    GrabEventRow(
      .noAppFile, "a property list or manifest that is missing or invalid", .usage,
      grab: .code(.loadConfiguration, .invalidAppBundle)),
    GrabEventRow(
      .badDiscoveryURL, "a discovery URL that is missing, invalid, or http to another machine", .usage,
      grab: .code(.serviceDiscovery, .invalidServiceDiscoveryUrl)),
  ]

  private static let calling = [
    GrabEventRow(.noConnection, "any request: no connection, or name not found", .network, grab: .ofRequest(.network)),
    GrabEventRow(.tlsFailed, "any request: TLS failed", .tls, grab: .ofRequest(.network)),
    GrabEventRow(.timeLimit, "any request: timeout", .timeout, grab: .ofRequest(.network)),
    GrabEventRow(.tooManyRequests, "any request: 429", .rateLimited, grab: .ofRequest(.serviceUnavailable)),
    GrabEventRow(
      .unavailable, "any request: 503, or temporarily_unavailable", .serverError,
      grab: .ofRequest(.serviceUnavailable)),
    GrabEventRow(
      .discoveryStatus, "discovery: another status outside 2xx", .badResponse, .serverError,
      grab: .code(.serviceDiscovery, .discoveryServiceFailed)),
    GrabEventRow(
      .discoveryUnusable, "discovery: not JSON, an endpoint missing or not https, wrong issuer", .badResponse,
      grab: .code(.serviceDiscovery, .grabIdServiceFailed)),
    GrabEventRow(
      .authorizeURLImpossible, "the authorization URL cannot be built", .badResponse,
      grab: .code(.authorization, .invalidUrl)),
    GrabEventRow(
      .noRandomBytes, "no random bytes", .pluginFailed,
      grab: .code(.authorization, .authorizationInitializationFailure)),
  ]

  private static let redirecting = [
    GrabEventRow(
      .stateMismatch, "redirect: state missing or wrong", .stateMismatch,
      grab: .code(.exchangeToken, .securityValidationFailed)),
    GrabEventRow(
      .foreignRedirect, "redirect: wrong URL, duplicate parameter, wrong iss, or iss missing although advertised",
      .unknownRedirect, grab: .code(.exchangeToken, .securityValidationFailed)),
    GrabEventRow(
      .redirectWithoutCode, "redirect: neither code nor error", .unknownRedirect,
      grab: .code(.exchangeToken, .securityValidationFailed)),
    GrabEventRow(
      .userCancelled, "redirect: access_denied, user_canceled", .userCancelled,
      grab: .code(.exchangeToken, .authorizationFailed)),
    GrabEventRow(
      .interactionRequired,
      "redirect: login_required, consent_required, interaction_required, account_selection_required",
      .authorizationFailed, grab: .code(.exchangeToken, .authorizationFailed)),
    GrabEventRow(
      .clientNotAllowed, "redirect: unauthorized_client", .unauthorized, grab: .code(.exchangeToken, .unAuthorized)),
    GrabEventRow(
      .invalidScope, "redirect or token: invalid_scope", .invalidParameters, grab: .code(.exchangeToken, .invalidScope)),
    GrabEventRow(
      .redirectError, "redirect: any other error", .authorizationFailed,
      grab: .code(.exchangeToken, .authorizationFailed)),
    GrabEventRow(.redirectTimeout, "timed out waiting for the browser", .timeout, grab: nil),
    GrabEventRow(
      .noPendingLogin, "no pending sign-in for this state, or it is older than ten minutes", .notFound,
      grab: .code(.exchangeToken, .securityValidationFailed)),
  ]

  private static let exchanging = [
    GrabEventRow(
      .codeRefused, "token: invalid_grant for a code", .authorizationFailed,
      grab: .code(.exchangeToken, .invalidAuthorizationCode)),
    GrabEventRow(
      .clientRefused, "token: invalid_client, 401", .unauthorized, grab: .code(.exchangeToken, .unAuthorized)),
    GrabEventRow(
      .tokenRefused, "token: another 4xx", .authorizationFailed,
      grab: .code(.exchangeToken, .exchangeTokenServiceFailed)),
    GrabEventRow(
      .tokenServerError, "token: 5xx", .serverError, grab: .code(.exchangeToken, .exchangeTokenServiceFailed)),
    GrabEventRow(
      .tokenUnreadable, "token: not JSON, a field missing or of the wrong type, no ID token with openid", .badResponse,
      grab: .code(.exchangeToken, .invalidResponse)),
    GrabEventRow(
      .nonceMismatch, "ID token: nonce missing or wrong", .authorizationFailed,
      grab: .code(.exchangeToken, .invalidNonce)),
    GrabEventRow(
      .partnerMismatch, "ID token: pid is not the partner id", .authorizationFailed,
      grab: .code(.exchangeToken, .invalidPartnerId)),
    GrabEventRow(
      .idTokenInvalid, "ID token: any other check", .authorizationFailed, grab: .code(.exchangeToken, .invalidIdToken)),
    GrabEventRow(.noKeySet, "the key set is not available", grab: .code(.exchangeToken, .idTokenInfoServiceFailed)),
    GrabEventRow(
      .refreshRefused, "refresh: invalid_grant", .unauthorized, grab: .code(.exchangeToken, .invalidAccessToken)),
    GrabEventRow(.noRefreshToken, "refresh: no refresh token stored", .credentialsMissing, grab: nil),
    GrabEventRow(.noDeviceGrant, "--device, but the service does not support it", .refused, grab: nil),
  ]

  private static let afterwards = [
    GrabEventRow(
      .callUnauthorized, "userinfo or another request: 401 after one refresh", .unauthorized,
      grab: .code(.protectedResource, .invalidAccessToken)),
    GrabEventRow(
      .insufficientScope, "403 insufficient_scope", .forbidden, grab: .code(.protectedResource, .unAuthorized)),
    GrabEventRow(
      .callFailed, "userinfo or another request: any other failure", .badResponse, .serverError,
      grab: .code(.protectedResource, .serviceError)),
    GrabEventRow(.noSuchAccount, "no such account", .notFound, grab: nil),
    GrabEventRow(
      .notSignedIn, "not signed in, or no ID token stored", .credentialsMissing,
      grab: .code(.getIdTokenInfo, .invalidIdToken)),
    GrabEventRow(.noLongerValid, "status: a token is invalid or has expired", .unauthorized, grab: nil),
    GrabEventRow(
      .remoteRefused, "id-token --remote: a status outside 2xx, or Grab's errors", .refused, .serverError,
      grab: .code(.getIdTokenInfo, .idTokenInfoServiceFailed)),
    GrabEventRow(
      .remoteUnreadable, "id-token --remote: not JSON, or a claim missing", .badResponse,
      grab: .code(.getIdTokenInfo, .invalidResponse)),
    GrabEventRow(
      .remoteNonce, "id-token --remote: a different nonce", .refused, grab: .code(.getIdTokenInfo, .invalidNonce)),
    GrabEventRow(
      .remoteClaim, "id-token --remote: another claim differs", .refused,
      grab: .code(.getIdTokenInfo, .invalidIdToken)),
    GrabEventRow(
      .noVerificationEndpoint, "id-token --remote, but the service does not support it", .badResponse,
      grab: .code(.getIdTokenInfo, .invalidUrl)),
    GrabEventRow(.logoutNotStored, "logout: the store cannot be written", grab: .code(.logout, .logoutFailed)),
    GrabEventRow(.notRevoked, "logout --require-revocation: not revoked", grab: .code(.logout, .serviceError)),
    GrabEventRow(
      .publicInfoStatus, "apps: a status outside 2xx", .badResponse, .serverError,
      grab: .code(.customProtocolsService, .discoveryServiceFailed)),
    GrabEventRow(
      .publicInfoUnusable, "apps: not JSON", .badResponse, grab: .code(.customProtocolsService, .grabIdServiceFailed)),
    GrabEventRow(
      .publicInfoURL, "apps: the service's URL for it is missing or invalid", .badResponse,
      grab: .code(.customProtocolsService, .invalidCustomProtocolUrl)),
    GrabEventRow(
      .linkNotOpened, "apps --open: the link could not be opened", .refused,
      grab: .code(.appStore, .failedTolaunchAppStoreLink)),
  ]
}

/// An error from Grab's own list: the fields `domain`, `name` and `number` of `grab_code`.
///
/// Domains and numbers are those of the iOS SDK (GrabIdPartnerError, 1.0.6); Android uses other numbers.
package struct GrabCode: Sendable, Hashable {
  package enum Domain: Int, Sendable, CaseIterable {
    case serviceDiscovery, loadConfiguration, authorization, exchangeToken, getIdTokenInfo, logout, protectedResource
    case customProtocolsService, appStore
  }

  package enum Name: Int, Sendable, CaseIterable {
    case grabIdServiceFailed, discoveryServiceFailed, idTokenInfoServiceFailed, exchangeTokenServiceFailed
    case authorizationInitializationFailure, securityValidationFailed, logoutFailed, invalidIdToken, invalidNonce
    case invalidConfiguration, somethingWentWrong, network, invalidClientId, invalidScope, invalidRedirectUrl
    case invalidAuthorizationCode, invalidUrl, invalidPartnerId, unAuthorized, authorizationFailed, serviceUnavailable
    case serviceError, invalidAccessToken, invalidResponse, invalidServiceDiscoveryUrl, invalidAppBundle
    case invalidCustomProtocolUrl, failedTolaunchAppStoreLink, launchAppStoreLink
    /// The first number for errors of partner apps.
    case partnerAppError = 10_000
  }

  package let domain: Domain
  package let name: Name
  package init(_ domain: Domain, _ name: Name) { (self.domain, self.name) = (domain, name) }

  package var json: JSONValue {
    ["domain": .string("\(domain)"), "name": .string("\(name)"), "number": JSONValue(name.rawValue)]
  }

  /// The reference at the end of the second line of an error: `(GrabID exchangeToken/securityValidationFailed 5)`.
  package var reference: String { "(GrabID \(domain)/\(name) \(name.rawValue))" }
}
