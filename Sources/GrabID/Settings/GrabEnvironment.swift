import Text

/// One of Grab's environments for partners (GrabPartnerUrls of the JavaScript client).
package enum GrabEnvironment: String, Sendable, CaseIterable {
  case production, staging

  /// The issuer of all Grab environments (GU1). It is not a prefix of any discovery URL, so it is pinned here and can
  /// be configured.
  package static let issuer = "https://idp.grab.com"

  var base: String {
    switch self {
    case .production: "https://partner-api.grab.com/grabid/v1/oauth2"
    case .staging: "https://partner-api.stg-myteksi.com/grabid/v1/oauth2"
    }
  }

  package var discoveryURL: String { base + Self.discoveryPath }

  /// The issuer for a discovery URL of Grab, including the environments for Grab's own employees; nil for any other
  /// URL.
  package static func issuer(of discoveryURL: String) -> String? {
    let bases =
      allCases.map(\.base) + [
        "https://api.grab.com/grabid/v1/oauth2", "https://api.stg-myteksi.com/grabid/v1/oauth2",
      ]
    return bases.contains { ExactText.same($0 + discoveryPath, discoveryURL) } ? issuer : nil
  }

  package static func named(by discoveryURL: String) -> GrabEnvironment? {
    allCases.first { ExactText.same($0.discoveryURL, discoveryURL) }
  }

  private static let discoveryPath = "/.well-known/openid-configuration"
}
