package import IFTTT
package import Store
import World

/// Stores the results of a round of polls: in the cache if the connection is tracked, and as the row to print.
package struct PollResultStore {
  private let session: Session
  private let store: Store
  private let profile: String
  private let identity: RequestIdentity

  package init(_ credentials: CredentialOptions, in session: Session) throws {
    self.session = session
    store = try session.store
    profile = try session.profile.name
    identity = try session.credentials.identity(credentials)
  }

  package func keep(_ connections: [CachedConnection]) throws {
    try store.cache(connections, as: identity, profile: profile)
  }

  /// The row as printed by `connections show`; also cached.
  package func row(_ cached: CachedConnection) throws -> [UInt8] {
    try keep([cached])
    let isTracked = try store.isTracked(cached.id, profile: profile)
    return ConnectionRow.complete(cached.document, tracked: isTracked, stale: false, fetchedAt: cached.fetchedAt)
  }

  /// The connections that the profile currently tracks.
  package var tracked: [ConnectionID] {
    get throws {
      let ids = try store.tracked(fetchedBefore: Timestamp(milliseconds: .max), profile: profile)
      return ids.compactMap(ConnectionID.init(parsing:))
    }
  }
}
