package import HTTP

/// Why a call failed.
package enum APIFailure: Error, Sendable, Equatable {
  case http(HTTPFailure)
  /// IFTTT's own error.
  case answer(APIError)
  /// A 2xx that cannot be read as what was asked for: what is wrong, and how the body begins.
  case unreadable(status: Int, problem: String, beginning: String)
}

/// An error answer: the status decides, the rest is shown as received (reference: how to treat unknowns).
package struct APIError: Error, Sendable, Equatable {
  package var status: Int
  package var code: String?
  package var message: String?
  package var details: [Detail]
  /// In seconds, from `Retry-After`.
  package var retryAfter: Int?
  package struct Detail: Sendable, Equatable {
    package var parameter: String?
    package var message: String?
  }
}
