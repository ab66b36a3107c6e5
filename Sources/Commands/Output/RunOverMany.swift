import Display

/// A run over several things asked for by name: it goes on past failures, gives results in the order asked for (or, in
/// JSON Lines, as each becomes known), and ends with the exit code that what happened deserves.
struct RunOverMany<ID: Hashable & CustomStringConvertible> {
  let ids: [ID]
  let session: Session

  /// What became of one: its row, or the problem and perhaps a row that tells of it.
  enum Result {
    case done([UInt8])
    case failed(Problem, row: [UInt8]? = nil)
  }
  typealias Report = (ID, Result) throws -> Void

  init(_ ids: [ID], in session: Session) {
    // The same thing asked for twice is one thing.
    var seen: Set<ID> = []
    self.ids = ids.filter { seen.insert($0).inserted }
    self.session = session
  }

  /// - Parameter work: reports each id once. An error it throws ends the run; what was reported is printed first.
  func output(as shape: Shape, _ work: @escaping (Report) throws -> Void) -> Output {
    let failures = Failures(total: ids.count)
    let rows = Rows(isReiterable: false) { body in
      try session.options.format == .jsonl
        ? streamed(work, failures, body) : ordered(work, failures, body)
    }
    return Output(body: .rows(rows, shape), verdict: failures.judge)
  }

  private func streamed(
    _ work: (Report) throws -> Void, _ failures: Failures, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let progress = Progress(total: ids.count, session: session)
    defer { progress.end() }
    try withoutActuallyEscaping(body) { body in
      try work { id, result in
        progress.end()
        try failures.row(of: id, result)?.withUnsafeBytes(body)
        progress.advance()
      }
    }
  }

  private func ordered(
    _ work: (Report) throws -> Void, _ failures: Failures, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let progress = Progress(total: ids.count, session: session)
    var found: [ID: [UInt8]] = [:]
    let end = Swift.Result {
      try work { id, result in
        found[id] = failures.row(of: id, result)
        progress.advance()
      }
    }
    progress.end()
    for id in ids { try found[id]?.withUnsafeBytes(body) }
    try end.get()
  }

  private final class Failures {
    private let total: Int
    private var all: [(id: ID, problem: Problem)] = []

    init(total: Int) { self.total = total }

    func row(of id: ID, _ result: RunOverMany.Result) -> [UInt8]? {
      switch result {
      case .done(let row): return row
      case .failed(let problem, let row):
        all.append((id, problem))
        return row
      }
    }

    /// Where everything failed in one way, that is what happened; otherwise part of the run failed.
    func judge() throws {
      guard let first = all.first?.problem else { return }
      if total == 1 { throw first }
      let details = all.map { Problem.Detail(parameter: $0.id.description, message: $0.problem.summary) }
      guard all.count == total, all.allSatisfy({ $0.problem.code == first.code }) else {
        throw Problem(.partial, "\(all.count) of \(total) failed", hint: first.hint, details: details)
      }
      throw Problem(first.code, "all \(total) failed", hint: first.hint, status: first.status, details: details)
    }
  }
}
