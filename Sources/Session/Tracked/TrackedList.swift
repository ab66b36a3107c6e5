package import HTTP
package import IFTTT
package import Output
import Store
import Text
import World

/// IFTTT's part of `connections list`: the tracked connections, refreshed if they are stale.
package final class TrackedList {
  private let statuses: [Connection.Status]
  private let isRefresh: Bool
  private let maxAge: Duration
  private let session: Session
  private let store: Store
  private let profile: String
  private let credential: LocatedCredential
  private let identity: RequestIdentity
  private let start: Timestamp
  private let refresh: CacheRefresh
  /// The ids to refresh.
  private let staleIDs: [String]
  private var outcome: CacheRefresh.Outcome?
  private var summary: ConnectionSummaryRow?

  /// - Parameters:
  ///   - statuses: only connections with one of these statuses; all connections if it is empty.
  ///   - isRefresh: whether the user requested the refresh, so that it is more than a prerequisite of a list.
  package init(
    statuses: [Connection.Status], credentials: CredentialOptions, isRefresh: Bool, maxAge: Duration,
    in session: Session
  ) throws {
    (self.statuses, self.isRefresh) = (statuses, isRefresh)
    (self.maxAge, self.session) = (maxAge, session)
    profile = try session.profile.name
    store = try session.store
    try session.storage.trackSandboxOnce()
    credential = try session.credentials.locate(credentials)
    identity = try credential.identity
    let staleBefore = try session.staleBefore(identity, maxAge: maxAge)
    start = session.world.clock.now()
    refresh = CacheRefresh(session: session, credential: credential, isBatch: isRefresh)
    if try session.network.isOffline {
      staleIDs = []
      outcome = .skipped(try store.isAnyTracked(fetchedBefore: staleBefore, profile: profile))
    } else {
      staleIDs = try store.tracked(fetchedBefore: staleBefore, profile: profile)
        .filter { session.shard?.contains($0) ?? true }
    }
  }

  /// Whether anything still has to be fetched.
  package var isDue: Bool { outcome == nil && !staleIDs.isEmpty }

  /// The requests that ``fetch(meanwhile:)`` would send.
  package var requests: [Request] {
    get throws { try session.network.isOffline ? [] : refresh.requests(staleIDs + session.storage.plannedSandboxIDs) }
  }

  /// Reads the credential for the fetch; see ``Network/read(_:)``.
  package func readCredential() throws { try session.network.read(credential) }

  /// Fetches stale connections.
  /// - Parameter meanwhile: other work to do while requests are in flight, as in `HTTPClient.send`.
  package func fetch(meanwhile: () throws -> Duration? = { nil }) throws {
    if outcome == nil { outcome = try refresh.run(staleIDs, meanwhile: meanwhile) }
  }

  /// Reduces the rows to these fields, if the cache has a column for each of them.
  /// - Returns: whether the rows are reduced.
  package func select(_ fields: [FieldPath]) -> Bool {
    summary = ConnectionSummaryRow(fields)
    return summary != nil
  }

  /// Calls `body` with each row in the order of the cache: name, then id.
  package func forEach(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    let isOwnCache = try store.belongs(to: identity, profile: profile)
    let staleBefore = isOwnCache ? start - maxAge : Timestamp(milliseconds: .max)
    let statuses = Set(statuses.map(\.rawValue)).sorted()
    if var row = summary {
      return try store.forEachCachedSummary(profile: profile, statuses: statuses) { cached in
        try row.complete(cached, stale: cached.fetchedAt < staleBefore, body)
      }
    }
    var row = ConnectionRow()
    try store.forEachCached(profile: profile, statuses: statuses) { cached in
      try row.complete(
        cached.document, tracked: true, stale: cached.fetchedAt < staleBefore, fetchedAt: cached.fetchedAt, body)
    }
  }

  /// - Parameter isAlone: whether no other provider's rows are shown.
  package func evaluate(isAlone: Bool) throws {
    if isAlone, session.console.explainsEmptiness, try !store.isTrackingAny(profile: profile) {
      session.console.noteEmpty(.nothingTracked)
    }
    try outcome?.evaluate(isStrict: isRefresh || maxAge == .zero, in: session)
  }
}

/// The position of a connection in a list: by name, ignoring the case of ASCII letters, and then by id, as the store
/// sorts.
package struct RowOrder: Comparable {
  private let name: [UInt8]
  private let id: [UInt8]

  package init(name: String, id: String) {
    self.name = name.utf8.map(\.loweredASCII)
    self.id = Array(id.utf8)
  }

  package static func < (one: RowOrder, other: RowOrder) -> Bool {
    one.name == other.name
      ? one.id.lexicographicallyPrecedes(other.id) : one.name.lexicographicallyPrecedes(other.name)
  }
}
