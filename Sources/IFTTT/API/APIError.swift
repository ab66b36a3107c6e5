package import HTTP
package import Text

/// The reason a request failed.
package enum APIError: Error, Sendable, Equatable {
  case http(HTTPError)
  /// IFTTT's own error.
  case response(APIErrorResponse)
  /// A response with a 2xx status that is not the expected result. `beginning` is the start of its body; empty if the
  /// body may contain a credential.
  case unreadable(status: Int, problem: String, beginning: String, ResponseMetadata = ResponseMetadata())
  /// The endpoint requires another level of authentication. Nothing was sent.
  case needs(Authentication.Level)
}

extension APIError {
  /// Whether IFTTT does not accept the credential.
  package var isUnauthorized: Bool {
    if case .response(let error) = self { error.kind == .unauthorized } else { false }
  }

  /// The same error that names the credential of its request.
  package func sent(with credential: SentCredential?) -> APIError {
    guard case .response(var error) = self else { return self }
    error.credential = credential
    return .response(error)
  }

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
    case .response(var error):
      error.code = error.code.map(redactor.redact)
      error.message = error.message.map(redactor.redact)
      error.details = error.details.map {
        APIErrorResponse.Detail(parameter: $0.parameter.map(redactor.redact), message: $0.message.map(redactor.redact))
      }
      error.beginning = redactor.redact(error.beginning)
      error.delivery.requestID = error.delivery.requestID.map(redactor.redact)
      return .response(error)
    }
  }
}

/// The consequences of a failed request: whether the same request may succeed later, and whether it had an effect.
extension APIError {
  package enum Retryability { case notFound, transient, permanent }

  package var retryability: Retryability {
    switch self {
    case .http(.transport(let failure, _, _)), .http(.skipped(.unreachable(let failure, _))):
      failure.isTransient ? .transient : .permanent
    case .http, .needs: .permanent
    // The body is probably a proxy's page or a truncated response, so a retry may succeed.
    case .unreadable: .transient
    case .response(let error) where error.kind == .notFound: .notFound
    case .response(let error): StatusRetryability(status: error.status) == .never ? .permanent : .transient
    }
  }

  /// Whether IFTTT would reject the same content again: the error concerns neither the credential nor the time.
  package var rejectsContent: Bool {
    guard case .response(let error) = self, (400..<500).contains(error.status) else { return false }
    return retryability != .transient && error.kind != .unauthorized
  }

  /// Whether the request certainly changed nothing.
  package var leavesNothingChanged: Bool {
    switch self {
    case .http(.transport(let failure, _, _)): !failure.mayHaveArrived
    case .http(.skipped): true
    case .http(.interrupted), .http(.redirect), .unreadable: false
    case .response(let error): error.kind != .serverError
    case .needs: true
    }
  }
}

/// An error response. The status decides; the other properties are shown as received (docs/api/README.md §7).
package struct APIErrorResponse: Error, Sendable, Equatable {
  package var status: Int
  /// IFTTT's machine-readable code, from an open list.
  package var code: String?
  package var message: String?
  package var details: [Detail]
  /// The wait that the server requests (`Retry-After`), in seconds.
  package var retryAfter: Int?
  /// The beginning of the body; empty if the body may contain a credential.
  package var beginning: String
  package var delivery = ResponseMetadata()
  /// The credential of the request; nil if it had none.
  package var credential: SentCredential?

  package init(
    status: Int, code: String? = nil, message: String? = nil, details: [Detail] = [], retryAfter: Int? = nil,
    beginning: String = ""
  ) {
    (self.status, self.code, self.message, self.details) = (status, code, message, details)
    (self.retryAfter, self.beginning) = (retryAfter, beginning)
  }

  /// One problem with the parameters of a request.
  package struct Detail: Sendable, Equatable {
    /// The parameter, in a form like a JSON pointer, such as `/fields/calendar`.
    package var parameter: String?
    package var message: String?
    package init(parameter: String?, message: String?) { (self.parameter, self.message) = (parameter, message) }
  }

  /// The meaning of the response (docs/api/connect.md §5).
  package var kind: ErrorStatus { (200..<300).contains(status) ? kindByCode : ErrorStatus(status) }

  /// The status of an error object under a 2xx carries no meaning, so its code decides. Only these three codes are
  /// known (docs/api/connect.md U1).
  private var kindByCode: ErrorStatus {
    switch code {
    case "not_found": .notFound
    case "invalid_parameters": .invalidParameters
    case "unauthorized": .unauthorized
    default: .other
    }
  }
}

/// The attempts and the id of the request that led to a response.
package struct ResponseMetadata: Sendable, Equatable {
  /// The number of times the request was sent.
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
