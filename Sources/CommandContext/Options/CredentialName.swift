/// A secret that can be passed to the program, and the names under which it can be passed.
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
