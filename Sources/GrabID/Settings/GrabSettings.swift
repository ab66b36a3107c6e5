import JSON
package import Text
package import World

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
  /// The maximum time since the user's last authentication, in seconds (`max_age`).
  package var maximumAge: Int?
  package var parameters: [(name: String, value: String)] = []
  /// The encoding of token requests (docs/api/grab.md GU3). A form body follows RFC 6749; some of Grab's own clients
  /// send JSON.
  package var tokenRequest: TokenRequest?
  /// The encoding of `token_info` requests (docs/api/grab.md GC4).
  package var tokenInfoRequest: TokenInfoRequest?
  package var remoteVerification: RemoteVerification?
  package var trustedAudiences: [String] = []
  /// Algorithms in addition to RS256 and ES256.
  package var moreAlgorithms: [SignatureAlgorithm] = []
  /// The allowed difference between clocks, in seconds.
  package var clockAllowance: Int?
  package var requiresPKCE: Bool?
  package var requiresACR: Bool?
  package var strictKeyID: Bool?

  package init() {}

  /// These settings, with missing values from the others.
  package func overriding(_ other: GrabSettings) -> GrabSettings {
    var merged = other
    func merge<Value>(_ path: WritableKeyPath<GrabSettings, Value?>) {
      if let own = self[keyPath: path] { merged[keyPath: path] = own }
    }
    merge(\.clientID)
    merge(\.redirectURI)
    merge(\.scope)
    merge(\.discoveryURL)
    merge(\.issuer)
    merge(\.clientSecret)
    merge(\.partnerID)
    merge(\.request)
    merge(\.loginHint)
    merge(\.idTokenHint)
    merge(\.prompt)
    merge(\.interfaceLocales)
    merge(\.claims)
    merge(\.maximumAge)
    merge(\.tokenRequest)
    merge(\.tokenInfoRequest)
    merge(\.remoteVerification)
    merge(\.clockAllowance)
    merge(\.requiresPKCE)
    merge(\.requiresACR)
    merge(\.strictKeyID)
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

/// The stored form of the settings: everything that applies to more than one sign-in.
extension GrabSettings {
  static let storedName = "settings"
  static let storedSecretName = "client-secret"

  var stored: JSONValue {
    .object(
      JSONObject(members: [
        ("client_id", JSONValue(clientID)), ("redirect_uri", JSONValue(redirectURI?.text)),
        ("scope", JSONValue(scope?.text)), ("discovery_url", JSONValue(discoveryURL)), ("issuer", JSONValue(issuer)),
        ("partner_id", JSONValue(partnerID)), ("acr_values", .array(acrValues.map { .string($0.text) })),
        ("ui_locales", JSONValue(interfaceLocales)), ("token_request", JSONValue(tokenRequest?.rawValue)),
        ("token_info_request", JSONValue(tokenInfoRequest?.rawValue)),
        ("verify_remote", JSONValue(remoteVerification?.rawValue)),
        ("trusted_audiences", .array(trustedAudiences.map(JSONValue.string))),
        ("algorithms", .array(moreAlgorithms.map { .string($0.rawValue) })),
        ("clock_allowance", JSONValue(clockAllowance)), ("require_pkce", requiresPKCE.map { .bool($0) } ?? .null),
        ("require_acr", requiresACR.map { .bool($0) } ?? .null),
        ("strict_kid", strictKeyID.map { .bool($0) } ?? .null),
      ]))
  }

  /// Decodes stored settings. Unknown values are ignored: an older or newer version may have written them.
  init(stored: JSONValue, secret: String?) {
    clientID = stored["client_id"]?.string
    redirectURI = stored["redirect_uri"]?.string.flatMap { try? GrabRedirectURI(parsing: $0) }
    scope = stored["scope"]?.string.flatMap { try? Scope(parsing: [$0]) }
    discoveryURL = stored["discovery_url"]?.string
    issuer = stored["issuer"]?.string
    clientSecret = secret.flatMap(Secret.init(parsing:))
    partnerID = stored["partner_id"]?.string
    acrValues = stored.texts("acr_values").compactMap { try? ACRValue(parsing: $0) }
    interfaceLocales = stored["ui_locales"]?.string
    tokenRequest = stored["token_request"]?.string.flatMap(TokenRequest.init(rawValue:))
    tokenInfoRequest = stored["token_info_request"]?.string.flatMap(TokenInfoRequest.init(rawValue:))
    remoteVerification = stored["verify_remote"]?.string.flatMap(RemoteVerification.init(rawValue:))
    trustedAudiences = stored.texts("trusted_audiences")
    moreAlgorithms = stored.texts("algorithms").compactMap(SignatureAlgorithm.init(rawValue:))
    clockAllowance = stored["clock_allowance"]?.int
    requiresPKCE = stored["require_pkce"]?.bool
    requiresACR = stored["require_acr"]?.bool
    strictKeyID = stored["strict_kid"]?.bool
  }
}

extension JSONValue {
  /// The texts of a list; empty for any other value.
  func texts(_ name: String) -> [String] { self[name]?.array?.compactMap(\.string) ?? [] }
}

extension GrabWorld {
  /// The settings stored in the profile.
  func storedSettings() throws -> GrabSettings {
    guard let text = try host.credential(GrabSettings.storedName),
      let stored = try? JSONValue(parsing: Array(text.utf8))
    else { return GrabSettings() }
    return GrabSettings(stored: stored, secret: try host.credential(GrabSettings.storedSecretName))
  }
}

extension GrabSettings {
  /// Reads settings from the environment variables that the plugin's manifest requests.
  /// - Throws: ``GrabError`` for an invalid value. An empty variable counts as not set.
  package init(variables: Environment) throws(GrabError) {
    func value(_ variable: EnvironmentVariable) -> String? {
      variables[variable].flatMap { $0.isEmpty ? nil : $0 }
    }
    self.init()
    clientID = value(.grabClientID)
    if let text = value(.grabRedirectURI) { redirectURI = try GrabRedirectURI(parsing: text) }
    if let text = value(.grabScope) { scope = try Scope(parsing: [text]) }
    discoveryURL = value(.grabDiscoveryURL)
    issuer = value(.grabIssuer)
    partnerID = value(.grabPartnerID)
  }
}
