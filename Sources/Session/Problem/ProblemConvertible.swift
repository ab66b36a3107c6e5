/// An error that describes itself as a problem: what happened, why, what to do, and the exit code.
///
/// Each module converts its own errors; only ``Problem/init(_:)`` performs the conversion.
package protocol ProblemConvertible: Error {
  var problem: Problem { get }
}

extension Problem {
  /// The problem behind any error. An unexpected error is shown as an internal error, not as a wrong guess.
  package init(_ error: any Error) {
    self =
      switch error {
      case let problem as Problem: problem
      case let error as any ProblemConvertible: error.problem
      default: Problem(.refused, "unexpected error", reason: String(describing: error))
      }
  }
}
