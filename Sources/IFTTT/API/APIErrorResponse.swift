/// An error response. The status decides; the other properties are shown as received (reference: how to treat
/// unknowns).
package struct APIErrorResponse: Error, Sendable, Equatable {
  package var status: Int
  /// IFTTT's machine-readable code, from an open list.
  package var code: String?
  package var message: String?
  package var details: [Detail]
  /// In seconds, from `Retry-After`.
  package var retryAfter: Int?
  /// The beginning of the body; empty if the body may contain a credential.
  package var beginning: String
  package var delivery = ResponseMetadata()

  package init(
    status: Int, code: String? = nil, message: String? = nil, details: [Detail] = [], retryAfter: Int? = nil,
    beginning: String = ""
  ) {
    (self.status, self.code, self.message, self.details) = (status, code, message, details)
    (self.retryAfter, self.beginning) = (retryAfter, beginning)
  }

  /// One problem with the parameters of a request.
  package struct Detail: Sendable, Equatable {
    /// Looks like a JSON pointer, such as `/fields/calendar`.
    package var parameter: String?
    package var message: String?
    package init(parameter: String?, message: String?) { (self.parameter, self.message) = (parameter, message) }
  }

  /// The meaning of the status (reference: connect-api.md, section 5).
  package enum Kind: Sendable, CaseIterable {
    case badRequest, unauthorized, forbidden, notFound, conflict, invalidParameters, rateLimited, serverError, timeout,
      other
  }

  package var kind: Kind {
    switch status {
    case 200..<300: code.flatMap { APIAssumptions.kindsByCode[$0] } ?? .other
    case 400: .badRequest
    case 401: .unauthorized
    case 403: .forbidden
    case 404: .notFound
    case 408: .timeout
    case 409: .conflict
    case 422: .invalidParameters
    case 429: .rateLimited
    case 500..<600: .serverError
    default: .other
    }
  }
}

/// How a response was obtained.
package struct ResponseMetadata: Sendable, Equatable {
  /// How often the request was sent.
  package var attempts = 1
  /// IFTTT's id for the request, if it sent one (`X-Request-ID`).
  package var requestID: String?
  package init(attempts: Int = 1, requestID: String? = nil) {
    (self.attempts, self.requestID) = (attempts, requestID)
  }
}

/// The first 200 bytes as text, without a partial character at the end.
func beginningOf(_ body: [UInt8]) -> String {
  let limit = 200
  var text = String(decoding: body.prefix(limit), as: UTF8.self)
  while body.count > limit, text.unicodeScalars.last == "\u{fffd}" { text.unicodeScalars.removeLast() }
  return text
}
