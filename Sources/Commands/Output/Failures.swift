/// What failed of several things, and the one problem that stands for all.
final class Failures {
  private let total: Int
  private var all: [(name: String, problem: Problem)] = []

  /// - Parameter total: of the things, those that succeed too.
  init(of total: Int) { self.total = total }

  var isEmpty: Bool { all.isEmpty }
  var problems: [Problem] { all.map(\.problem) }

  func add(_ problem: Problem, of thing: some CustomStringConvertible) {
    all.append((thing.description, problem))
  }

  /// Where everything failed in one way, that is what happened; otherwise part of the run failed. One thing is no run.
  func judge() throws {
    guard let first = all.first?.problem else { return }
    if total == 1 { throw first }
    guard all.count == total, all.allSatisfy({ $0.problem.code == first.code }) else {
      throw Problem(.partial, "\(all.count) of \(total) failed", hint: first.hint, details: details)
    }
    throw Problem(first.code, "all \(total) failed", hint: first.hint, status: first.status, details: details)
  }

  var details: [Problem.Detail] {
    all.map { Problem.Detail(parameter: $0.name, message: $0.problem.summary) }
  }

  /// `'a1B2c3D4' and 3 more`.
  var names: String {
    let first = all.first.map { "'\($0.name)'" } ?? "nothing"
    return all.count > 1 ? "\(first) and \(all.count - 1) more" : first
  }
}
