package import HTTP
package import Text

/// The reason a request failed.
package enum APIError: Error, Sendable, Equatable {
  case http(HTTPError)
  /// IFTTT's own error.
  case answer(APIErrorResponse)
  /// A 2xx that cannot be parsed as the expected result: the problem, and the beginning of the body (empty if the
  /// body may contain a credential).
  case unreadable(status: Int, problem: String, beginning: String, ResponseMetadata = ResponseMetadata())
  /// The endpoint requires another level of authentication. Nothing was sent.
  case needs(Authentication.Level)
}

extension APIError {
  /// The same error without credentials that the server may have repeated.
  package func hiding(_ secrets: [Secret]) -> APIError {
    guard !secrets.isEmpty else { return self }
    let redactor = Redactor(secrets)
    switch self {
    case .http, .needs: return self
    case .unreadable(let status, let problem, let beginning, var delivery):
      delivery.requestID = delivery.requestID.map(redactor.redact)
      return .unreadable(
        status: status, problem: redactor.redact(problem), beginning: redactor.redact(beginning), delivery)
    case .answer(var error):
      error.code = error.code.map(redactor.redact)
      error.message = error.message.map(redactor.redact)
      error.details = error.details.map {
        APIErrorResponse.Detail(parameter: $0.parameter.map(redactor.redact), message: $0.message.map(redactor.redact))
      }
      error.beginning = redactor.redact(error.beginning)
      error.delivery.requestID = error.delivery.requestID.map(redactor.redact)
      return .answer(error)
    }
  }
}
