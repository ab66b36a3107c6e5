import JSON
import Text

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

  /// Restores settings. Unknown values are ignored: an older or newer version may have written them.
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
