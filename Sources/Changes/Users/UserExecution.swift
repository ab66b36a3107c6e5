import HTTP
import IFTTT
import Session
import Text
import World

/// The execution of one run over users.
final class UserExecution {
  let progress: UserProgress
  private let source: any UserSupply
  private let items: (UserEntry) throws -> [UserItem]
  private let session: Session
  /// The items of the current user that have not begun.
  private var waiting: ArraySlice<(name: String, item: UserItem)> = []
  /// Nil if rows are printed as they arrive.
  private var order: ResultOrder<[UInt8]>?
  /// Whether it is noted that users are repeated or missing.
  var notes = true
  private var print: ((UnsafeRawBufferPointer) throws -> Void)?

  init(
    _ source: any UserSupply, _ items: @escaping (UserEntry) throws -> [UserItem], isOrdered: Bool,
    _ progress: UserProgress, in session: Session
  ) {
    (self.source, self.items, self.progress, self.session) = (source, items, progress, session)
    order = isOrdered ? ResultOrder() : nil
  }

  func run(
    _ stop: EarlyStop, meanwhile: () throws -> Duration?, finish: () throws -> Void,
    printing print: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    self.print = print
    defer { self.print = nil }
    var skipped: SkipReason?
    let end = Result {
      skipped = try session.network.http.run(
        from: next, wake: source.descriptor, stopsEarly: stop, meanwhile: meanwhile)
    }
    let closing = Result {
      try finish()
      if case .success = end, let skipped { try skipRest(skipped) }
      for row in order?.rest() ?? [] { try row.withUnsafeBytes(print) }
    }
    let failures = [end, closing].compactMap { result -> (any Error)? in
      if case .failure(let error) = result { error } else { nil }
    }
    let reporting = Result { try progress.end(isComplete: failures.isEmpty) }
    if let first = failures.first { throw first }
    try reporting.get()
    guard notes else { return }
    source.noteMissingUsers(in: session)
    if source.repetitions > 0 {
      session.console.note(
        "Skipped \(source.repetitions == 1 ? "1 line that repeats" : "\(source.repetitions) lines that repeat") a user."
      )
    }
  }

  private func next() throws -> Next<RequestChain> {
    if order?.isFull == true { return .blocked }
    if session.world.interruption.isInterrupted { return .none(for: .zero) }
    while true {
      if let (name, item) = waiting.popFirst() { return .next(try begin(name, item)) }
      switch try source.next(waits: false) {
      case .user(let user): add(try items(user), of: user)
      case .fault(let line, let reason):
        progress.fail(line: line, reason)
        // A file of bad lines must not delay results or Ctrl-C.
        return .none(for: .zero)
      case .none(let time): return .none(for: time)
      case .end: return .end
      }
    }
  }

  private func add(_ items: [UserItem], of user: UserEntry) {
    waiting = items.map { (name: $0.name(of: user), item: $0) }[...]
  }

  private func begin(_ name: String, _ item: UserItem) throws -> RequestChain {
    let number = order?.begin() ?? 0
    let position = progress.begin(name)
    return try item.chain { [unowned self] result in
      progress.end(name, at: position, result.problem)
      session.console.makeRoom()
      let rows = order?.end(number, result.rows) ?? result.rows
      for row in rows { try row.withUnsafeBytes { try self.print?($0) } }
    }
  }

  /// Reports each remaining item as skipped.
  private func skipRest(_ reason: SkipReason) throws {
    while true {
      while let (name, item) = waiting.popFirst() {
        if case .send(_, _, let then) = try begin(name, item) { _ = try then(.failure(.skipped(reason))) }
      }
      switch try source.next(waits: true) {
      case .user(let user): add(try items(user), of: user)
      case .fault(let line, let fault): progress.fail(line: line, fault)
      case .none: break
      case .end: return
      }
    }
  }
}

extension UserSupply {
  /// Explains that nothing was done, although the input is not empty.
  func noteMissingUsers(in session: Session) {
    if hasTextOnly { session.console.note("The file of --users has no users: nothing was done.") }
  }
}

/// Counts the results of a run over users, and writes its reports and annotations. The number of users is not known in
/// advance.
final class UserProgress {
  let failures = BatchFailures(of: 0)
  private let session: Session
  private let report: BatchReport?
  private var summary: (summary: StepSummary, path: String)?
  private var begun = 0

  /// - Parameter isFinal: whether it has a report and a summary, which the preview of a run has not.
  init(report: BatchReport?, isFinal: Bool, in session: Session) {
    (self.report, self.session) = (isFinal ? report : nil, session)
    summary = isFinal ? session.stepSummary : nil
  }

  /// Begins an item.
  /// - Returns: its position among all items, for its result.
  func begin(_ name: String) -> Int {
    defer { begun += 1 }
    report?.starting(name)
    return begun
  }

  /// - Parameter isSelfContained: whether the problem names the item.
  func end(_ name: String, at position: Int, _ problem: Problem?, isSelfContained: Bool = true) {
    let problem = problem?.completed(with: session.suggestions)
    failures.expect(1)
    if let problem { failures.add(problem, of: name, at: position, isSelfContained: isSelfContained) }
    report?.ended(name, problem)
    summary?.summary.add(name, problem)
  }

  /// Reports a line of the file that names no user.
  func fail(line: Int, _ reason: String) {
    let name = "line \(line)"
    end(name, at: begin(name), UserSource.problem(reason), isSelfContained: false)
  }

  /// - Parameter isComplete: whether every user was reached.
  func end(isComplete: Bool) throws {
    if WorkflowCommands.areRead(in: session.world), failures.isOfMany {
      for (name, problem) in failures.named.prefix(BatchFailures.annotations) {
        session.console.writeError(problem.annotation(of: name))
      }
    }
    if let summary { session.write(summary.summary, to: summary.path) }
    try report?.end(without: [], isComplete: isComplete)
  }
}
