package import CommandContext
import Display

/// A run over several things asked for by name: it goes on past failures, gives results in the order asked for (or, in
/// JSON Lines, as each becomes known), and ends with the exit code that what happened deserves.
package struct BatchRun<ID: Hashable & CustomStringConvertible> {
  package let ids: [ID]
  package let session: Session
  /// What else was asked for and cannot be had; it counts as failed.
  package var faults: [BatchSelection<ID>.Fault] = []
  package var report: BatchReport?
  /// Whether it changes something, and so continues after the output pipe closes.
  package var isChange = false

  /// What became of one: its row, or the problem and perhaps a row that tells of it.
  package enum Result {
    case done([UInt8])
    case failed(Problem, row: [UInt8]? = nil)
  }

  /// Takes what becomes of each, once, while the run goes on.
  package struct Report {
    fileprivate let account: BatchProgress
    fileprivate let deliver: (ID, Result) throws -> Void

    package func callAsFunction(_ id: ID, _ result: Result) throws { try deliver(id, result) }
    /// The part of the run that begins now, for whoever watches the bar.
    package func begin(_ title: String, of count: Int) { account.begin(title, of: count) }
    /// One more of the present part is done; what became of it is reported later.
    package func advance() { account.advance() }
    /// Makes room on the terminal for a question.
    package func makeRoom() { account.makeRoom() }
    /// A request about it goes out now.
    package func starting(_ id: ID) { account.starting(id.description) }
  }

  package init(_ ids: [ID], in session: Session) {
    // The same thing asked for twice is one thing.
    var seen: Set<ID> = []
    self.ids = ids.filter { seen.insert($0).inserted }
    self.session = session
  }

  /// - Parameter work: reports each id once. An error it throws ends the run; what was reported is printed first.
  package func output(as shape: OutputSchema, _ work: @escaping (Report) throws -> Void) -> Output {
    let account = BatchProgress(
      of: ids.map(\.description) + faults.map(\.name), report: report, in: session)
    let rows = Rows(isReiterable: false) { body in
      for fault in faults { account.tell(fault.name, fault.problem) }
      try session.options.format == .jsonl ? streamed(work, account, body) : ordered(work, account, body)
    }
    return Output(body: .rows(rows, shape), isChange: isChange, verdict: account.failures.judge)
  }

  private func streamed(
    _ work: (Report) throws -> Void, _ account: BatchProgress, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let end = Swift.Result {
      try withoutActuallyEscaping(body) { body in
        try work(
          Report(account: account) { id, result in
            account.makeRoom()
            try result.row?.withUnsafeBytes(body)
            account.tell(id.description, result.problem)
          })
      }
    }
    try close(account, after: end)
  }

  private func ordered(
    _ work: (Report) throws -> Void, _ account: BatchProgress, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var found: [ID: [UInt8]] = [:]
    let end = Swift.Result {
      try work(
        Report(account: account) { id, result in
          found[id] = result.row
          account.tell(id.description, result.problem)
        })
    }
    let closing = Swift.Result { try close(account, after: end) }
    for id in ids { try found[id]?.withUnsafeBytes(body) }
    try closing.get()
  }

  /// The report is written however the run ended; what ended the run is what counts.
  private func close(_ account: BatchProgress, after end: Swift.Result<Void, any Error>) throws {
    let closing = Swift.Result { try account.end() }
    try end.get()
    try closing.get()
  }
}

extension BatchRun.Result {
  fileprivate var row: [UInt8]? {
    switch self {
    case .done(let row): row
    case .failed(_, let row): row
    }
  }

  fileprivate var problem: Problem? { if case .failed(let problem, _) = self { problem } else { nil } }
}
