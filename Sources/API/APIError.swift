package import HTTP
package import Secrets

/// Why a call failed.
package enum APIError: Error, Sendable, Equatable {
  case http(HTTPError)
  /// IFTTT's own error.
  case answer(APIErrorResponse)
  /// A 2xx that cannot be read as what was asked for: what is wrong, and how the body begins (empty where the body
  /// may hold a credential).
  case unreadable(status: Int, problem: String, beginning: String, ResponseMetadata = ResponseMetadata())
  /// The call exists for another level of authentication alone. Nothing was sent.
  case needs(Authentication.Level)
}

extension APIError {
  /// The same without credentials that the server may have repeated to us.
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
