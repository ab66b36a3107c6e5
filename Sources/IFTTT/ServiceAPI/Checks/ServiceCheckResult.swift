/// The result of one check at one endpoint.
package struct ServiceCheckResult: Sendable {
  package enum Outcome: String, Sendable, CaseIterable { case passed, failed, skipped, warning }

  package let check: ServiceCheck
  package let part: ServicePart
  package let endpoint: ServicePath
  package let outcome: Outcome
  /// The deviation, or why the check was skipped; nil if it passed.
  package let message: String?
  /// The exchange that decided the check; nil if no request was sent.
  package let exchange: ServiceExchange?

  package init(
    check: ServiceCheck, part: ServicePart, endpoint: ServicePath, outcome: Outcome, message: String?,
    exchange: ServiceExchange? = nil
  ) {
    (self.check, self.part, self.endpoint) = (check, part, endpoint)
    (self.outcome, self.message, self.exchange) = (outcome, message, exchange)
  }
}

/// What a check found.
package enum Finding: Sendable, Equatable {
  case passed
  case failed(String)
  case warning(String)
  case skipped(String)

  static let noData = Finding.skipped("the endpoint did not return data")

  /// Passed if there is no problem.
  init(problem: String?) { self = problem.map(Finding.failed) ?? .passed }

  var outcome: ServiceCheckResult.Outcome {
    switch self {
    case .passed: .passed
    case .failed: .failed
    case .warning: .warning
    case .skipped: .skipped
    }
  }

  var message: String? {
    switch self {
    case .passed: nil
    case .failed(let message), .warning(let message), .skipped(let message): message
    }
  }
}
