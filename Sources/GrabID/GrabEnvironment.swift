/// One of Grab's installations (reference: GrabPartnerUrls and GrabUrls of the JavaScript client).
package enum GrabEnvironment: String, Sendable, CaseIterable {
  case production, staging

  /// Of its service for partners.
  package var base: String {
    switch self {
    case .production: "https://partner-api.grab.com/grabid/v1/oauth2"
    case .staging: "https://partner-api.stg-myteksi.com/grabid/v1/oauth2"
    }
  }
}
