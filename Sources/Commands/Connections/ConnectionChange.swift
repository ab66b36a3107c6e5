import API
import Arguments
import Connect
import HTTP
import Store
import World

/// Turns connections on again or off: what `connections enable` and `connections disable` share.
struct ConnectionChange {
  struct Options: Sendable {
    var ids: [ConnectionID] = []
    var credentials = CredentialOptions()
    var isForced = false

    static var flags: [Flag<Options>] {
      [
        .toggle("force", into: \.isForced, help: "Send the request even where nothing would change")
      ] + .lifted(CredentialOptions.flags, into: \.credentials)
    }
    static func positionals(_ help: String) -> [Positional<Options>] {
      [.many(.connectionID, atLeast: .one, into: \.ids, help: help)]
    }
  }

  let change: ConnectClient.Change
  let options: Options
  let session: Session
  private let profile: String
  private let store: Store
  private let asker: Asker

  init(_ change: ConnectClient.Change, _ options: Options, in session: Session) throws {
    self.change = change
    self.options = options
    self.session = session
    profile = try session.profile.name
    store = try session.store
    var credentials = options.credentials
    credentials.level = .user
    asker = try session.asker(credentials)
    try session.trackSandboxOnce()
  }

  private var aim: Connection.Status { change == .enable ? .enabled : .disabled }

  typealias Report = (ConnectionChangeRow) throws -> Void

  func run() throws -> Output {
    let client = try client()
    let many = RunOverMany(options.ids, in: session)
    if session.options.isDryRun { return try dryRun(client, many) }
    return many.changes { report in
      let known = try statuses(of: many.ids, client, report)
      var due: [ConnectionID] = []
      for (id, status) in known {
        switch verdict(id, status) {
        case .refuse(let problem): try report(.init(id: id, status: status, previous: status, problem: problem))
        case .nothingToDo: try report(.init(id: id, status: status, previous: status))
        case .send: due.append(id)
        }
      }
      try send(due, before: Dictionary(known, uniquingKeysWith: { first, _ in first }), client, report)
    }
  }

  /// Only a user token is known to be accepted here (reference: connect-api.md, section 7.5).
  private func client() throws -> ConnectClient {
    let given = options.credentials
    let purpose = "'connections \(change.rawValue)'"
    guard given.level == nil || given.level == .user else { throw session.missing(.userToken, for: purpose) }
    let kept = try session.userToken(file: given.userTokenFile, userID: given.userID)
    return try session.connect(given, as: .user(kept ?? session.ask(.userToken, for: purpose)))
  }

  private enum Verdict { case send, nothingToDo, refuse(Problem) }

  private func verdict(_ id: ConnectionID, _ status: Connection.Status) -> Verdict {
    switch (change, status) {
    case (.enable, .neverEnabled):
      .refuse(
        Problem(
          .neverEnabled, "connection '\(id)' was never enabled",
          reason: "the first time a user switches a connection on in a browser; no API call can do it",
          hint: "Run 'ifttt connections activate \(id)'."))
    case (_, aim) where !options.isForced: .nothingToDo
    case (.disable, .neverEnabled) where !options.isForced: .nothingToDo
    default: .send
    }
  }

  /// The status of each: from the cache where it is fresh enough, else asked for. Those that cannot be found out are
  /// reported and left out.
  private func statuses(
    of ids: [ConnectionID], _ client: ConnectClient, _ report: Report
  ) throws -> [(ConnectionID, Connection.Status)] {
    let cutoff = session.world.clock.now() - session.options.maxAge
    var known: [ConnectionID: Connection.Status] = [:]
    let isOurs = try store.isSettled(on: asker, profile: profile)
    for id in ids {
      guard isOurs, session.options.maxAge != .zero, let cached = try store.cached(id.description, profile: profile),
        cached.fetchedAt >= cutoff, let status = Connection.Status(rawValue: cached.status), status != .unknown
      else { continue }
      known[id] = status
    }
    try client.show(ids.filter { known[$0] == nil }) { id, result in
      switch result {
      case .success(let answer):
        try store.cache([answer.cached(at: session.world.clock.now())], as: asker, profile: profile)
        known[id] = answer.connection.status
      case .failure(let failure):
        let problem = Problem(failure, subject: "connection '\(id)'")
        try report(.init(id: id, status: .unknown, previous: .unknown, problem: problem))
      }
    }
    return ids.compactMap { id in known[id].map { (id, $0) } }
  }

  /// Sends the changes, and reads again what was not answered with the changed connection: only a read tells what is
  /// true then.
  private func send(
    _ due: [ConnectionID], before: [ConnectionID: Connection.Status], _ client: ConnectClient, _ report: Report
  ) throws {
    func row(_ id: ConnectionID, _ status: Connection.Status, _ problem: Problem? = nil) -> ConnectionChangeRow {
      ConnectionChangeRow(id: id, status: status, previous: before[id] ?? .unknown, problem: problem)
    }
    var unread: [ConnectionID] = []
    // Reading waits for the run to end: within it, an outcome of its own would go to the wrong run.
    let sending = Result {
      try client.change(change, due) { id, result in
        switch result {
        case .success(let answer?) where answer.connection.status != .unknown: try report(try changed(answer, row))
        case .success: unread.append(id)
        case .failure(let failure):
          try report(row(id, before[id] ?? .unknown, Problem(failure, subject: "connection '\(id)'")))
        }
      }
    }
    var rest = Set(unread)
    let reading = Result {
      try client.show(unread) { id, result in
        rest.remove(id)
        switch result {
        case .success(let answer): try report(try changed(answer, row))
        case .failure(let failure):
          var problem = Problem(failure, subject: "connection '\(id)'")
          problem.message = "IFTTT accepted the change, but what became of it is unknown: \(problem.message)"
          try report(row(id, .unknown, problem))
        }
      }
    }
    // Of what an interruption left unread it is known that it was sent.
    for id in unread where rest.contains(id) { try report(row(id, .unknown)) }
    try sending.get()
    try reading.get()
  }

  private func changed(
    _ answer: ConnectionAnswer, _ row: (ConnectionID, Connection.Status, Problem?) -> ConnectionChangeRow
  ) throws -> ConnectionChangeRow {
    let (id, status) = (answer.connection.id, answer.connection.status)
    try store.cache([answer.cached(at: session.world.clock.now())], as: asker, profile: profile)
    let hadNoEffect = change == .enable ? status == .disabled || status == .neverEnabled : status == .enabled
    guard hadNoEffect else { return row(id, status, nil) }
    let problem = Problem(
      .refused, "connection '\(id)' is \(status.rawValue) all the same",
      reason: "IFTTT accepted the request without effect",
      hint: "Try again, or open it: 'ifttt connections open \(id)'.")
    return row(id, status, problem)
  }

  private func dryRun(_ client: ConnectClient, _ many: RunOverMany<ConnectionID>) throws -> Output {
    var requests: [Request] = []
    let failures = Failures(of: many.ids.count)
    let isOurs = try store.isSettled(on: asker, profile: profile)
    for id in many.ids {
      let cached = isOurs ? try store.cached(id.description, profile: profile) : nil
      switch verdict(id, cached.flatMap { Connection.Status(rawValue: $0.status) } ?? .unknown) {
      case .refuse(let problem): failures.add(problem, of: id)
      case .nothingToDo: session.note("Connection '\(id)' is already as asked.")
      case .send: requests.append(try client.changeRequest(change, id))
      }
    }
    if many.ids.count == 1 { try failures.judge() }
    var output = session.dryRun(requests)
    let differs = output.verdict
    output.verdict = {
      try failures.judge()
      try differs()
    }
    return output
  }
}
