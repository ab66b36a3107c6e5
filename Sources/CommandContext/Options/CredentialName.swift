/// A secret the program can be given, and the names under which it can be given.
package enum CredentialName: CaseIterable {
  case serviceKey, userToken, accessToken, oauthCode

  package var words: String {
    switch self {
    case .serviceKey: "service key"
    case .userToken: "user token"
    case .accessToken: "OAuth access token"
    case .oauthCode: "OAuth code"
    }
  }

  var article: String { self == .accessToken || self == .oauthCode ? "an" : "a" }

  package var option: String {
    switch self {
    case .serviceKey: "--service-key-file"
    case .userToken: "--user-token-file"
    case .accessToken: "--access-token-file"
    case .oauthCode: "--oauth-code-file"
    }
  }

  package var variable: String {
    switch self {
    case .serviceKey: "IFTTT_SERVICE_KEY"
    case .userToken: "IFTTT_USER_TOKEN"
    case .accessToken: "IFTTT_ACCESS_TOKEN"
    case .oauthCode: "IFTTT_OAUTH_CODE"
    }
  }
}
