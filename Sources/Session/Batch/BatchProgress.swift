import World

/// Tracks the progress of a batch: its failures, the progress bar, the report file, the job summary and the annotations
/// for CI.
package final class BatchProgress {
  package let failures: BatchFailures
  private let session: Session
  private let report: BatchReport?
  private let annotates: Bool
  private var summary: StepSummary?
  /// The items in the requested order, and what is known about them; nil if they become known while the batch runs.
  private var known: KnownItems?
  private var begun = 0

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
  ///   - annotates: whether failures are annotated and summarized for CI. False if the batch is only a prerequisite
  ///     of another command.
  ///   - isChange: whether a single item is summarized too, as every change is.
  init(of names: [String], report: BatchReport?, annotates: Bool = true, isChange: Bool = false, in session: Session) {
    failures = BatchFailures(of: names.count)
    summary = annotates && names.count > (isChange ? 0 : 1) ? StepSummary(of: session) : nil
    known = KnownItems(
      names, keepsResults: report != nil || summary != nil,
      BatchProgressBar(total: names.count, console: session.console))
    (self.session, self.report, self.annotates) = (session, report, annotates)
  }

  /// Creates the progress of a batch whose items become known while it runs.
  /// - Parameter isFinal: whether it has a report and a summary, which the preview of a run has not.
  package init(report: BatchReport?, isFinal: Bool, in session: Session) {
    failures = BatchFailures(of: 0)
    summary = isFinal ? StepSummary(of: session) : nil
    (self.session, self.report, annotates) = (session, isFinal ? report : nil, true)
  }

  /// Starts a part of the batch, with a title for the progress bar.
  func begin(_ title: String, of count: Int) { known?.bar.begin(title, of: count) }

  /// Advances the current part by one item, whose result is reported later.
  func advance() { known?.bar.advance() }

  /// Records that a request about this item is sent now.
  /// - Returns: its position among the items that have begun, for the result of an item that was not known.
  @discardableResult
  package func starting(_ name: String) -> Int {
    defer { begun += 1 }
    report?.starting(name)
    return begun
  }

  /// Reports the result of one item.
  /// - Parameters:
  ///   - position: nil for an item that was known, which has the position in which it was requested.
  ///   - isSelfContained: whether the problem names the item.
  package func report(
    _ name: String, at position: Int? = nil, _ problem: Problem? = nil, isSelfContained: Bool = true
  ) {
    let problem = problem?.completed(with: session.suggestions)
    if known == nil { failures.expect(1) }
    if let problem {
      failures.add(problem, of: name, at: position ?? known?.positions[name], isSelfContained: isSelfContained)
    }
    known?.bar.advance(failed: problem != nil)
    if known == nil { summary?.add(session.world.redacted(name), problem?.redacted(in: session.world)) }
    if known?.keepsResults == true { known?.results.updateValue(problem, forKey: name) }
    report?.ended(name, problem)
  }

  /// Makes room on the terminal for other lines.
  func makeRoom() { known?.bar.makeRoom() }

  /// Ends the batch, whatever its outcome.
  /// - Parameter isComplete: false if it did not reach items that are not known.
  package func end(isComplete: Bool = true) throws {
    known?.bar.end()
    if annotates, WorkflowCommands.areRead(in: session.world), failures.isOfMany {
      for (name, problem) in failures.named.prefix(BatchFailures.annotations) {
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
      summary.write(in: session)
    }
    try report?.end(without: (known?.names ?? []).filter { known?.results[$0] == nil }, isComplete: isComplete)
  }
}

/// The failures of a batch, and the one problem that represents them.
///
/// Only the first failures, and the first failure of each code, are stored, to bound memory. First are those of the
/// items that were requested first, so the report is the same whichever response arrives first. Skipped items follow the
/// failures, which are the reason why they were skipped.
package final class BatchFailures {
  fileprivate struct Failure {
    let position: Int
    let name: String
    let problem: Problem
    let isSelfContained: Bool

    /// The problem without the other failures beside it.
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
  package static let annotations = 9

  /// - Parameter total: the number of items, including successful ones, as far as it is known.
  package init(of total: Int) { self.total = total }

  /// Increases the number of items of a batch whose size becomes known only while it runs.
  package func expect(_ more: Int) { total += more }

  /// Processes an item, and adds its failure.
  /// - Returns: the problem of an item that failed.
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
  ///   - isSelfContained: whether the problem names the item. If it does not, the name is added where the problem is
  ///     shown alone.
  package func add(
    _ problem: Problem, of thing: some CustomStringConvertible, at position: Int? = nil, isSelfContained: Bool = true
  ) {
    let failure = Failure(
      position: position ?? count, name: thing.description, problem: problem, isSelfContained: isSelfContained)
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

  /// Throws the problem that represents the failures. If everything failed with the same code, the problem has that
  /// code; otherwise the batch failed partially. A single item is not a batch.
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
    return count > listed.count ? named + [Problem.Detail(parameter: nil, message: more)] : named
  }

  private var more: String { "and \(count - listed.count) more" }

  /// `'a1B2c3D4' and 3 more`.
  package var names: String {
    let first = listed.first.map { "'\($0.name)'" } ?? "nothing"
    return count > 1 ? "\(first) and \(count - 1) more" : first
  }
}

extension [BatchFailures.Failure] {
  /// Inserts a failure after those that do not follow it.
  fileprivate mutating func insert(_ failure: BatchFailures.Failure) {
    let end = lastIndex { !failure.precedes($0) }
    insert(failure, at: end.map { $0 + 1 } ?? 0)
  }
}

extension Output {
  /// The same output with a verdict that reports these failures first.
  package func judging(_ failures: BatchFailures) -> Output {
    var output = self
    output.verdict = {
      try failures.evaluate()
      try verdict()
    }
    return output
  }
}
