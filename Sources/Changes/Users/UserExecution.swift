import HTTP
import IFTTT
import Session
import Text
import World

/// The execution of one run over users.
final class UserExecution {
  let progress: BatchProgress
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
    _ progress: BatchProgress, in session: Session
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
    let position = progress.starting(name)
    return try item.chain { [unowned self] result in
      progress.report(name, at: position, result.problem)
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

extension BatchProgress {
  /// Reports a line of the file that names no user.
  fileprivate func fail(line: Int, _ reason: String) {
    let name = "line \(line)"
    report(name, at: starting(name), UserSource.problem(reason), isSelfContained: false)
  }
}
