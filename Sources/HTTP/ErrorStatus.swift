/// The meaning of the status of a response that is no success (RFC 9110 §15). The one table of it, from which each
/// caller derives its error code.
package enum ErrorStatus: Sendable, CaseIterable {
  case badRequest, unauthorized, forbidden, notFound, conflict, invalidParameters, rateLimited, serverError, timeout,
    other

  package init(_ status: Int) {
    switch status {
    case 400: self = .badRequest
    case 401: self = .unauthorized
    case 403: self = .forbidden
    case 404, 410: self = .notFound
    case 408: self = .timeout
    case 409: self = .conflict
    case 422: self = .invalidParameters
    case 429: self = .rateLimited
    // A status above 599 is read as 500 (RFC 9110 §15).
    case 500...: self = .serverError
    default: self = .other
    }
  }
}
