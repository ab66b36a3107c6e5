import World

/// Tracks the results of a run: its failures, the progress bar, the report files, the job summary and the annotations
/// for CI.
///
/// Every command that has results reports them here: of connections, users, checks or differences.
package final class BatchProgress {
  package let failures: BatchFailures
  private let session: Session
  private let report: BatchReport?
  private let annotates: Bool
  private var summary: StepSummary?
  /// The items in the requested order, and their results; nil if the items become known while the batch runs.
  private var known: KnownItems?
  private var startedCount = 0

  private struct KnownItems {
    let names: [String]
    let bar: BatchProgressBar
    lazy var positions = Dictionary(zip(names, names.indices)) { first, _ in first }
    /// The results so far, for the report and the summary.
    var results: [String: Problem?] = [:]
    var keepsResults: Bool

    init(_ names: [String], keepsResults: Bool, _ bar: BatchProgressBar) {
      (self.names, self.keepsResults, self.bar) = (names, keepsResults, bar)
    }
  }

  /// - Parameters:
  ///   - names: the names of the items.
  ///   - annotates: whether failures are reported, annotated and summarized for CI. False if the batch is only a
  ///     prerequisite of another command.
  package init(of names: [String], annotates: Bool = true, in session: Session) {
    failures = BatchFailures(of: names.count)
    let report = annotates ? session.report : nil
    summary = annotates ? StepSummary(of: session) : nil
    known = KnownItems(
      names, keepsResults: report != nil || summary != nil,
      BatchProgressBar(total: names.count, console: session.console))
    (self.session, self.report, self.annotates) = (session, report, annotates)
  }

  /// Creates the progress of a batch whose items become known while it runs.
  /// - Parameter isFinal: whether to write the report and the summary; false for the preview of a run.
  package init(isFinal: Bool, in session: Session) {
    failures = BatchFailures(of: 0)
    summary = isFinal ? StepSummary(of: session) : nil
    (self.session, report, annotates) = (session, isFinal ? session.report : nil, true)
  }

  /// Starts a part of the batch, with a title for the progress bar.
  package func begin(_ title: String, of count: Int) { known?.bar.begin(title, of: count) }

  /// Advances the current part by one item, whose result is reported later.
  func advance() { known?.bar.advance() }

  /// Records that a request about this item is sent now.
  /// - Returns: the item's position in order of start, for ``report(_:at:_:isSelfContained:)`` of an item that was not
  ///   known in advance.
  @discardableResult
  package func starting(_ name: String) -> Int {
    defer { startedCount += 1 }
    report?.starting(name)
    return startedCount
  }

  /// Reports the result of one item.
  /// - Parameters:
  ///   - position: the result of ``starting(_:)``; nil for an item that was known in advance.
  ///   - isSelfContained: whether the problem names the item.
  ///   - isFailure: whether the problem makes the run fail. Otherwise, it is only counted and shown as failed.
  ///   - time: nil for the time since ``starting(_:)``.
  ///   - found: what the result says about lines of the file that the run is about.
  package func report(
    _ name: String, at position: Int? = nil, _ problem: Problem? = nil, isSelfContained: Bool = true,
    isFailure: Bool = true, after time: Duration? = nil, found: [ReportFinding] = []
  ) {
    let problem = problem?.completed(with: session.suggestions)
    if known == nil { failures.expect(1) }
    if let problem, isFailure {
      failures.add(problem, of: name, at: position ?? known?.positions[name], isSelfContained: isSelfContained)
    }
    known?.bar.advance(failed: problem != nil)
    if known == nil { summary?.add(session.world.redacted(name), problem?.redacted(in: session.world)) }
    if known?.keepsResults == true { known?.results.updateValue(problem, forKey: name) }
    report?.ended(name, problem, after: time, found: found)
  }

  /// Makes room on the terminal for other lines.
  package func makeRoom() { known?.bar.makeRoom() }

  /// Ends the batch, whether it succeeded or failed.
  /// - Parameter isComplete: false if the batch ended before all of its items became known.
  package func end(isComplete: Bool = true) throws {
    known?.bar.end()
    let end = isComplete ? nil : Problem(.interrupted, "the run did not finish")
    if annotates, WorkflowCommands.areRead(in: session.world), failures.isOfMany {
      for (name, problem) in failures.named.prefix(BatchFailures.annotationLimit) {
        session.console.writeError(problem.annotation(of: name, in: session.world))
      }
    }
    if var summary {
      for name in known?.names ?? [] {
        let shown = session.world.redacted(name)
        if let result = known?.results[name] {
          summary.add(shown, result?.redacted(in: session.world))
        } else {
          summary.add(skipped: shown)
        }
      }
      if let end { summary.addEnd(end) }
      summary.write(in: session)
    }
    try report?.end(without: (known?.names ?? []).filter { known?.results[$0] == nil }, with: end)
  }
}

/// The failures of a batch, and the one problem that represents them.
///
/// Only the first failures, and the first failure of each code, are stored, to bound memory. Failures are sorted in the
/// requested order of their items, so the report does not depend on the order of the responses. Skipped items come
/// after the failures that caused the skips.
package final class BatchFailures {
  fileprivate struct Failure {
    let position: Int
    let name: String
    let problem: Problem
    let isSelfContained: Bool

    /// The problem as it is shown without the other failures.
    var alone: Problem {
      var problem = problem
      if !isSelfContained { problem.message = "\(name): \(problem.message)" }
      return problem
    }

    func precedes(_ other: Failure) -> Bool {
      problem.isSkip == other.problem.isSkip ? position < other.position : other.problem.isSkip
    }
  }

  private var total: Int
  /// Sorted.
  private var listed: [Failure] = []
  /// The first failure of each code, sorted.
  private var firstByCode: [Failure] = []
  private(set) var count = 0
  /// The number of failures for which no request was sent.
  private(set) var skipped = 0

  /// The maximum number of failures that are listed by name.
  package static let limit = 100
  /// The maximum number of annotations. GitHub shows ten errors per step, and the last one is reserved for the run
  /// itself.
  package static let annotationLimit = 9

  /// - Parameter total: the number of items that are known so far, including those that succeed.
  package init(of total: Int) { self.total = total }

  /// Increases the number of items of a batch whose size becomes known only while it runs.
  package func expect(_ more: Int) { total += more }

  /// Runs `work` for an item, and adds its failure.
  /// - Returns: the problem; nil if the item succeeded.
  /// - Throws: `interrupted`, which ends the batch.
  package func attempt(_ name: String, _ work: () throws -> Void) throws(Problem) -> Problem? {
    do {
      try work()
      return nil
    } catch {
      let problem = Problem.from(error)
      guard problem.code != .interrupted else { throw problem }
      add(problem, of: name)
      return problem
    }
  }

  package var isEmpty: Bool { count == 0 }
  package var isOfMany: Bool { total > 1 }
  /// The first problem of each code.
  package var problems: [Problem] { firstByCode.map(\.problem) }
  /// The first failures, with the names of their items.
  package var named: [(name: String, problem: Problem)] { listed.map { ($0.name, $0.problem) } }

  /// - Parameters:
  ///   - position: the item's position among those requested; nil if failures are added in that order.
  ///   - isSelfContained: whether the problem names the item. If not, the name is added when the problem is shown
  ///     alone.
  package func add(
    _ problem: Problem, of item: some CustomStringConvertible, at position: Int? = nil, isSelfContained: Bool = true
  ) {
    let failure = Failure(
      position: position ?? count, name: item.description, problem: problem, isSelfContained: isSelfContained)
    count += 1
    if problem.isSkip { skipped += 1 }
    listed.insert(failure)
    if listed.count > Self.limit { listed.removeLast() }
    if let other = firstByCode.firstIndex(where: { $0.problem.code == problem.code }) {
      guard failure.precedes(firstByCode[other]) else { return }
      firstByCode.remove(at: other)
    }
    firstByCode.insert(failure)
  }

  /// Throws one problem for all failures. If every item failed with the same code, it has that code; otherwise its code
  /// is `partial`. The failure of a single item is thrown as it is.
  package func evaluate() throws {
    guard let failure = firstByCode.first else { return }
    if total == 1 { throw failure.alone }
    let first = failure.problem
    guard count == total, firstByCode.count == 1 else {
      throw Problem(.partial, summary, hint: first.hint, details: details)
    }
    var problem = Problem(first.code, summary, hint: first.hint, status: first.status, details: details)
    if skipped > 0 { problem.reason = first.summary }
    throw problem
  }

  private var summary: String {
    if skipped > 0 { return "\(count - skipped) of \(total) failed, \(skipped) were skipped" }
    return count == total ? "all \(total) failed" : "\(count) of \(total) failed"
  }

  package var details: [Problem.Detail] {
    let named = listed.map { Problem.Detail(parameter: $0.name, message: $0.problem.summary) }
    guard count > listed.count else { return named }
    return named + [Problem.Detail(parameter: nil, message: "and \(count - listed.count) more")]
  }

  /// `'a1B2c3D4' and 3 more`.
  package var names: String {
    let first = listed.first.map { "'\($0.name)'" } ?? "nothing"
    return count > 1 ? "\(first) and \(count - 1) more" : first
  }
}

extension [BatchFailures.Failure] {
  /// Inserts a failure in sorted order, after failures at the same position.
  fileprivate mutating func insert(_ failure: BatchFailures.Failure) {
    let end = lastIndex { !failure.precedes($0) }
    insert(failure, at: end.map { $0 + 1 } ?? 0)
  }
}

extension Output {
  /// The same output with a verdict that reports these failures first.
  package func reporting(_ failures: BatchFailures) -> Output {
    var output = self
    output.verdict = {
      try failures.evaluate()
      try verdict()
    }
    return output
  }
}

extension Session {
  /// Ends the reports of a run that had no results, such as one without items.
  package func endReport() throws {
    guard let report, !report.hasEnded else { return }
    try report.end()
  }

  /// Records the error that ended the run before any result in its reports and its job summary.
  package func endReport(with error: any Error) {
    guard let problem = error as? Problem else { return }
    // An error of the report matters less than the one that it reports.
    if let report, !report.hasEnded { try? report.end(with: problem) }
    summarize(problem)
  }
}
