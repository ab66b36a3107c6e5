package import Time
import World

/// What an ID token is held against: who should have issued it, to whom, when, and in answer to what.
package struct IDTokenRules: Sendable {
  package enum Nonce: Sendable, Equatable {
    /// As at sign-in: there, and equal.
    case required(String)
    /// As after a refresh: absent, or as it was at first.
    case absentOr(String?)
    /// As with the device grant, which sends none.
    case unchecked
  }

  /// Compared as text, byte by byte.
  package var issuer: String
  package var clientID: String
  package var now: Timestamp
  /// How far clocks may differ.
  package var allowance = Duration.seconds(60)
  /// At most, when it is a sign-in that was just made; nil otherwise.
  package var oldest: Duration?
  package var nonce = Nonce.unchecked
  /// Of which `at_hash` and `c_hash` must be, where they are present.
  package var accessToken: String?
  package var code: String?
  /// What the sign-in asked for as `max_age`.
  package var maximumAge: Duration?
  package var subject: String?
  package var partnerID: String?
  /// Besides the client itself.
  package var trustedAudiences: [String] = []
  /// Whether an `acr` must name each of these.
  package var requiredContexts: [String] = []

  package static let longestAllowance = Duration.seconds(300)
  /// At sign-in a token is made for the asker; an older one was made for somebody else.
  package static let oldestAtSignIn = Duration.seconds(600)

  package init(issuer: String, clientID: String, now: Timestamp) {
    (self.issuer, self.clientID, self.now) = (issuer, clientID, now)
  }
}
