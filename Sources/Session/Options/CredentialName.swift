package import World

/// A secret that can be passed to the program, and the names under which it can be passed.
package enum CredentialName: CaseIterable {
  case serviceKey, userToken, accessToken, oauthCode, clientSecret, webhooksKey

  package var words: String {
    switch self {
    case .serviceKey: "service key"
    case .userToken: "user token"
    case .accessToken: "OAuth access token"
    case .oauthCode: "OAuth code"
    case .clientSecret: "OAuth client secret"
    case .webhooksKey: "webhooks key"
    }
  }

  var article: String { words.hasPrefix("OAuth") ? "an" : "a" }

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

  package var variable: EnvironmentVariable {
    switch self {
    case .serviceKey: .serviceKey
    case .userToken: .userToken
    case .accessToken: .accessToken
    case .oauthCode: .oauthCode
    case .clientSecret: .clientSecret
    case .webhooksKey: .webhooksKey
    }
  }
}
