import API
import ActivationCommands
import Batch
import CommandContext
import Connect
import DesiredState
import HTTP
import Hints
import Store
import Time
import World

/// The present state of connections, from the cache if it is fresh, otherwise fetched from IFTTT.
struct PresentState {
  let session: Session
  let client: ConnectClient
  let credentials: CredentialOptions
  private let identity: RequestIdentity
  private let store: Store
  private let profile: String
  private let trustsCache: Bool

  /// - Parameters:
  ///   - purpose: the command that needs it, such as `'connections diff'`.
  ///   - trustsCache: whether a connection that was fetched within `--max-age` is not fetched again.
  init(_ given: CredentialOptions, for purpose: String, trustsCache: Bool = true, in session: Session) throws {
    try session.storage.trackSandboxOnce()
    self.trustsCache = trustsCache
    credentials = try session.credentials.configuring(given, for: purpose)
    self.session = session
    client = try session.network.connect(credentials)
    identity = try session.credentials.identity(credentials)
    store = try session.store
    profile = try session.profile.name
  }

  struct Found {
    var connections: [ConnectionID: Connection] = [:]
    var problems: [ConnectionID: Problem] = [:]
  }

  /// The requests that fetching these connections would send.
  func requests(_ ids: [ConnectionID]) throws -> [Request] {
    let kept = try kept(ids)
    return ids.filter { kept[$0] == nil }.map(client.showRequest)
  }

  func connections(_ ids: [ConnectionID]) throws -> Found {
    var found = Found(connections: try kept(ids))
    let missing = ids.filter { found.connections[$0] == nil }
    guard !missing.isEmpty else { return found }
    if try session.network.isCutOff {
      for id in missing {
        found.problems[id] = Problem(
          .network, "connection '\(id)' was never fetched", hint: "Run the command without --offline.")
      }
      return found
    }
    var fetched: [CachedConnection] = []
    let end = Result {
      try client.show(missing) { id, result in
        switch result {
        case .success(let answer):
          found.connections[id] = answer.connection
          fetched.append(try session.cached(answer))
        case .failure(let error): found.problems[id] = Problem(error, subject: "connection '\(id)'")
        }
      }
    }
    if !session.options.isDryRun {
      try store.cache(fetched, as: identity, profile: profile)
      try store.cacheBesideList(fetched, as: identity, profile: profile)
    }
    try end.get()
    return found
  }

  /// Puts a connection into the cache that was fetched after a change.
  func keep(_ answer: FetchedConnection) throws {
    try store.cache([session.cached(answer)], as: identity, afterChange: true, profile: profile)
  }

  /// The targets that cached connections already have.
  func met(_ targets: [TargetState]) throws -> Set<ConnectionID> {
    guard let cutoff = try cutoff, try isSettled else { return [] }
    let states = try store.stateDigests(
      of: targets.map(\.id.description), fetchedSince: cutoff, profile: profile)
    return Set(
      targets.filter { target in
        guard let state = states[target.id.description], case .entry(let entry) = target else { return false }
        return StateDigest(entry)?.bytes == state
      }.map(\.id))
  }

  /// The time since which cached connections were fetched that need not be fetched again; nil if all must be.
  private var cutoff: Timestamp? {
    get throws {
      guard try !session.network.isCutOff else { return Timestamp(milliseconds: 0) }
      // A replay has only the responses of the recorded run. With a maximum age of zero, even a connection that was
      // fetched in this millisecond is stale.
      guard trustsCache, session.recording == nil, session.options.maxAge != .zero else { return nil }
      return session.world.clock.now() - session.options.maxAge
    }
  }

  /// Whether the profile's list was fetched as this identity.
  private var isSettled: Bool { get throws { try store.isSettled(on: identity, profile: profile) } }

  /// The connections that need not be fetched: those in the profile's list, and the others that were fetched.
  private func kept(_ ids: [ConnectionID]) throws -> [ConnectionID: Connection] {
    guard let cutoff = try cutoff else { return [:] }
    var kept: [ConnectionID: Connection] = [:]
    func keep(_ text: String, _ response: [UInt8]) {
      guard let id = ConnectionID(parsing: text) else { return }
      kept[id] = try? FetchedConnection(Response(status: 200, body: response), for: id).connection
    }
    if try isSettled {
      for cached in try store.cached(ids.map(\.description), profile: profile) where cached.fetchedAt >= cutoff {
        keep(cached.id, cached.raw)
      }
    }
    // A recording does not have the others.
    for id in ids where kept[id] == nil && session.recording == nil {
      let response = try store.responseBesideList(
        of: id.description, as: identity, fetchedSince: cutoff, profile: profile)
      if let response { keep(id.description, response) }
    }
    return kept
  }

  /// The options of steps, by connection.
  func options(
    _ wanted: [(id: ConnectionID, step: ConfigurationStep)]
  ) throws -> [ConnectionID: Result<[ConfigurationStep: FieldOptions], Problem>] {
    var found: [ConnectionID: [ConfigurationStep: FieldOptions]] = [:]
    var problems: [ConnectionID: Problem] = [:]
    let isCutOff = try session.network.isCutOff
    let since = isCutOff ? Timestamp(milliseconds: 0) : session.world.clock.now() - session.options.maxAge
    var missing: [(id: ConnectionID, step: ConfigurationStep)] = []
    for (id, step) in wanted {
      let kept =
        session.recording == nil
        ? try store.cachedOptions(of: id.description, as: identity, fetchedSince: since, profile: profile) : [:]
      if let options = kept[step.key].flatMap({ FieldOptions(kept: $0.answer) }) {
        found[id, default: [:]][step] = options
      } else {
        missing.append((id, step))
      }
    }
    if isCutOff {
      for (id, step) in missing {
        problems[id] = Problem(
          .network, "the options of \(step.kind.rawValue) '\(step.typeID)' of connection '\(id)' were never fetched",
          hint: "Run the command without --offline.")
      }
    } else if !missing.isEmpty {
      var fetched: [CachedOptions] = []
      var failed: [ConnectionID: [ConfigurationStep: Problem]] = [:]
      try client.fieldOptions(missing) { id, step, result in
        switch result {
        case .success(let answer):
          found[id, default: [:]][step] = answer.options
          fetched.append(
            CachedOptions(
              connection: id.description, step: step.key, answer: answer.raw, fetchedAt: session.world.clock.now()))
        case .failure(let error):
          failed[id, default: [:]][step] = Problem(
            error, subject: "options of \(step.kind.rawValue) '\(step.typeID)'")
        }
      }
      // The problem of a connection's first step, whichever response arrived first.
      for (id, step) in missing where problems[id] == nil { problems[id] = failed[id]?[step] }
      if !session.options.isDryRun { try store.cache(fetched, as: identity, profile: profile) }
    }
    return Dictionary(
      uniqueKeysWithValues: Set(wanted.map(\.id)).map { id in
        (id, problems[id].map(Result.failure) ?? .success(found[id] ?? [:]))
      })
  }
}
