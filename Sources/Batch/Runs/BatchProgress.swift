import CommandContext
import World

/// Keeps account of a run over many while it goes on: what failed, the progress bar, the report file, and what a CI
/// service is told.
final class BatchProgress {
  package let failures: BatchFailures
  private let session: Session
  private let progress: BatchProgressBar
  private let report: BatchReport?
  private let annotates: Bool
  private var summary: (summary: StepSummary, path: String)?
  /// The items that have no result yet, for the report and the summary.
  private var waiting: [String]
  private var told: Set<String> = []

  /// GitHub shows ten failures of a step; the last is the run's own.
  static let annotations = 9

  /// - Parameters:
  ///   - names: of what the run is about.
  ///   - annotates: whether a failure is the run's, and not only one's who asks for more than can be had.
  package init(of names: [String], report: BatchReport?, annotates: Bool = true, in session: Session) {
    failures = BatchFailures(of: names.count)
    progress = BatchProgressBar(total: names.count, session: session)
    summary = annotates && names.count > 1 ? session.stepSummary : nil
    waiting = report == nil && summary == nil ? [] : names
    (self.session, self.report, self.annotates) = (session, report, annotates)
  }

  /// The part of the run that begins now, for whoever watches the bar.
  package func begin(_ title: String, of count: Int) { progress.begin(title, of: count) }

  /// One more of the present part is done; what became of it is told later.
  package func advance() { progress.advance() }

  /// A request about it goes out now.
  package func starting(_ name: String) { report?.starting(name) }

  /// What became of one.
  package func tell(_ name: String, _ problem: Problem? = nil) {
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

  /// The run is over, however it ended.
  package func end() throws {
    progress.end()
    if annotates, WorkflowCommands.areRead(in: session.world), failures.isOfMany {
      for (name, problem) in failures.named.prefix(Self.annotations) {
        session.writeError(problem.annotation(of: name))
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
