import API
import Arguments
import Connect
import Display
import HTTP
import JSON
import Store
import World

extension Shape {
  static var changes: Shape {
    let statuses = Connection.Status.allCases.map(\.rawValue)
    return Shape(
      name: "changes",
      record: RecordSchema([
        "id": .string, "status": .word(statuses), "previous_status": .word(statuses), "changed": .bool,
        "error": .optionalRecord(
          RecordSchema(["code": .string, "message": .string, "hint": .optionalString, "status": .optionalInt])),
      ]),
      columns: [
        Column("ID", "id", overflow: .keep), Column("STATUS", "status", style: .status, overflow: .keep),
        Column("PREVIOUS", "previous_status", style: .dim, overflow: .keep), Column("CHANGED", "changed"),
        Column("ERROR", "error.message"),
      ])
  }
}

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

  init(_ change: ConnectClient.Change, _ options: Options, in session: Session) throws {
    self.change = change
    self.options = options
    self.session = session
    profile = try session.profile.name
    store = try session.store
    try session.trackSandboxOnce()
  }

  private var aim: Connection.Status { change == .enable ? .enabled : .disabled }

  func run() throws -> Output {
    let client = try client()
    let many = RunOverMany(options.ids, in: session)
    if session.options.isDryRun { return try dryRun(client, many.ids) }
    return many.changes { report in
      let known = try statuses(of: many.ids, client, report)
      var due: [ConnectionID] = []
      for (id, status) in known {
        switch verdict(id, status) {
        case .refuse(let problem): try report(id, .failure(problem), status)
        case .nothingToDo: try report(id, .success(status), status)
        case .send: due.append(id)
        }
      }
      let before = Dictionary(known, uniquingKeysWith: { first, _ in first })
      try client.change(change, due) { id, result in
        try report(id, outcome(of: id, result, client), before[id] ?? .unknown)
      }
    }
  }

  /// Only a user token is known to be accepted here (reference: connect-api.md, section 7.5).
  private func client() throws -> ConnectClient {
    var credentials = options.credentials
    guard credentials.level == nil || credentials.level == .user else {
      throw session.missing(.userToken, for: "'connections \(change.rawValue)'")
    }
    credentials.level = .user
    return try session.connect(credentials)
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
    of ids: [ConnectionID], _ client: ConnectClient, _ report: RunOverMany<ConnectionID>.ChangeReport
  ) throws -> [(ConnectionID, Connection.Status)] {
    let cutoff = session.world.clock.now() - session.options.maxAge
    var known: [ConnectionID: Connection.Status] = [:]
    for id in ids {
      guard session.options.maxAge != .zero, let cached = try store.cached(id.description, profile: profile),
        cached.fetchedAt >= cutoff, let status = Connection.Status(rawValue: cached.status), status != .unknown
      else { continue }
      known[id] = status
    }
    try client.show(ids.filter { known[$0] == nil }) { id, result in
      switch result {
      case .success(let answer):
        try store.cache([answer.cached(at: session.world.clock.now())], profile: profile)
        known[id] = answer.connection.status
      case .failure(let failure):
        try report(id, .failure(Problem(failure, subject: "connection '\(id)'")), .unknown)
      }
    }
    return ids.compactMap { id in known[id].map { (id, $0) } }
  }

  /// The status after a change: as answered, else read again, since only a read tells what is true.
  private func outcome(
    of id: ConnectionID, _ result: Result<ConnectionAnswer?, APIFailure>, _ client: ConnectClient
  ) throws -> Result<Connection.Status, Problem> {
    do throws(APIFailure) {
      let answer = if let answer = try result.get() { answer } else { try client.show(id) }
      do {
        try store.cache([answer.cached(at: session.world.clock.now())], profile: profile)
      } catch {
        return .failure(Problem(error))
      }
      return .success(answer.connection.status)
    } catch {
      if case .http(.interrupted) = error { throw Problem.interrupted }
      return .failure(Problem(error, subject: "connection '\(id)'"))
    }
  }

  private func dryRun(_ client: ConnectClient, _ ids: [ConnectionID]) throws -> Output {
    var requests: [Request] = []
    for id in ids {
      let cached = try store.cached(id.description, profile: profile)
      switch verdict(id, cached.flatMap { Connection.Status(rawValue: $0.status) } ?? .unknown) {
      case .refuse(let problem): throw problem
      case .nothingToDo: session.note("Connection '\(id)' is already as asked.")
      case .send: requests.append(try client.changeRequest(change, id))
      }
    }
    return session.dryRun(requests)
  }
}

extension RunOverMany where ID == ConnectionID {
  /// An id, the status it has now or why not, and the one it had before.
  typealias ChangeReport = (ConnectionID, Swift.Result<Connection.Status, Problem>, Connection.Status) throws -> Void

  /// A run that changes: every id has a row, those that failed too.
  func changes(_ work: @escaping (ChangeReport) throws -> Void) -> Output {
    output(as: .changes) { report in
      try work { id, result, previous in
        switch result {
        case .success(let status): try report(id, .done(changeRow(id, status, previous, nil)))
        case .failure(let problem):
          try report(id, .failed(problem, row: changeRow(id, previous, previous, problem)))
        }
      }
    }
  }
}

private func changeRow(
  _ id: ConnectionID, _ status: Connection.Status, _ previous: Connection.Status, _ problem: Problem?
) -> [UInt8] {
  let row: JSONValue = [
    "id": JSONValue(id.description), "status": JSONValue(status.rawValue), "previous_status": JSONValue(previous.rawValue),
    "changed": JSONValue(status != previous), "error": problem?.brief ?? .null,
  ]
  return row.bytes
}
