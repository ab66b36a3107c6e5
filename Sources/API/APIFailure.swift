package import HTTP

/// Why a call failed.
package enum APIFailure: Error, Sendable, Equatable {
  case http(HTTPFailure)
  /// IFTTT's own error.
  case answer(APIError)
  /// A 2xx that cannot be read as what was asked for: what is wrong, and how the body begins (empty where the body
  /// may hold a credential).
  case unreadable(status: Int, problem: String, beginning: String)
  /// The call exists for another level of authentication alone. Nothing was sent.
  case needs(Authentication.Level)
}
