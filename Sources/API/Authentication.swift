package import Secrets

/// Who a request is made as. One level a request: a key and a token are never both sent (reference U28).
package enum Authentication: Sendable, Equatable {
  case anonymous
  /// The service key, and the user of the developer's service it speaks for.
  case service(Secret, userID: String?)
  case user(Secret)
}
