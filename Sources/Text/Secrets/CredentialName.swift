/// A secret that can be passed to the program, and the names under which it can be passed.
package enum CredentialName: Sendable, CaseIterable {
  case serviceKey, userToken, accessToken, oauthCode, clientSecret, webhooksKey

  package var noun: String {
    switch self {
    case .serviceKey: "service key"
    case .userToken: "user token"
    case .accessToken: "OAuth access token"
    case .oauthCode: "OAuth code"
    case .clientSecret: "OAuth client secret"
    case .webhooksKey: "webhooks key"
    }
  }

  package var article: String { noun.hasPrefix("OAuth") ? "an" : "a" }

  package var option: String {
    switch self {
    case .serviceKey: "--service-key-file"
    case .userToken: "--user-token-file"
    case .accessToken: "--access-token-file"
    case .oauthCode: "--oauth-code-file"
    case .clientSecret: "--client-secret-file"
    case .webhooksKey: "--webhooks-key-file"
    }
  }
}

/// A credential that a request was sent with, as the error names it if the server rejects it.
package struct SentCredential: Sendable, Equatable, CustomStringConvertible {
  package let name: CredentialName
  /// The option, variable or profile that it is from; nil if it is unknown.
  package let origin: String?

  package init(_ name: CredentialName, from origin: String?) { (self.name, self.origin) = (name, origin) }

  /// `the service key from IFTTT_SERVICE_KEY`
  package var description: String { "the \(name.noun)" + (origin.map { " from \($0)" } ?? "") }
}
