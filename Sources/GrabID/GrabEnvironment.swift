import Encoding

/// One of Grab's installations for partners (GrabPartnerUrls of the JavaScript client).
package enum GrabEnvironment: String, Sendable, CaseIterable {
  case production, staging

  /// GU1: seen in every environment, and no prefix of any discovery URL; so it is pinned here and can be set.
  package static let issuer = "https://idp.grab.com"

  var base: String {
    switch self {
    case .production: "https://partner-api.grab.com/grabid/v1/oauth2"
    case .staging: "https://partner-api.stg-myteksi.com/grabid/v1/oauth2"
    }
  }

  package var discoveryURL: String { base + Self.discoveryPath }

  /// The issuer that goes with a discovery URL of Grab's, its own people's installations included; nil for any other.
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
