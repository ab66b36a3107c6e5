package import JSON

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
