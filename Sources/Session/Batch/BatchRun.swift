import Output
import Text

/// A batch of named items. It continues after failures and ends with the exit code of the overall result. Results are
/// in the requested order or, in JSON Lines, in order of completion.
package struct BatchRun<ID: Hashable & CustomStringConvertible> {
  package let ids: [ID]
  package let session: Session
  /// Requested items that are unavailable; they count as failed.
  package var faults: [BatchFault] = []
  /// Whether the batch changes something, and therefore continues after the output pipe closes.
  package var isChange = false

  /// The result of one item: its row, or the problem and optionally a row that describes it.
  package enum Result {
    case done([UInt8])
    case failed(Problem, row: [UInt8]? = nil)
  }

  /// Receives the result of each item once, while the batch runs.
  package struct ResultSink {
    fileprivate let progress: BatchProgress
    fileprivate let position: (ID) -> Int?
    fileprivate let deliver: (Int, Result) throws -> Void

    package func callAsFunction(_ id: ID, _ result: Result) throws {
      if let position = position(id) { try deliver(position, result) }
    }
    /// - Parameter position: the position of the item among the ids.
    package func callAsFunction(at position: Int, _ result: Result) throws { try deliver(position, result) }
    /// Starts a part of the batch, with a title for the progress bar.
    package func begin(_ title: String, of count: Int) { progress.begin(title, of: count) }
    /// Advances the current part by one item, whose result is reported later.
    package func advance() { progress.advance() }
    /// Makes room on the terminal for a prompt.
    package func makeRoom() { progress.makeRoom() }
    /// Records that a request about this item is sent now.
    package func starting(_ id: ID) { progress.starting(id.description) }
  }

  /// - Parameter ids: the items, without repetitions.
  package init(distinct ids: [ID], in session: Session) { (self.ids, self.session) = (ids, session) }

  /// - Parameter ids: an item that is requested twice is processed once.
  package init(_ ids: [ID], in session: Session) { self.init(distinct: ids.uniqued(), in: session) }

  /// - Parameter work: reports each id once. If it throws an error, the batch ends after the reported results are
  ///   printed.
  package func output(as shape: OutputSchema, _ work: @escaping (ResultSink) throws -> Void) -> Output {
    let progress = BatchProgress(
      of: faults.map { $0.name } + ids.map { $0.description }, in: session)
    let rows = Rows(isReiterable: false) { body in
      for fault in faults { progress.report(fault.name, fault.problem) }
      try session.options.format == .jsonl ? streamed(work, progress, body) : ordered(work, progress, body)
    }
    return Output(body: .rows(rows, shape), isChange: isChange, verdict: progress.failures.evaluate)
  }

  private func streamed(
    _ work: (ResultSink) throws -> Void, _ progress: BatchProgress, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let outcome = Swift.Result {
      try Rows.storing(body) { body in
        try work(
          sink(to: progress) { position, result in
            progress.makeRoom()
            try result.row?.withUnsafeBytes(body)
            progress.report(ids[position].description, result.problem)
          })
      }
    }
    try close(progress, after: outcome)
  }

  private func ordered(
    _ work: (ResultSink) throws -> Void, _ progress: BatchProgress, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var rows = [[UInt8]](repeating: [], count: ids.count)
    let outcome = Swift.Result {
      try work(
        sink(to: progress) { position, result in
          rows[position] = result.row ?? []
          progress.report(ids[position].description, result.problem)
        })
    }
    let closing = Swift.Result { try close(progress, after: outcome) }
    for row in rows where !row.isEmpty { try row.withUnsafeBytes(body) }
    try closing.get()
  }

  private func sink(to progress: BatchProgress, deliver: @escaping (Int, Result) throws -> Void) -> ResultSink {
    // Only callers that do not know the positions need this, and it takes more memory than the rows.
    var positions: [ID: Int]?
    return ResultSink(
      progress: progress,
      position: { id in
        let known = positions ?? Dictionary(zip(ids, ids.indices)) { first, _ in first }
        positions = known
        return known[id]
      }, deliver: deliver)
  }

  /// Writes the report even if the batch failed. An error of the batch takes precedence over an error of the report.
  private func close(_ progress: BatchProgress, after outcome: Swift.Result<Void, any Error>) throws {
    let closing = Swift.Result { try progress.end() }
    try outcome.get()
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

/// A requested item that is unavailable: a line without a valid id, or a connection whose status is unknown.
package struct BatchFault {
  package var name: String
  package var problem: Problem

  package init(name: String, problem: Problem) { (self.name, self.problem) = (name, problem) }
}

/// The items that a command selects for a batch.
package struct BatchSelection<ID: Hashable & CustomStringConvertible> {
  package var ids: [ID]
  package var faults: [BatchFault] = []
  /// Whether a single item was named on the command line, which is not a batch.
  package var isSingle = false

  package init(ids: [ID], faults: [BatchFault] = [], isSingle: Bool = false) {
    (self.ids, self.faults, self.isSingle) = (ids, faults, isSingle)
  }

  /// The items of a shard. Faults have no id; they belong to the first shard, so that each counts once.
  package func limited(to shard: Shard?) -> BatchSelection {
    guard let shard else { return self }
    return BatchSelection(ids: ids.filter { shard.contains($0.description) }, faults: shard.number == 1 ? faults : [])
  }
}

/// Restores the order in which items began if their results arrive in another order.
package struct ResultOrder<Result> {
  /// The maximum number of results that are held back for one slow item.
  package static var limit: Int { 10_000 }

  private var begun = 0
  private var printed = 0
  private var held: [Int: [Result]] = [:]

  package init() {}

  /// Whether no new item may begin before the oldest one ends.
  package var isFull: Bool { held.count >= Self.limit }

  package mutating func begin() -> Int {
    defer { begun += 1 }
    return begun
  }

  /// - Parameter results: the results of the item with this number, the first of which is 0.
  /// - Returns: the results that can now be printed, in order.
  package mutating func end(_ number: Int, _ results: [Result]) -> [Result] {
    guard number == printed else {
      held[number] = results
      return []
    }
    var ready = results
    printed += 1
    while let next = held.removeValue(forKey: printed) {
      ready += next
      printed += 1
    }
    return ready
  }

  /// Removes and returns the results that are still held back, in order, after the run ended early.
  package mutating func rest() -> [Result] {
    defer { held = [:] }
    return held.inOrder.flatMap(\.value)
  }
}
