import Batch
import CommandContext
import World

/// Counts the results of a run over users, and writes its reports and annotations. The number of users is not known in
/// advance.
final class UserProgress {
  let failures = BatchFailures(of: 0)
  private let session: Session
  private let report: BatchReport?

  init(report: BatchReport?, in session: Session) { (self.report, self.session) = (report, session) }

  func starting(_ name: String) { report?.starting(name) }

  func ended(_ name: String, _ problem: Problem?) {
    let problem = problem?.completed(with: session.suggestions)
    failures.expect(1)
    if let problem { failures.add(problem, of: name) }
    report?.ended(name, problem)
  }

  /// - Parameter isComplete: whether every user was reached.
  func end(isComplete: Bool) throws {
    if WorkflowCommands.areRead(in: session.world), failures.isOfMany {
      for (name, problem) in failures.named.prefix(BatchFailures.annotations) {
        session.console.writeError(problem.annotation(of: name))
      }
    }
    try report?.end(without: [], isComplete: isComplete)
  }
}
