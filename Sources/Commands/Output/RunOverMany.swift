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
    let failures = Failures(of: ids.count)
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
        try row(of: id, result, failures)?.withUnsafeBytes(body)
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
        found[id] = row(of: id, result, failures)
        progress.advance()
      }
    }
    progress.end()
    for id in ids { try found[id]?.withUnsafeBytes(body) }
    try end.get()
  }

  private func row(of id: ID, _ result: Result, _ failures: Failures) -> [UInt8]? {
    switch result {
    case .done(let row): return row
    case .failed(let problem, let row):
      failures.add(problem, of: id)
      return row
    }
  }
}
