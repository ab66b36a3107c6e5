package import World

/// The expected properties of an ID token: its issuer, its audience, its times, and the request that it belongs to.
package struct IDTokenRules: Sendable {
  package enum Nonce: Sendable, Equatable {
    /// At sign-in: present and equal.
    case required(String)
    /// After a refresh: absent or the same as at sign-in.
    case absentOr(String?)
    /// With the device grant, which sends none.
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
  /// The maximum age at sign-in. A token is issued for this request; an older one was issued for another.
  package static let oldestAtSignIn = Duration.seconds(600)

  package init(issuer: String, clientID: String, now: Timestamp) {
    (self.issuer, self.clientID, self.now) = (issuer, clientID, now)
  }
}
