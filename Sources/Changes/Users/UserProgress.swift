import Session
import World

/// Counts the results of a run over users, and writes its reports and annotations. The number of users is not known in
/// advance.
final class UserProgress {
  let failures = BatchFailures(of: 0)
  private let session: Session
  private let report: BatchReport?
  private var summary: (summary: StepSummary, path: String)?
  private var begun = 0

  /// - Parameter isFinal: whether it has a report and a summary, which the preview of a run has not.
  init(report: BatchReport?, isFinal: Bool, in session: Session) {
    (self.report, self.session) = (isFinal ? report : nil, session)
    summary = isFinal ? session.stepSummary : nil
  }

  /// Begins an item.
  /// - Returns: its position among all items, for its result.
  func begin(_ name: String) -> Int {
    defer { begun += 1 }
    report?.starting(name)
    return begun
  }

  /// - Parameter isSelfContained: whether the problem names the item.
  func end(_ name: String, at position: Int, _ problem: Problem?, isSelfContained: Bool = true) {
    let problem = problem?.completed(with: session.suggestions)
    failures.expect(1)
    if let problem { failures.add(problem, of: name, at: position, isSelfContained: isSelfContained) }
    report?.ended(name, problem)
    summary?.summary.add(name, problem)
  }

  /// Reports a line of the file that names no user.
  func fail(line: Int, _ reason: String) {
    let name = "line \(line)"
    end(name, at: begin(name), UserSource.problem(reason), isSelfContained: false)
  }

  /// - Parameter isComplete: whether every user was reached.
  func end(isComplete: Bool) throws {
    if WorkflowCommands.areRead(in: session.world), failures.isOfMany {
      for (name, problem) in failures.named.prefix(BatchFailures.annotations) {
        session.console.writeError(problem.annotation(of: name))
      }
    }
    if let summary { session.write(summary.summary, to: summary.path) }
    try report?.end(without: [], isComplete: isComplete)
  }
}
