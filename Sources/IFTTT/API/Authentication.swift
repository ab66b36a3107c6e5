package import HTTP
package import Text

/// The identity a request is made with. Each request uses one level: a key and a token are never both sent (reference
/// U28).
package enum Authentication: Sendable, Equatable {
  case anonymous
  /// The service key, and the user of the developer's service on whose behalf it is used.
  case service(Secret, userID: String?)
  case user(Secret)

  /// The level only, as named by `--as`.
  package enum Level: String, Sendable, CaseIterable { case anonymous, service, user }

  package var level: Level {
    switch self {
    case .anonymous: .anonymous
    case .service: .service
    case .user: .user
    }
  }

  /// The one header that carries the credential (reference: connect-api.md, section 3).
  package var header: Header? {
    switch self {
    case .anonymous: nil
    case .service(let key, _): Header("IFTTT-Service-Key", secret: key)
    case .user(let token): Header("Authorization", prefix: "Bearer ", secret: token)
    }
  }

  /// The user on whose behalf a service key is used, in the query string of every GET. Always sent as text (C4).
  package var queryItem: QueryItem? {
    guard case .service(_, let userID?) = self else { return nil }
    return QueryItem("user_id", userID)
  }
}
