import World

/// Tracks the progress of a batch: its failures, the progress bar, the report file, and the CI annotations.
final class BatchProgress {
  package let failures: BatchFailures
  private let session: Session
  private let progress: BatchProgressBar
  private let report: BatchReport?
  private let annotates: Bool
  private var summary: (summary: StepSummary, path: String)?
  /// The items, in the requested order.
  private let names: [String]
  private lazy var positions = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
  /// The results so far, for the report and the summary.
  private var results: [String: Problem?] = [:]
  private let keepsResults: Bool

  /// - Parameters:
  ///   - names: the names of the items.
  ///   - annotates: whether failures are annotated and summarized for CI. False if the batch is only a prerequisite
  ///     of another command.
  ///   - isChange: whether a single item is summarized too, as every change is.
  package init(
    of names: [String], report: BatchReport?, annotates: Bool = true, isChange: Bool = false, in session: Session
  ) {
    failures = BatchFailures(of: names.count)
    progress = BatchProgressBar(total: names.count, console: session.console)
    summary = annotates && names.count > (isChange ? 0 : 1) ? session.stepSummary : nil
    keepsResults = report != nil || summary != nil
    self.names = names
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
    if let problem { failures.add(problem, of: name, at: positions[name]) }
    progress.advance(failed: problem != nil)
    if keepsResults { results.updateValue(problem, forKey: name) }
    report?.ended(name, problem)
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
    if var summary {
      for name in names {
        if let result = results[name] { summary.summary.add(name, result) } else { summary.summary.add(skipped: name) }
      }
      session.write(summary.summary, to: summary.path)
    }
    try report?.end(without: names.filter { results[$0] == nil })
  }
}
