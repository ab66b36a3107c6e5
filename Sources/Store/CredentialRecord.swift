package import Time
import World

/// What a sealed credential is.
package enum CredentialKind: String, Sendable, CaseIterable {
  case serviceKey = "service_key"
  case userToken = "user_token"
  case webhooksKey = "webhooks_key"
  /// A user token that came from a browser, until it is known whose it is.
  case returnedToken = "returned_token"

  var words: String {
    switch self {
    case .serviceKey: "service key"
    case .userToken: "user token"
    case .webhooksKey: "webhooks key"
    case .returnedToken: "user token"
    }
  }
}

/// A sealed credential without its secret, as `token list` shows it.
package struct CredentialRecord: Sendable, Equatable {
  package var kind: CredentialKind
  /// The user on the developer's service; empty where there is none or it is not known.
  package var userID: String
  package var savedAt: Timestamp
  package init(kind: CredentialKind, userID: String, savedAt: Timestamp) {
    (self.kind, self.userID, self.savedAt) = (kind, userID, savedAt)
  }
}
