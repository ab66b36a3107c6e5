package import IFTTT
import JSON
package import Store
package import Text
import World

/// The profile's record of connections with pending configuration, compared with the state at IFTTT.
package final class PendingConnections {
  private let store: Store
  private let profile: String
  private let isReadOnly: Bool
  private let clock: any Clock
  private var marked: Set<String>

  package init(_ storage: StoreAccess) throws {
    store = try storage.store
    isReadOnly = storage.options.isDryRun
    profile = try storage.profile.name
    clock = storage.world.clock
    marked = try store.pending(profile: profile)
  }

  /// Reloads the record, because another process may have activated or configured a connection.
  func reload() throws { marked = try store.pending(profile: profile) }

  /// Marks a connection whose configuration screen was skipped.
  package func mark(_ id: ConnectionID) throws {
    try store.markPending(id.description, profile: profile)
    marked.insert(id.description)
  }

  /// Clears the mark of a configured connection.
  package func clear(_ id: ConnectionID) throws {
    try store.clearPending(id.description, profile: profile)
    marked.remove(id.description)
  }

  package func contains(_ id: String) -> Bool { marked.contains(id) }

  /// Whether the configuration of a connection that was just fetched is pending. Clears an outdated mark.
  package func isPending(_ connection: Connection) -> Bool {
    guard contains(connection.id.description) else { return connection.showsNothingConfigured }
    guard connection.endsPending else { return true }
    // If the mark cannot be cleared now, for example on a full disk, it is cleared next time.
    if !isReadOnly { try? clear(connection.id) }
    return false
  }

  /// A connection that was just fetched, for the cache.
  package func cacheRow(of fetched: FetchedConnection) -> CachedConnection {
    fetched.cached(at: clock.now(), isPending: isPending(fetched.connection))
  }
}

extension FetchedConnection {
  fileprivate func cached(at time: Timestamp, isPending: Bool) -> CachedConnection {
    CachedConnection(
      id: connection.id.description, name: connection.name, status: connection.status.rawValue,
      document: connection.document(pending: isPending), raw: raw, fetchedAt: time,
      state: StateDigest(connection)?.bytes)
  }
}

extension CachedConnection {
  /// Whether the connection is shown as pending. Earlier versions also marked connections without features, which are
  /// never pending.
  package var isPending: Bool {
    let shown = try? JSONValue(parsing: document + [UInt8(ascii: "}")])
    return shown?["pending"]?.bool == true && shown?["features"]?.array?.isEmpty != true
  }
}

// All messages about connections whose configuration was skipped.

extension Problem {
  /// The problem of a connection that must be configured first.
  package static func pending(_ id: ConnectionID) -> Problem {
    Problem(
      .pending, "connection '\(id)' is pending",
      reason: "its configuration was skipped, so it does not run yet",
      hint: "Configure it: \(ifttt: "configure \(id)").")
  }

  /// The problem of a change to a connection that was disabled before it was configured.
  package static func disabledWhilePending(_ id: String, _ noun: String, offersForce: Bool) -> Problem {
    Problem(
      .pending, "\(noun) was disabled before it was configured",
      reason: "its configuration was skipped, and IFTTT does not enable such a connection again",
      hint: offersForce
        ? "Activate it again without skipping: \(ifttt: activation(of: id)); --force sends the request anyway."
        : "Activate it again without skipping: \(ifttt: activation(of: id)).")
  }

  /// The command for a connection that was disabled before it was configured. It passes the option explicitly,
  /// because the profile may skip configuration by default.
  fileprivate static func activation(of id: String) -> SuggestedCommand {
    "connections activate \(id) --no-skip-config"
  }
}

extension Hint {
  /// The note after an activation that skipped the configuration.
  package static func pending(_ id: ConnectionID) -> Hint {
    "It does nothing until it is configured: \(ifttt: "configure \(id)")."
  }

  /// The note about settings in which every feature is disabled.
  package static func staysPending(_ id: ConnectionID) -> Hint {
    Hint("No feature is enabled, so connection '\(id)' stays pending.")
  }

  /// The advice for a connection that was disabled while its configuration was pending.
  package static func activatingAgain(_ id: ConnectionID) -> Hint {
    "It was never configured, so activate it again without skipping: \(ifttt: Problem.activation(of: id.description))."
  }

  /// The advice if IFTTT rejects enabling a connection: its configuration may have been skipped.
  package static func activatingWithoutSkipping(_ id: ConnectionID) -> Hint {
    "If it was disabled before it was configured, do not skip that now: "
      + "\(ifttt: Problem.activation(of: id.description))."
  }
}
