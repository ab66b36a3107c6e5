package import HTTP
package import Secrets

/// Who a request is made as. One level a request: a key and a token are never both sent (reference U28).
package enum Authentication: Sendable, Equatable {
  case anonymous
  /// The service key, and the user of the developer's service it speaks for.
  case service(Secret, userID: String?)
  case user(Secret)

  /// The level alone, as `--as` names it.
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

  /// The user a service key speaks for, where it travels in the query string: on every GET. Always sent as text (C4).
  package var queryItem: QueryItem? {
    guard case .service(_, let userID?) = self else { return nil }
    return QueryItem("user_id", userID)
  }
}
