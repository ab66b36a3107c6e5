import HTTP
import IFTTT
import Session
import Store
import World

/// The cache and the record of pending connections of the profile's own user.
final class ConnectionStateCache {
  /// The number of fetched connections that are written in one transaction.
  private static let batchSize = 64

  private let session: Session
  private let identity: RequestIdentity
  private let store: Store
  private let profile: String
  private let pending: PendingConnections
  private let isDryRun: Bool
  /// Whether only statuses are needed, for which no cached response is read.
  private let isStatusOnly: Bool
  /// Connections that were fetched before their changes and are not written yet.
  private var fetched: [CachedConnection] = []
  /// Connections that were fetched after their changes and are not written yet.
  private var changed: [CachedConnection] = []
  /// The ids of connections that may have been changed.
  private var sent: Set<String> = []

  init(_ credential: LocatedCredential, isStatusOnly: Bool, in session: Session) throws {
    self.session = session
    identity = try credential.identity
    store = try session.store
    profile = try session.profile.name
    pending = try session.storage.pendingConnections
    isDryRun = session.options.isDryRun
    // A dry run shows the settings too.
    self.isStatusOnly = isStatusOnly && !isDryRun
  }

  /// Returns a connection from the cache, if it is fresh and was fetched with these credentials.
  func cachedState(of id: ConnectionID, atAnyAge: Bool) throws -> SubjectState? {
    guard !sent.contains(id.description), let cutoff = try cutoff(atAnyAge: atAnyAge) else { return nil }
    if isStatusOnly {
      let found = try store.cachedStatus(of: id.description, as: identity, fetchedSince: cutoff, profile: profile)
      if let found, let status = UserStatus(rawValue: found.status) {
        return SubjectState(status: status, name: found.name, isPending: pending.contains(id.description))
      }
    } else if try store.belongs(to: identity, profile: profile),
      let cached = try store.cached(id.description, profile: profile), cached.fetchedAt >= cutoff
    {
      return state(id, in: cached.raw)
    }
    // A recording does not contain the responses of unlisted connections.
    guard session.recording == nil else { return nil }
    return try store.unlistedResponse(of: id.description, as: identity, fetchedSince: cutoff, profile: profile)
      .flatMap { state(id, in: $0) }
  }

  /// The connections that already have their targets according to the cache. Compares digests, so that no cached
  /// response is read.
  func connectionsMeeting(_ targets: DesiredConnections) throws -> Set<ConnectionID> {
    guard let cutoff = try cutoff(atAnyAge: session.network.isOffline),
      try store.belongs(to: identity, profile: profile)
    else { return [] }
    let states = try store.stateDigests(of: targets.ids.map(\.description), fetchedSince: cutoff, profile: profile)
    return Set(
      targets.filter { target in
        guard let state = states[target.id.description] else { return false }
        return StateDigest(target)?.bytes == state
      }.map(\.id))
  }

  private func cutoff(atAnyAge: Bool) throws -> Timestamp? {
    if atAnyAge { return Timestamp(milliseconds: 0) }
    // A replay has only the responses of the recorded run. With a maximum age of zero, even a connection that was
    // fetched in this millisecond is stale.
    guard session.recording == nil, session.options.maxAge != .zero else { return nil }
    return session.world.clock.now() - session.options.maxAge
  }

  private func state(_ id: ConnectionID, in response: [UInt8]) -> SubjectState? {
    guard let fetched = try? FetchedConnection(Response(status: 200, body: response), for: id) else { return nil }
    return SubjectState(fetched.connection, isPending: pending.isPending(fetched.connection))
  }

  /// The state of a connection that was just fetched, which is cached.
  func state(_ response: FetchedConnection) throws -> SubjectState {
    let cached = pending.cacheRow(of: response)
    if !isDryRun {
      if sent.contains(cached.id) { changed.append(cached) } else { fetched.append(cached) }
      if fetched.count + changed.count >= Self.batchSize { try write() }
    }
    return SubjectState(response.connection, isPending: pending.isPending(response.connection))
  }

  func state(of connection: Connection) -> SubjectState {
    SubjectState(connection, isPending: pending.isPending(connection))
  }

  func options(_ step: ConfigurationStep, of id: ConnectionID) throws -> FieldOptions? {
    guard session.recording == nil, let since = try cutoff(atAnyAge: session.network.isOffline) else { return nil }
    return try store.cachedOptions(of: id.description, as: identity, fetchedSince: since, profile: profile)[step.key]
      .flatMap { FieldOptions(cachedResponse: $0.response) }
  }

  func cacheOptions(_ response: [UInt8], of step: ConfigurationStep, of id: ConnectionID) throws {
    guard !isDryRun else { return }
    let options = CachedOptions(
      connection: id.description, step: step.key, response: response, fetchedAt: session.world.clock.now())
    try store.cache([options], as: identity, profile: profile)
  }

  /// Marks connections as stale in one transaction, before they change.
  func expire(_ ids: [String]) throws {
    sent.formUnion(ids)
    try write()
    try store.expire(ids, profile: profile)
  }

  func write() throws {
    let (fetched, changed) = (fetched, changed)
    (self.fetched, self.changed) = ([], [])
    if !fetched.isEmpty {
      try store.cache(fetched, as: identity, profile: profile)
      // Changing a status deletes unlisted responses again, so do not write them for statuses only.
      if !isStatusOnly { try store.cacheUnlisted(fetched, as: identity, profile: profile) }
    }
    if !changed.isEmpty { try store.cache(changed, as: identity, afterChange: true, profile: profile) }
  }
}
