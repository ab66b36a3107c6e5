package import World

extension GrabSettings {
  /// The environment variables that the plugin's manifest requests.
  package enum Variable: String, Sendable, CaseIterable {
    case clientID = "IFTTT_GRAB_CLIENT_ID"
    case redirectURI = "IFTTT_GRAB_REDIRECT_URI"
    case scope = "IFTTT_GRAB_SCOPE"
    case discoveryURL = "IFTTT_GRAB_DISCOVERY_URL"
    case issuer = "IFTTT_GRAB_ISSUER"
    case partnerID = "IFTTT_GRAB_PARTNER_ID"
  }

  /// Reads settings from the environment.
  /// - Throws: ``GrabError`` for an invalid value; an empty one counts as not set.
  package init(variables: Environment) throws(GrabError) {
    func value(_ variable: Variable) -> String? {
      variables[variable.rawValue].flatMap { $0.isEmpty ? nil : $0 }
    }
    self.init()
    clientID = value(.clientID)
    if let text = value(.redirectURI) { redirectURI = try GrabRedirectURI(parsing: text) }
    if let text = value(.scope) { scope = try Scope(parsing: [text]) }
    discoveryURL = value(.discoveryURL)
    issuer = value(.issuer)
    partnerID = value(.partnerID)
  }
}
