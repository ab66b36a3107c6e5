import HTTP
package import IFTTT

/// The result of one poll.
package enum PollResult<Value> {
  case seen(Value)
  /// The item does not exist, or the credentials have no access to it.
  case missing(Problem)
  /// Another poll may succeed.
  case failed(Problem, retryAfter: Duration?)
  /// No later poll will succeed: the credentials are rejected, or the program cannot send the request at all.
  case refused(Problem)

  /// - Parameter subject: the subject that is passed to `Problem(_:subject:)`.
  package init(_ result: Result<Value, APIError>, retryAfter: Duration?, subject: String) {
    switch result {
    case .success(let value): self = .seen(value)
    case .failure(let failure):
      let problem = Problem(failure, subject: subject)
      self =
        switch failure.retryability {
        case .notFound: .missing(problem)
        case .transient: .failed(problem, retryAfter: retryAfter)
        case .permanent: .refused(problem)
        }
    }
  }

  package func map<Other>(_ transform: (Value) -> Other) -> PollResult<Other> {
    switch self {
    case .seen(let value): .seen(transform(value))
    case .missing(let problem): .missing(problem)
    case .failed(let problem, let retryAfter): .failed(problem, retryAfter: retryAfter)
    case .refused(let problem): .refused(problem)
    }
  }
}

extension APIError {
  package enum Retryability { case notFound, transient, permanent }

  /// Whether the same request may succeed later.
  package var retryability: Retryability {
    switch self {
    case .http(.transport(let failure, _, _)), .http(.skipped(.unreachable(let failure, _))):
      failure.isTransient ? .transient : .permanent
    case .http, .needs: .permanent
    // The body is a proxy's page or a truncated response, not IFTTT's permanent response.
    case .unreadable: .transient
    case .answer(let error):
      switch error.kind {
      case .notFound: .notFound
      case .rateLimited, .serverError, .timeout: .transient
      case .badRequest, .unauthorized, .forbidden, .conflict, .invalidParameters, .other: .permanent
      }
    }
  }
}
