/// An error that has its own problem: what happened, why, what to do, and the exit code.
///
/// Each module converts its errors, and ``Problem/init(_:)`` is the only place that asks.
package protocol ProblemConvertible: Error {
  var problem: Problem { get }
}

extension Problem {
  /// The problem behind any error. A bug shows as what it is rather than as a wrong guess.
  package init(_ error: any Error) {
    self =
      switch error {
      case let problem as Problem: problem
      case let error as any ProblemConvertible: error.problem
      default: Problem(.refused, "something unexpected happened", reason: String(describing: error))
      }
  }
}
