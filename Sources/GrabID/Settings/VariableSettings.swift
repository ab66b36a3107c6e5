package import World

extension GrabSettings {
  /// Reads settings from the environment variables that the plugin's manifest requests.
  /// - Throws: ``GrabError`` for an invalid value; an empty one counts as not set.
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
