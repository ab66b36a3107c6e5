package import JSON
import Text
package import World

/// An ID token that passed every check, and the identity in it (OpenID Connect Core §2).
package struct IDToken: Sendable {
  package let header: JSONObject
  /// The signed claims.
  package let claims: JSONObject
  package let subject: String
  package let audience: [String]
  package let expiry: Timestamp
  package let issuedAt: Timestamp
  package let notBefore: Timestamp?
  package let nonce: String?
  /// The thumbprint (RFC 7638) of the key that signed it.
  package let keyThumbprint: String

  /// Checks the token against all rules, in the order of the standard.
  /// - Throws: ``IDTokenError``.
  package init(
    parsing text: String, keys: KeySet, allowed: Set<SignatureAlgorithm>, strictKeyID: Bool = false,
    rules: IDTokenRules
  ) throws(IDTokenError) {
    let token = try CompactToken(parsing: text, allowed: allowed)
    keyThumbprint = try keys.verify(token, strictKeyID: strictKeyID).thumbprint
    let claims = token.claims
    guard let issuer = try claims.text("iss", .issuer), ExactText.same(issuer, rules.issuer) else {
      throw IDTokenError(.issuer, "iss is not \(rules.issuer)")
    }
    audience = try rules.audience(of: claims)
    expiry = try rules.expiry(of: claims)
    notBefore = try rules.notBefore(of: claims)
    issuedAt = try rules.issuedAt(of: claims)
    nonce = try rules.nonce(of: claims)
    subject = try rules.subject(of: claims)
    try rules.checkAuthentication(claims)
    try rules.checkHashes(claims, token.algorithm)
    if let expected = rules.partnerID {
      guard let partner = try claims.text("pid", .partner), ExactText.same(partner, expected) else {
        throw IDTokenError(.partner, "pid is not the configured partner id")
      }
    }
    (header, self.claims) = (token.header, claims)
  }
}
