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

/// The individual checks of an ID token's claims (OpenID Connect Core §3.1.3.7).
extension IDTokenRules {
  func audience(of claims: JSONObject) throws(IDTokenError) -> [String] {
    let audience = try claims.audience()
    guard audience.contains(where: { ExactText.same($0, clientID) }) else {
      throw IDTokenError(.audience, "aud does not contain this client")
    }
    let foreign = audience.filter { name in !([clientID] + trustedAudiences).contains { ExactText.same($0, name) } }
    guard foreign.isEmpty else { throw IDTokenError(.audience, "aud contains audiences that are not trusted") }
    let party = try claims.text("azp", .authorizedParty)
    if audience.count > 1, party == nil {
      throw IDTokenError(.authorizedParty, "azp is missing, although aud has several audiences")
    }
    if let party, !ExactText.same(party, clientID) { throw IDTokenError(.authorizedParty, "azp is not this client") }
    return audience
  }

  func expiry(of claims: JSONObject) throws(IDTokenError) -> Timestamp {
    guard let expiry = try claims.moment("exp", .expiry) else { throw IDTokenError(.expiry, "exp is missing") }
    guard now < expiry + allowance else { throw IDTokenError(.expiry, "it expired at \(expiry.rfc3339)") }
    return expiry
  }

  func notBefore(of claims: JSONObject) throws(IDTokenError) -> Timestamp? {
    guard let start = try claims.moment("nbf", .notBefore) else { return nil }
    guard now >= start - allowance else { throw IDTokenError(.notBefore, "it is not valid before \(start.rfc3339)") }
    return start
  }

  func issuedAt(of claims: JSONObject) throws(IDTokenError) -> Timestamp {
    guard let moment = try claims.moment("iat", .issuedAt) else { throw IDTokenError(.issuedAt, "iat is missing") }
    guard moment <= now + allowance else { throw IDTokenError(.issuedAt, "it was issued in the future") }
    if let oldest, moment < now - oldest {
      throw IDTokenError(.issuedAt, "it was issued at \(moment.rfc3339), before this sign-in")
    }
    return moment
  }

  func nonce(of claims: JSONObject) throws(IDTokenError) -> String? {
    let received = try claims.text("nonce", .nonce)
    switch nonce {
    case .unchecked: break
    case .required(let expected):
      guard let received else { throw IDTokenError(.nonce, "nonce is missing") }
      guard ExactText.sameInConstantTime(received, expected) else {
        throw IDTokenError(.nonce, "nonce is not the one that was sent")
      }
    case .absentOr(let expected):
      if let received, !(expected.map { ExactText.sameInConstantTime(received, $0) } ?? false) {
        throw IDTokenError(.nonce, "nonce does not match the sign-in")
      }
    }
    return received
  }

  func subject(of claims: JSONObject) throws(IDTokenError) -> String {
    guard let received = try claims.text("sub", .subject), (1...255).contains(received.utf8.count),
      received.utf8.allSatisfy({ (0x20...0x7e).contains($0) })
    else { throw IDTokenError(.subject, "sub is missing, empty, longer than 255 characters or not ASCII") }
    if let subject, !ExactText.same(received, subject) { throw IDTokenError(.subject, "sub is another user's") }
    return received
  }

  func checkAuthentication(_ claims: JSONObject) throws(IDTokenError) {
    let moment = try claims.moment("auth_time", .authenticationTime)
    if let maximumAge {
      guard let moment else {
        throw IDTokenError(.authenticationTime, "auth_time is missing, although max_age was requested")
      }
      guard now <= moment + maximumAge + allowance else {
        throw IDTokenError(.authenticationTime, "the user signed in too long ago, at \(moment.rfc3339)")
      }
    }
    guard !requiredContexts.isEmpty else { return }
    let contexts = AuthenticationContext.names(in: claims["acr"])
    if let missing = requiredContexts.first(where: { name in !contexts.contains { ExactText.same($0, name) } }) {
      throw IDTokenError(.authenticationContext, "acr does not contain \(missing)")
    }
  }

  func checkHashes(_ claims: JSONObject, _ algorithm: SignatureAlgorithm) throws(IDTokenError) {
    if let hash = try claims.text("at_hash", .accessTokenHash), let accessToken,
      !ExactText.sameInConstantTime(hash, algorithm.halfHash(of: accessToken))
    {
      throw IDTokenError(.accessTokenHash, "at_hash does not match the access token")
    }
    if let hash = try claims.text("c_hash", .codeHash), let code,
      !ExactText.sameInConstantTime(hash, algorithm.halfHash(of: code))
    {
      throw IDTokenError(.codeHash, "c_hash does not match the code")
    }
  }
}

/// The `acr` claim: a text, a list of texts, or, with Grab, a text that contains JSON of such a list
/// (docs/api/grab.md GC12).
package enum AuthenticationContext {
  package static func names(in claim: JSONValue?) -> [String] {
    switch claim {
    case .array(let elements): elements.compactMap(\.string)
    case .string(let text):
      (try? JSONValue(parsing: Array(text.utf8)))?.array?.compactMap(\.string)
        ?? text.split(separator: " ").map(String.init)
    default: []
    }
  }
}

/// The expected properties of an ID token: its issuer, its audience, its times, and the request that it belongs to.
package struct IDTokenRules: Sendable {
  package enum Nonce: Sendable, Equatable {
    /// At sign-in: present and equal.
    case required(String)
    /// After a refresh: absent or the same as at sign-in.
    case absentOr(String?)
    /// With the device grant, whose requests have no nonce.
    case unchecked
  }

  /// The issuer, compared byte by byte.
  package var issuer: String
  package var clientID: String
  package var now: Timestamp
  /// The allowed difference between clocks.
  package var allowance = Duration.seconds(60)
  /// The maximum age for a sign-in that just happened; nil otherwise.
  package var oldest: Duration?
  package var nonce = Nonce.unchecked
  /// The access token and code that `at_hash` and `c_hash` must match, if they are present.
  package var accessToken: String?
  package var code: String?
  /// The `max_age` that the sign-in requested.
  package var maximumAge: Duration?
  package var subject: String?
  package var partnerID: String?
  /// Audiences that are trusted in addition to the client itself.
  package var trustedAudiences: [String] = []
  /// The names that `acr` must contain.
  package var requiredContexts: [String] = []

  package static let longestAllowance = Duration.seconds(300)
  /// The maximum age at sign-in. A token is issued for the sign-in, so an older token belongs to another one.
  package static let oldestAtSignIn = Duration.seconds(600)

  package init(issuer: String, clientID: String, now: Timestamp) {
    (self.issuer, self.clientID, self.now) = (issuer, clientID, now)
  }
}

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
