package import HTTP
import IFTTT
import Output
package import Session
import Text
import World

/// A run over the users of a file. Each user has items, whose chains of requests run in parallel.
///
/// Users are read as they are needed, and rows are printed as they arrive or in the file's order, so memory does not
/// grow with the number of users. One user's failure does not stop the others.
package struct UserRun {
  package let session: Session
  /// Whether each user needs an access token from the file.
  package var readsTokens = false
  /// Whether the items change something, and therefore continue after the output pipe closes.
  package var isChange = false
  /// Whether the items only read, so that they also run in a dry run.
  package var isPreview = false
  /// The failures that end the run early.
  package var stop = EarlyStop.unreachable
  /// Other work that runs while requests are in flight, as in `HTTPClient.send`.
  package var meanwhile: () throws -> Duration? = { nil }
  /// Reports the results that were not reported yet. Called at the end of the run, even after an error.
  package var finish: () throws -> Void = {}
  /// Wraps the execution of the run, for example in a lock.
  package var around: (_ run: () throws -> Void) throws -> Void = { try $0() }

  private let file: String
  /// Returns the next user; nil to read the users of the file.
  private var listed: (() throws -> UserEntry?)?
  private let isOrdered: Bool

  package init(_ options: UsersOptions, in session: Session) throws {
    self.session = session
    file = options.file ?? "-"
    isOrdered = options.isOrdered
    // A masked text would otherwise be compared with the token of each stored user.
    session.credentials.masksStoredSecrets = false
  }

  /// Creates a run over users that do not come from a file.
  /// - Parameter users: returns one user after another, and nil at the end.
  package init(listing users: @escaping () throws -> UserEntry?, in session: Session) throws {
    try self.init(UsersOptions(), in: session)
    listed = users
  }

  /// The output of the run. The run begins when the rows are read.
  /// - Parameter items: the items of a user. Called when the user's first item can begin.
  package func output(as schema: OutputSchema, items: @escaping (UserEntry) throws -> [UserItem]) throws -> Output {
    let source: any UserSupply =
      if let listed { ListedUsers(listed) } else {
        try UserSource(file, readsTokens: readsTokens, in: session)
      }
    if session.options.isDryRun, !isPreview { return dryRun(source, items) }
    let execution = UserExecution(
      source, items, isOrdered: isOrdered, BatchProgress(isFinal: !isPreview, in: session), in: session)
    execution.showsNotes = !isPreview || session.options.isDryRun
    let rows = Rows(isReiterable: false) { body in
      try Rows.storing(body) { body in
        try (isPreview ? { try $0() } : around) {
          try execution.run(stop, meanwhile: meanwhile, finish: finish, printing: body)
        }
      }
    }
    var output = Output(body: .rows(rows, schema), isChange: isChange, verdict: execution.progress.failures.evaluate)
    output.isFollowed = true
    return output
  }

  /// Prints the first request of each item.
  private func dryRun(_ source: any UserSupply, _ items: @escaping (UserEntry) throws -> [UserItem]) -> Output {
    let failures = BatchFailures(of: 0)
    return session.dryRun { print in
      while true {
        switch try source.next(waits: true) {
        case .user(let user):
          for item in try items(user) {
            failures.expect(1)
            let chain = try item.chain { result in
              if let problem = result.problem { failures.add(problem, of: item.name(of: user)) }
            }
            if case .send(let request, _, _) = chain { try print(request) }
          }
        case .badLine(let line, let reason):
          failures.expect(1)
          failures.add(UserSource.problem(reason), of: "line \(line)", isSelfContained: false)
        case .none: break
        case .end: return source.noteMissingUsers(in: session)
        }
      }
    }.reporting(failures)
  }
}

/// One task for a user: a chain of requests with one result.
package struct UserItem {
  /// Its name among the user's items, such as a connection's id; nil if each user has only one item.
  package let name: String?
  /// Returns the chain, which calls `report` once before it ends. After ``HTTPError/skipped(_:)`` it reports that
  /// problem.
  package let chain: (_ report: @escaping (UserResult) throws -> Void) throws -> RequestChain

  package init(
    _ name: String? = nil, chain: @escaping (_ report: @escaping (UserResult) throws -> Void) throws -> RequestChain
  ) {
    (self.name, self.chain) = (name, chain)
  }

  /// An item that fails without a request.
  package static func failed(_ problem: Problem) -> UserItem {
    UserItem { report in
      try report(.failed(problem))
      return .end
    }
  }
}

/// The result of one item.
package struct UserResult {
  package let rows: [[UInt8]]
  package let problem: Problem?
  /// Whether the problem makes the run fail.
  package var isFailure = true
  /// What the result says about lines of the file that the run is about.
  package var findings: [ReportFinding] = []

  package static func done(_ rows: [[UInt8]]) -> UserResult { UserResult(rows: rows, problem: nil) }
  /// - Parameter rows: rows that describe the failure.
  package static func failed(_ problem: Problem, rows: [[UInt8]] = []) -> UserResult {
    UserResult(rows: rows, problem: problem)
  }
}

extension UserItem {
  /// The name in errors and reports.
  func name(of user: UserEntry) -> String { name.map { "\(user.userID) \($0)" } ?? user.userID }
}

/// A row of a run over users: the user, then the fields of the row of one user.
package struct UserRow<Row: OutputRecord & SendableMetatype>: OutputRecord {
  package let userID: String
  package let row: Row

  package init(_ row: Row, of userID: String) { (self.row, self.userID) = (row, userID) }

  package static var fields: Fields {
    [Field("user_id", "The user's id on your service", column: "USER", overflow: .keep) { $0.userID }]
      + Row.fields.map { $0.lifted { $0.row } }
  }
}

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
  /// Whether to print a note if users are repeated or missing.
  var showsNotes = true
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
    let requests = Result {
      skipped = try session.network.http.run(
        from: next, wake: source.descriptor, stopsEarly: stop, meanwhile: meanwhile)
    }
    let remainder = Result {
      try finish()
      if case .success = requests, let skipped { try skipRest(skipped) }
      for row in order?.rest() ?? [] { try row.withUnsafeBytes(print) }
    }
    let failures = [requests, remainder].compactMap { result -> (any Error)? in
      if case .failure(let error) = result { error } else { nil }
    }
    let reporting = Result { try progress.end(isComplete: failures.isEmpty) }
    if let first = failures.first { throw first }
    try reporting.get()
    guard showsNotes else { return }
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
      case .badLine(let line, let reason):
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
      progress.report(
        name, at: position, result.problem, isFailure: result.isFailure, found: result.findings)
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
      case .badLine(let line, let reason): progress.fail(line: line, reason)
      case .none: break
      case .end: return
      }
    }
  }
}

extension UserSupply {
  /// Prints a note if nothing was done although the input is not empty.
  func noteMissingUsers(in session: Session) {
    if hasTextOnly { session.console.note("The --users file has no users; nothing was done.") }
  }
}

extension BatchProgress {
  /// Reports a bad line of the file.
  fileprivate func fail(line: Int, _ reason: String) {
    let name = "line \(line)"
    report(name, at: starting(name), UserSource.problem(reason), isSelfContained: false)
  }
}
