/// A named set of credentials, base URLs and cached data.
package struct Profile: Sendable, Equatable {
  package var name: String
  package var settings: [Setting: String]
  package init(name: String, settings: [Setting: String] = [:]) { (self.name, self.settings) = (name, settings) }

  package enum Setting: String, Sendable, CaseIterable {
    case userID = "user_id"
    case service
    case inviteCode = "invite_code"
    case connectURL = "connect_url"
    case locationURL = "location_url"
    case apiURL = "api_url"
    case webURL = "web_url"
    case realtimeURL = "realtime_url"
    case webhooksURL = "webhooks_url"
    /// The redirect URI of activations, which must be registered for the service.
    case redirectURI = "redirect_uri"
    /// `true` if activations skip the configuration screen.
    case skipConfiguration = "skip_config"
  }
}
