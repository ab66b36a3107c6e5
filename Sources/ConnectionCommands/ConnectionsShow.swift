import API
import Arguments
import Batch
import CommandContext
import Connect
import Display
import HTTP
import Hints
import JSON
import PluginHost
import Store
import World

enum ConnectionsShow: Command {
  struct Options: Sendable {
    var selection = ConnectionSelection()
    var report: ReportFile?
    var credentials = CredentialOptions()
    var tracks = true
    var printsRaw = false
    var provider: ProviderName?
  }

  static let name = "show"
  static let summary = "Show connections in full, and track them"
  static var discussion: [String] {
    [
      """
      Fetches each connection and shows its services and features. With a user's credentials, it also shows that \
      user's status and configuration. The connection is tracked from then on, unless --no-track is given.
      """,
      """
      With --json, one id prints an object, and several ids print an array. Every other command that accepts several \
      ids prints an array even for one id.
      """,
      ConnectionSelection.naming,
    ]
  }
  static var flags: [Flag<Options>] {
    .lifted(ConnectionSelection.flags, into: \.selection) + [
      .toggle("track", negatable: true, into: \.tracks, defaultText: "on", help: "Track the shown connections"),
      .toggle("raw", into: \.printsRaw, help: "Print IFTTT's own JSON, byte for byte"),
      ReportFile.flag(into: \.report),
      .value("provider", .providerName, into: \.provider, help: "Provider of the ids, as in NAME:ID"),
    ] + .lifted(CredentialOptions.flags, into: \.credentials)
  }
  static var positionals: [Positional<Options>] {
    [.many(.connectionID, into: \.selection.ids, help: "The connections to show")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("connections show Kd7Rn2Qx", "one connection, as a card"),
      ExampleSchema("connections show Kd7Rn2Qx --json --fields id,status", "two of its fields, for jq"),
      ExampleSchema("connections show --all -o jsonl", "all tracked connections, one per line"),
    ]
  }
  static var shape: OutputSchema? { .connections.singleForOne }
  static func defaults() -> Options { Options() }

  static func check(_ options: Options) throws(Conflict) {
    try options.selection.check()
    if options.printsRaw, options.selection.ids.count != 1 {
      throw Conflict("--raw accepts exactly one id", options: ["raw"])
    }
    if options.printsRaw, options.report != nil {
      throw Conflict("--report cannot be combined with --raw", options: ["report"])
    }
  }

  static func resolve(_ options: inout Options, in session: Session) throws {
    if options.provider == nil { try session.resolve(&options.selection.ids, as: options.credentials) }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    try session.trackSandboxOnce()
    var options = options
    if let ids = try QualifiedConnectionIDs(resolving: &options.selection, options.provider, in: session) {
      return try shown(ids, options, in: session)
    }
    let report = try session.openReport(options.report)
    let selection = try options.selection.resolve(options.credentials, in: session)
    var run = BatchRun(selection.ids, in: session)
    (run.faults, run.report) = (selection.faults, report)
    if session.options.isDryRun { return session.dryRun(try requests(for: run.ids, options, session)) }
    let source = try ConnectionSource(options: options, session: session)
    if options.printsRaw, let id = run.ids.first { return Output(body: .bytes(try source.one(id).raw)) }
    return run.output(as: selection.isSingle ? .connection : .connections) { told in
      try source.many(run.ids, starting: told.starting) { id, result in
        switch result {
        case .success(let shown): try told(id, .done(shown.row))
        case .failure(let problem): try told(id, .failed(problem))
        }
      }
    }
  }

  /// Shows connections of which at least one is a provider's.
  private static func shown(_ ids: QualifiedConnectionIDs, _ options: Options, in session: Session) throws -> Output {
    if options.printsRaw {
      throw Problem(
        .usage, "--raw does not apply to connections of a provider", reason: "it prints IFTTT's own JSON",
        hint: "Run the command without --raw.")
    }
    if session.options.isDryRun { return session.dryRun([]) }
    let report = try session.openReport(options.report)
    var run = BatchRun(ids.all, in: session)
    run.report = report
    let ours = run.ids.filter { $0.provider == nil }.compactMap { ConnectionID(parsing: $0.id) }
    let source = ours.isEmpty ? nil : try ConnectionSource(options: options, session: session)
    if source != nil { try session.readCredentials(options.credentials) }
    return run.output(as: run.ids.count == 1 && !ids.isChosen ? .connection : .connections) { told in
      func tell(_ id: QualifiedConnectionID, _ result: Result<[UInt8], Problem>) throws {
        switch result {
        case .success(let row): try told(id, .done(row))
        case .failure(let problem): try told(id, .failed(problem))
        }
      }
      func ownID(_ id: ConnectionID) -> QualifiedConnectionID {
        QualifiedConnectionID(id.description, provider: .connect)
      }
      try ProviderConnections(in: session).show(
        run.ids, starting: told.starting,
        alongside: { meanwhile in
          try source?.many(ours, starting: { told.starting(ownID($0)) }, meanwhile: meanwhile) { id, result in
            try tell(ownID(id), result.map(\.row))
          }
        }, each: tell)
    }
  }

  private static func requests(
    for ids: [ConnectionID], _ options: Options, _ session: Session
  ) throws -> [Request] {
    if try session.isCutOff { return [] }
    return ids.map(try session.connect(options.credentials).showRequest)
  }
}

/// The source of the shown connections: IFTTT, or the cache with `--offline`.
private struct ConnectionSource {
  let options: ConnectionsShow.Options
  let session: Session
  let profile: String
  let store: Store
  let asker: RequestIdentity

  struct Shown {
    let row: [UInt8]
    let raw: [UInt8]
  }

  init(options: ConnectionsShow.Options, session: Session) throws {
    self.options = options
    self.session = session
    profile = try session.profile.name
    store = try session.store
    asker = try session.asker(options.credentials)
  }

  func one(_ id: ConnectionID) throws -> Shown {
    var found: Result<Shown, Problem>?
    try many([id]) { found = $1 }
    guard let found else { throw Problem.interrupted }
    return try found.get()
  }

  /// - Parameter meanwhile: other work to do while requests are in flight, as in `HTTPClient.send`.
  func many(
    _ ids: [ConnectionID], starting: (ConnectionID) -> Void = { _ in }, meanwhile: () throws -> Duration? = { nil },
    each: (ConnectionID, Result<Shown, Problem>) throws -> Void
  ) throws {
    if try session.isCutOff {
      for id in ids { try each(id, try remembered(id)) }
      return
    }
    try session.connect(options.credentials).show(ids, starting: starting, meanwhile: meanwhile) { id, result in
      switch result {
      case .success(let answer): try each(id, .success(try keep(answer, for: id)))
      case .failure(let failure):
        try each(id, .failure(Problem(failure, subject: "connection '\(id)'")))
      }
    }
  }

  private func keep(_ answer: FetchedConnection, for id: ConnectionID) throws -> Shown {
    let cached = try session.cached(answer)
    if options.tracks, try !store.track([id.description], profile: profile).isEmpty {
      session.diagnose("tracking '\(id)' from now on")
    }
    try store.cache([cached], as: asker, profile: profile)
    let isTracked = try options.tracks || store.isTracked(id.description, profile: profile)
    let row = ConnectionRow.complete(cached.document, tracked: isTracked, stale: false, fetchedAt: cached.fetchedAt)
    return Shown(row: row, raw: answer.raw)
  }

  private func remembered(_ id: ConnectionID) throws -> Result<Shown, Problem> {
    guard let cached = try store.cached(id.description, profile: profile) else {
      return .failure(
        Problem(
          .notFound, "connection '\(id)' was never fetched", hint: "Run the command without --offline."))
    }
    let row = ConnectionRow.complete(cached.document, tracked: true, stale: true, fetchedAt: cached.fetchedAt)
    return .success(Shown(row: row, raw: cached.raw))
  }
}
