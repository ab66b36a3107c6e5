import HTTP
import IFTTT
import Output
import PluginProtocol
import Plugins
import Session
import Store
import Text

/// The connections of IFTTT, through the Connect API.
struct ConnectProvider: ConnectionProvider {
  let session: Session

  init(in session: Session) { self.session = session }

  func can(_ capability: Capability) -> Bool {
    switch capability {
    case .listConnections, .showConnection, .enableConnection, .disableConnection, .activateConnection,
      .configureConnection:
      true
    case .credentialStatus, .refreshCredential, .revokeCredential, .runCommand, .complete: false
    }
  }

  func list(_ request: ListRequest) throws -> any ConnectionList {
    ConnectList(
      list: try TrackedList(
        statuses: request.statuses, credentials: request.credentials, isRefresh: request.isRefresh,
        reports: request.reports, maxAge: request.maxAge, shard: request.shard, in: session),
      credentials: request.credentials, session: session)
  }

  func select(
    _ selection: ConnectionSelection, _ credentials: CredentialOptions
  ) throws -> BatchSelection<QualifiedConnectionID> {
    try selection.resolve(credentials, in: session).qualified
  }

  func show(_ ids: [QualifiedConnectionID], _ request: ShowRequest) throws -> any ConnectionFetch {
    ConnectFetch(
      ids: ids.compactMap(\.connectID), request: request,
      identity: try session.credentials.identity(request.credentials),
      session: session)
  }

  func activate(_ id: QualifiedConnectionID, _ options: ActivationOptions) throws -> Output {
    try session.activate(connectID(id), options)
  }

  func configure(_ id: QualifiedConnectionID, _ options: ConfigureOptions) throws -> Output {
    try session.configure(connectID(id), options)
  }

  private func connectID(_ id: QualifiedConnectionID) throws -> ConnectionID {
    guard let own = id.connectID else {
      throw Problem(.usage, "'\(id)' is not a connection of IFTTT", hint: "Pass its id alone, as IFTTT shows it.")
    }
    return own
  }
}

/// IFTTT's part of `connections show`. With `--offline`, the connections come from the cache.
struct ConnectFetch: ConnectionFetch {
  let ids: [ConnectionID]
  let request: ShowRequest
  let identity: RequestIdentity
  let session: Session

  private struct Fetched {
    let row: [UInt8]
    let raw: [UInt8]
  }

  var requests: [Request] {
    get throws {
      if try session.network.isOffline { return [] }
      let client = try session.network.connect(request.credentials)
      return ids.map { client.show($0).request }
    }
  }

  func raw() throws -> [UInt8] {
    var found: Result<Fetched, Problem>?
    try fetch({ _ in }, { nil }) { found = $1 }
    guard let found else { throw Problem.interrupted }
    return try found.get().raw
  }

  func fetch(in loop: FetchLoop, _ report: BatchRun<QualifiedConnectionID>.ResultSink) throws {
    try session.network.readCredentials(request.credentials)
    loop.add { meanwhile in
      try fetch({ report.starting(QualifiedConnectionID($0)) }, meanwhile) { id, result in
        switch result {
        case .success(let fetched): try report(QualifiedConnectionID(id), .done(fetched.row))
        case .failure(let problem): try report(QualifiedConnectionID(id), .failed(problem))
        }
      }
    }
  }

  /// - Parameter meanwhile: other work to do while requests are in flight, as in `HTTPClient.send`.
  private func fetch(
    _ starting: @escaping (ConnectionID) -> Void, _ meanwhile: () throws -> Duration?,
    each: (ConnectionID, Result<Fetched, Problem>) throws -> Void
  ) throws {
    if try session.network.isOffline {
      for id in ids { try each(id, try fetchedFromCache(id)) }
      return
    }
    let client = try session.network.connect(request.credentials)
    try client.http.send(ids, to: client.show, starting: starting, meanwhile: meanwhile) { id, result in
      switch result {
      case .success(let fetched): try each(id, .success(try store(fetched, for: id)))
      case .failure(let failure): try each(id, .failure(Problem(failure, subject: "connection '\(id)'")))
      }
    }
  }

  private func store(_ fetched: FetchedConnection, for id: ConnectionID) throws -> Fetched {
    let (store, profile) = (try session.store, try session.profile.name)
    let cached = try session.cachedConnection(of: fetched)
    if request.tracks, try !store.track([id.description], profile: profile).isEmpty {
      session.console.diagnose("tracking '\(id)' from now on")
    }
    try store.cache([cached], as: identity, profile: profile)
    let isTracked = try request.tracks || store.isTracked(id.description, profile: profile)
    let row = ConnectionRow.complete(cached.document, tracked: isTracked, stale: false, fetchedAt: cached.fetchedAt)
    return Fetched(row: row, raw: fetched.raw)
  }

  private func fetchedFromCache(_ id: ConnectionID) throws -> Result<Fetched, Problem> {
    guard let cached = try session.store.cached(id.description, profile: session.profile.name) else {
      return .failure(
        Problem(
          .notFound, "connection '\(id)' was never fetched", hint: "Run the command without --offline."))
    }
    let row = ConnectionRow.complete(cached.document, tracked: true, stale: true, fetchedAt: cached.fetchedAt)
    return .success(Fetched(row: row, raw: cached.raw))
  }
}

/// IFTTT's part of `connections list`.
struct ConnectList: ConnectionList {
  let list: TrackedList
  let credentials: CredentialOptions
  let session: Session

  var isDue: Bool { list.isDue }
  var requests: [Request] { get throws { try list.requests } }

  func fetch(in loop: FetchLoop, completion: @escaping () throws -> Void) throws {
    if isDue { try session.network.readCredentials(credentials) }
    loop.add { meanwhile in
      try list.fetch(meanwhile: meanwhile)
      try completion()
    }
  }

  func select(_ fields: [FieldPath]) -> Bool { list.select(fields) }
  func forEach(_ body: (UnsafeRawBufferPointer) throws -> Void) throws { try list.forEach(body) }
  func evaluate(isAlone: Bool) throws { try list.evaluate(isAlone: isAlone) }
}
