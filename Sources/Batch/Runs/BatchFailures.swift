package import CommandContext

/// What failed of several things, and the one problem that stands for all.
///
/// However many fail, only the first of them are kept, and of each code the first.
package final class BatchFailures {
  private let total: Int
  private var kept: [(name: String, problem: Problem)] = []
  private var firstByCode: [Problem] = []
  private(set) var count = 0
  /// Of these, how many were not even sent.
  private(set) var skipped = 0

  /// How many are named.
  package static let limit = 100

  /// - Parameter total: of the things, those that succeed too.
  package init(of total: Int) { self.total = total }

  package var isEmpty: Bool { count == 0 }
  var isOfMany: Bool { total > 1 }
  /// Of each code the first, in the order in which they came.
  package var problems: [Problem] { firstByCode }
  /// The first that failed, with their names.
  package var named: [(name: String, problem: Problem)] { kept }

  package func add(_ problem: Problem, of thing: some CustomStringConvertible) {
    count += 1
    if problem.isSkip { skipped += 1 }
    if kept.count < Self.limit { kept.append((thing.description, problem)) }
    if !firstByCode.contains(where: { $0.code == problem.code }) { firstByCode.append(problem) }
  }

  /// Where everything failed in one way, that is what happened; otherwise part of the run failed. One thing is no run.
  package func judge() throws {
    guard let first = firstByCode.first else { return }
    if total == 1 { throw first }
    guard count == total, firstByCode.count == 1 else {
      throw Problem(.partial, words, hint: first.hint, details: details)
    }
    var problem = Problem(first.code, words, hint: first.hint, status: first.status, details: details)
    if skipped > 0 { problem.reason = first.summary }
    throw problem
  }

  private var words: String {
    if skipped > 0 { return "\(count - skipped) of \(total) failed, \(skipped) were skipped" }
    return count == total ? "all \(total) failed" : "\(count) of \(total) failed"
  }

  package var details: [Problem.Detail] {
    let named = kept.map { Problem.Detail(parameter: $0.name, message: $0.problem.summary) }
    return count > kept.count ? named + [Problem.Detail(parameter: nil, message: more)] : named
  }

  private var more: String { "and \(count - kept.count) more" }

  /// `'a1B2c3D4' and 3 more`.
  package var names: String {
    let first = kept.first.map { "'\($0.name)'" } ?? "nothing"
    return count > 1 ? "\(first) and \(count - 1) more" : first
  }
}

extension Output {
  /// The same output with a verdict that reports these failures first.
  package func judging(_ failures: BatchFailures) -> Output {
    var output = self
    output.verdict = {
      try failures.judge()
      try verdict()
    }
    return output
  }
}
