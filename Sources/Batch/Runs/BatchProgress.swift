import CommandContext
import World

/// Tracks the progress of a batch: its failures, the progress bar, the report file, and the CI annotations.
final class BatchProgress {
  package let failures: BatchFailures
  private let session: Session
  private let progress: BatchProgressBar
  private let report: BatchReport?
  private let annotates: Bool
  private var summary: (summary: StepSummary, path: String)?
  /// The items without a result, for the report and the summary.
  private var waiting: [String]
  private var told: Set<String> = []

  /// - Parameters:
  ///   - names: the names of the items.
  ///   - annotates: whether failures are annotated and summarized for CI. False if the batch is only a prerequisite
  ///     of another command.
  package init(of names: [String], report: BatchReport?, annotates: Bool = true, in session: Session) {
    failures = BatchFailures(of: names.count)
    progress = BatchProgressBar(total: names.count, console: session.console)
    summary = annotates && names.count > 1 ? session.stepSummary : nil
    waiting = report == nil && summary == nil ? [] : names
    (self.session, self.report, self.annotates) = (session, report, annotates)
  }

  /// Starts a part of the batch, with a title for the progress bar.
  package func begin(_ title: String, of count: Int) { progress.begin(title, of: count) }

  /// Advances the current part by one item, whose result is reported later.
  package func advance() { progress.advance() }

  /// Records that a request about this item is sent now.
  package func starting(_ name: String) { report?.starting(name) }

  /// Reports the result of one item.
  package func report(_ name: String, _ problem: Problem? = nil) {
    let problem = problem?.completed(with: session.suggestions)
    if let problem { failures.add(problem, of: name) }
    progress.advance(failed: problem != nil)
    guard !waiting.isEmpty else { return }
    told.insert(name)
    report?.ended(name, problem)
    summary?.summary.add(name, problem)
  }

  /// Makes room on the terminal for other lines.
  package func makeRoom() { progress.makeRoom() }

  /// Ends the batch, whatever its outcome.
  package func end() throws {
    progress.end()
    if annotates, WorkflowCommands.areRead(in: session.world), failures.isOfMany {
      for (name, problem) in failures.named.prefix(BatchFailures.annotations) {
        session.console.writeError(problem.annotation(of: name))
      }
    }
    let rest = waiting.filter { !told.contains($0) }
    if var summary {
      for name in rest { summary.summary.add(skipped: name) }
      session.write(summary.summary, to: summary.path)
    }
    try report?.end(without: rest)
  }
}
