package import World

/// The kinds of stored credentials.
package enum CredentialKind: String, Sendable, CaseIterable {
  case serviceKey = "service_key"
  case userToken = "user_token"
  case webhooksKey = "webhooks_key"
  /// A user token received from the browser whose user is not yet known.
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

/// A stored credential without its secret, as shown by `token list`.
package struct CredentialRecord: Sendable, Equatable {
  package var kind: CredentialKind
  /// The user ID on the developer's service; empty if there is none or it is unknown.
  package var userID: String
  package var savedAt: Timestamp
  package init(kind: CredentialKind, userID: String, savedAt: Timestamp) {
    (self.kind, self.userID, self.savedAt) = (kind, userID, savedAt)
  }
}
