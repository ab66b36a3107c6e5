/// The check that an ID token failed, and the reason; it never repeats secrets of the token.
package struct IDTokenError: Error, Equatable, CustomStringConvertible {
  /// The checks of an ID token, with the names that users see (OpenID Connect Core §3.1.3.7).
  package enum Check: String, Sendable, CaseIterable {
    case encoding, json, algorithm, header, signature
    case issuer = "iss"
    case audience = "aud"
    case authorizedParty = "azp"
    case expiry = "exp"
    case notBefore = "nbf"
    case issuedAt = "iat"
    case nonce
    case subject = "sub"
    case authenticationTime = "auth_time"
    case authenticationContext = "acr"
    case accessTokenHash = "at_hash"
    case codeHash = "c_hash"
    case partner = "pid"
  }

  package let check: Check
  package let description: String
  package init(_ check: Check, _ description: String) { (self.check, self.description) = (check, description) }
}
