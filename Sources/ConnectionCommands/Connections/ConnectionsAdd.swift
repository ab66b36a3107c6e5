import CommandLine
import IFTTT
import Output
import Session
import Store
import Text
import World

/// A connection that the profile started or stopped tracking.
struct TrackingRow: OutputRecord {
  let id: ConnectionID
  let isTracked: Bool
  let isChanged: Bool

  static let fields: Fields = [
    Field("id", "The connection's id", column: "ID", overflow: .keep) { $0.id.description },
    Field("tracked", "Whether the connection is tracked now", column: "TRACKED") { $0.isTracked },
    Field("changed", "Whether the command changed that", column: "CHANGED") { $0.isChanged },
  ]
}

enum ConnectionsAdd: Command {
  struct Options: CommandOptions {
    var selection = ConnectionSelection()
    var credentials = CredentialOptions()
  }

  static let name = "add"
  static let summary = "Track connections"
  static var discussion: [String] {
    [
      """
      Fetches each connection and, if it exists, tracks it, so that 'connections list' shows it. Nothing changes \
      at IFTTT. With --offline, it is tracked without a request; the next 'connections list' fetches it.
      """,
      """
      An id is the last part of the URL of the connection's page. The whole URL is accepted too: \
      https://ifttt.com/applets/ID, https://ifttt.com/connections/ID or https://ifttt.com/connect/ID.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    .lifted([ConnectionSelection.input], into: \.selection)
      + .lifted(CredentialOptions.flags, into: \.credentials)
  }
  static var positionals: [Positional<Options>] {
    [.many(.ownConnectionID.completed(by: .none), into: \.selection.ids, help: "The connections to track")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("connections add Kd7Rn2Qx Fq3Lw8Zt", "track two connections"),
      ExampleSchema("connections add https://ifttt.com/applets/Kd7Rn2Qx", "track a connection by the URL of its page"),
      ExampleSchema("connections add --stdin", "read ids from stdin"),
    ]
  }
  static let reportFormats = ReportFile.Format.common
  static var shape: OutputSchema? { .many(TrackingRow.self).report }
  static func check(_ options: Options) throws(Conflict) { try options.selection.check(["stdin"]) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let profile = try session.profile.name
    let store = try session.store
    try session.storage.trackSandboxOnce()
    let selection = try options.selection.resolve(options.credentials, in: session)
    var run = BatchRun(selection.ids, in: session)
    (run.faults, run.isChange) = (selection.faults, true)
    let credential = try session.credentials.locate(options.credentials)
    if session.options.isDryRun {
      let new = try run.ids.filter { try !session.storage.isTracked($0.description) }
      let client = try session.network.connect(credential)
      return session.dryRun(
        try session.network.isOffline ? [] : run.ids.map { client.show($0).request },
        change: new.isEmpty ? nil : "Would track \(new.map(\.description).joined(separator: ", ")).")
    }
    let identity = try credential.identity
    return run.output(as: .many(TrackingRow.self)) { [run] sink in
      func track(_ ids: [ConnectionID], _ cached: [CachedConnection]) throws {
        let new = Set(try store.track(ids.map(\.description), profile: profile))
        try store.cache(cached, as: identity, profile: profile)
        for id in ids {
          let row = TrackingRow(id: id, isTracked: true, isChanged: new.contains(id.description))
          try sink(id, .done(row.bytes))
        }
      }
      if try session.network.isOffline { return try track(run.ids, []) }
      var batch: [(ConnectionID, CachedConnection)] = []
      func trackBatch() throws {
        try track(batch.map(\.0), batch.map(\.1))
        batch = []
      }
      let end = Result {
        let client = try session.network.connect(credential)
        try client.http.send(run.ids, to: { client.show($0) }, starting: sink.starting) { id, result in
          switch result {
          case .success(let fetched):
            batch.append((id, try session.storage.pendingConnections.cacheRow(of: fetched)))
            if batch.count == CacheRefresh.rowsPerTransaction { try trackBatch() }
          case .failure(let failure): try sink(id, .failed(Problem(failure, subject: "connection '\(id)'")))
          }
        }
      }
      // Connections fetched before Ctrl-C are tracked too.
      try trackBatch()
      try end.get()
    }
  }
}

enum ConnectionsRemove: Command {
  struct Options: CommandOptions {
    var selection = ConnectionSelection()
  }

  static let name = "remove"
  static let summary = "Stop tracking connections; nothing changes at IFTTT"
  static var flags: [Flag<Options>] { .lifted(ConnectionSelection.flags, into: \.selection) }
  static var positionals: [Positional<Options>] {
    [.many(.ownConnectionID, into: \.selection.ids, help: "The connections to stop tracking")]
  }
  static var examples: [ExampleSchema] { [ExampleSchema("connections remove Kd7Rn2Qx", "stop tracking a connection")] }
  static var shape: OutputSchema? { .many(TrackingRow.self).report }
  static func check(_ options: Options) throws(Conflict) { try options.selection.check() }

  static func resolve(_ options: inout Options, in session: Session) throws {
    try session.resolve(&options.selection.ids, as: nil)
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let profile = try session.profile.name
    let store = try session.store
    try session.storage.trackSandboxOnce()
    let selection = try options.selection.resolve(nil, in: session)
    var run = BatchRun(selection.ids, in: session)
    run.isChange = true
    run.faults = selection.faults
    if session.options.isDryRun {
      let tracked = try run.ids.filter { try session.storage.isTracked($0.description) }
      return session.dryRun(
        change: tracked.isEmpty
          ? nil : "Would stop tracking \(tracked.map(\.description).joined(separator: ", ")).")
    }
    if options.selection.isAll, !run.ids.isEmpty {
      let count = run.ids.count
      try session.console.confirm("Stop tracking \(count == 1 ? "the only connection" : "all \(count) connections")?")
    }
    return run.output(as: .many(TrackingRow.self)) { [run] report in
      let removed = Set(try store.untrack(run.ids.map(\.description), profile: profile))
      for id in run.ids {
        if removed.contains(id.description) {
          try report(id, .done(TrackingRow(id: id, isTracked: false, isChanged: true).bytes))
        } else {
          let problem = Problem(
            .notFound, "connection '\(id)' is not tracked",
            hint: "List the tracked connections with \(ifttt: "connections list").")
          try report(id, .failed(problem))
        }
      }
    }
  }
}
