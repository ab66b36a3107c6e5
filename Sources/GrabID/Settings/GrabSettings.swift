package import Text

/// The settings of a sign-in: from options, the environment, an app's configuration, or the profile.
package struct GrabSettings: Sendable {
  package enum TokenRequest: String, Sendable, CaseIterable { case form, json }
  package enum TokenInfoRequest: String, Sendable, CaseIterable { case query, json, form }
  package enum RemoteVerification: String, Sendable, CaseIterable { case never, always }

  package var clientID: String?
  package var redirectURI: GrabRedirectURI?
  package var scope: Scope?
  package var discoveryURL: String?
  package var issuer: String?
  package var clientSecret: Secret?
  package var partnerID: String?
  package var acrValues: [ACRValue] = []
  package var request: Secret?
  package var loginHint: String?
  package var idTokenHint: Secret?
  package var prompt: String?
  package var interfaceLocales: String?
  package var claims: String?
  /// The maximum age in seconds.
  package var maximumAge: Int?
  package var parameters: [(name: String, value: String)] = []
  /// The encoding of token requests (GU3). A form body follows RFC 6749; some of Grab's own clients send JSON.
  package var tokenRequest: TokenRequest?
  /// The encoding of `token_info` requests (GC4).
  package var tokenInfoRequest: TokenInfoRequest?
  package var remoteVerification: RemoteVerification?
  package var trustedAudiences: [String] = []
  /// Algorithms in addition to RS256 and ES256.
  package var moreAlgorithms: [SignatureAlgorithm] = []
  /// The clock allowance in seconds.
  package var clockAllowance: Int?
  package var requiresPKCE: Bool?
  package var requiresACR: Bool?
  package var strictKeyID: Bool?

  package init() {}

  /// These settings, with missing values from the others.
  package func over(_ other: GrabSettings) -> GrabSettings {
    var merged = other
    func receive<Value>(_ path: WritableKeyPath<GrabSettings, Value?>) {
      if let own = self[keyPath: path] { merged[keyPath: path] = own }
    }
    receive(\.clientID)
    receive(\.redirectURI)
    receive(\.scope)
    receive(\.discoveryURL)
    receive(\.issuer)
    receive(\.clientSecret)
    receive(\.partnerID)
    receive(\.request)
    receive(\.loginHint)
    receive(\.idTokenHint)
    receive(\.prompt)
    receive(\.interfaceLocales)
    receive(\.claims)
    receive(\.maximumAge)
    receive(\.tokenRequest)
    receive(\.tokenInfoRequest)
    receive(\.remoteVerification)
    receive(\.clockAllowance)
    receive(\.requiresPKCE)
    receive(\.requiresACR)
    receive(\.strictKeyID)
    if !acrValues.isEmpty { merged.acrValues = acrValues }
    if !parameters.isEmpty { merged.parameters = parameters }
    if !trustedAudiences.isEmpty { merged.trustedAudiences = trustedAudiences }
    if !moreAlgorithms.isEmpty { merged.moreAlgorithms = moreAlgorithms }
    return merged
  }

  /// The client for all requests.
  /// - Throws: ``GrabError``; a missing client id is reported first, as the SDK does.
  package func client() throws(GrabError) -> GrabClient { try GrabClient(self) }
}
