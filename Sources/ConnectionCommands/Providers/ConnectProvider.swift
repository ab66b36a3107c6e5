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

  var canList: Bool { true }

  func list(_ request: ListRequest) throws -> any ConnectionList {
    try TrackedList(
      statuses: request.statuses, credentials: request.credentials, isRefresh: request.isRefresh,
      maxAge: request.maxAge, in: session)
  }

  func select(
    _ selection: ConnectionSelection, _ credentials: CredentialOptions
  ) throws -> BatchSelection<QualifiedConnectionID> {
    try selection.resolve(credentials, in: session).qualified
  }

  func show(_ ids: [QualifiedConnectionID], _ request: ShowRequest) throws -> any ConnectionFetch {
    let credential = try session.credentials.locate(request.credentials)
    return ConnectFetch(
      ids: ids.compactMap(\.connectID), request: request, credential: credential, identity: try credential.identity,
      session: session)
  }

  func activate(_ id: QualifiedConnectionID, _ options: ActivationOptions) throws -> Output {
    try session.activate(connectID(id), options)
  }

  func configure(_ id: QualifiedConnectionID, _ options: ConfigureOptions) throws -> Output {
    try session.configure(connectID(id), options)
  }

  private func connectID(_ id: QualifiedConnectionID) throws -> ConnectionID {
    guard let connectID = id.connectID else {
      throw Problem(.usage, "'\(id)' is not a connection of IFTTT", hint: "Pass its id alone, as IFTTT shows it.")
    }
    return connectID
  }
}

/// IFTTT's part of `connections show`. With `--offline`, the connections come from the cache.
struct ConnectFetch: ConnectionFetch {
  let ids: [ConnectionID]
  let request: ShowRequest
  let credential: LocatedCredential
  let identity: RequestIdentity
  let session: Session

  private struct Fetched {
    let row: [UInt8]
    let raw: [UInt8]
  }

  var requests: [Request] {
    get throws {
      if try session.network.isOffline { return [] }
      let client = try session.network.connect(credential)
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
    try session.network.read(credential)
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
    let client = try session.network.connect(credential)
    try client.http.send(ids, to: { client.show($0) }, starting: starting, meanwhile: meanwhile) { id, result in
      switch result {
      case .success(let fetched): try each(id, .success(try store(fetched, for: id)))
      case .failure(let failure): try each(id, .failure(Problem(failure, subject: "connection '\(id)'")))
      }
    }
  }

  private func store(_ fetched: FetchedConnection, for id: ConnectionID) throws -> Fetched {
    let (store, profile) = (try session.store, try session.profile.name)
    let cached = try session.storage.pendingConnections.cacheRow(of: fetched)
    if request.tracks, try !store.track([id.description], profile: profile).isEmpty {
      session.console.diagnose("tracking '\(id)' from now on")
    }
    try store.cache([cached], as: identity, profile: profile)
    let isTracked = try request.tracks || store.isTracked(id.description, profile: profile)
    if !isTracked { request.offer.add(id) }
    let row = ConnectionRow.complete(cached.document, tracked: isTracked, stale: false, fetchedAt: cached.fetchedAt)
    return Fetched(row: row, raw: fetched.raw)
  }

  private func fetchedFromCache(_ id: ConnectionID) throws -> Result<Fetched, Problem> {
    guard let cached = try session.store.cached(id.description, profile: session.profile.name) else {
      return .failure(
        Problem(
          .notFound, "connection '\(id)' was never fetched", hint: "Run the command without --offline."))
    }
    // Only tracked connections are cached.
    let row = ConnectionRow.complete(cached.document, tracked: true, stale: true, fetchedAt: cached.fetchedAt)
    return .success(Fetched(row: row, raw: cached.raw))
  }
}

extension TrackedList: ConnectionList {
  func fetch(in loop: FetchLoop, completion: @escaping () throws -> Void) throws {
    if isDue { try readCredential() }
    loop.add { meanwhile in
      try self.fetch(meanwhile: meanwhile)
      try completion()
    }
  }
}
