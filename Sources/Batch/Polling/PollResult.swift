package import API
package import CommandContext
import HTTP

/// What one look at something found.
package enum PollResult<Value> {
  case seen(Value)
  /// There is no such thing, or the credentials may not see it.
  case missing(Problem)
  /// Another look may find it.
  case failed(Problem, retryAfter: Duration?)
  /// No further look will: the credentials are refused, or the program cannot ask at all.
  case refused(Problem)

  /// - Parameter subject: as `Problem(_:subject:)` takes it.
  package init(_ result: Result<Value, APIError>, retryAfter: Duration?, subject: String) {
    switch result {
    case .success(let value): self = .seen(value)
    case .failure(let failure):
      let problem = Problem(failure, subject: subject)
      self =
        switch failure.prospect {
        case .missing: .missing(problem)
        case .passing: .failed(problem, retryAfter: retryAfter)
        case .lasting: .refused(problem)
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
  package enum Retryability { case missing, passing, lasting }

  /// Whether asking the same again later has a chance.
  package var prospect: Retryability {
    switch self {
    case .http(.transport(let failure, _, _)), .http(.skipped(.unreachable(let failure, _))):
      failure.mayPassOff ? .passing : .lasting
    case .http, .needs: .lasting
    // A proxy's page or half an answer, rather than what IFTTT says every time.
    case .unreadable: .passing
    case .answer(let error):
      switch error.kind {
      case .notFound: .missing
      case .rateLimited, .serverError, .timeout: .passing
      case .badRequest, .unauthorized, .forbidden, .conflict, .invalidParameters, .other: .lasting
      }
    }
  }
}
