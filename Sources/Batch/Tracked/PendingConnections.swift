import API
package import CommandContext
package import Connect
package import Hints
import JSON
package import Store
import World

/// What this profile remembers of connections that wait for their configuration, held against what IFTTT shows.
package final class PendingConnections {
  private let store: Store
  private let profile: String
  private let isReadOnly: Bool
  private var remembered: Set<String>

  package init(in session: Session) throws {
    store = try session.store
    isReadOnly = session.options.isDryRun
    profile = try session.profile.name
    remembered = try store.pending(profile: profile)
  }

  /// Another process may have activated or configured something since.
  func reload() throws { remembered = try store.pending(profile: profile) }

  /// The configuration screen of this one was skipped.
  package func mark(_ id: ConnectionID) throws {
    try store.markPending(id.description, profile: profile)
    remembered.insert(id.description)
  }

  /// It was configured.
  package func clear(_ id: ConnectionID) throws {
    try store.clearPending(id.description, profile: profile)
    remembered.remove(id.description)
  }

  package func contains(_ id: String) -> Bool { remembered.contains(id) }

  /// Whether a connection that was just read waits for its configuration; forgets what is over.
  package func isPending(_ connection: Connection) -> Bool {
    guard contains(connection.id.description) else { return connection.showsNothingConfigured }
    guard connection.endsPending else { return true }
    // What cannot be forgotten now, on a full disk for one, is forgotten next time.
    if !isReadOnly { try? clear(connection.id) }
    return false
  }
}

extension Session {
  /// A connection that was read this moment, for the cache.
  package func cached(_ answer: FetchedConnection) throws -> CachedConnection {
    answer.cached(at: world.clock.now(), pending: try pendingMemory.isPending(answer.connection))
  }
}

extension CachedConnection {
  /// Whether it is shown as pending. Rows of older versions say so of connections without features too.
  package var isPending: Bool {
    let shown = try? JSONValue(parsing: document + [UInt8(ascii: "}")])
    return shown?["pending"]?.bool == true && shown?["features"]?.array?.isEmpty != true
  }
}

extension Problem {
  /// A connection that nothing can be done with before it is configured.
  package static func pending(_ id: ConnectionID) -> Problem {
    Problem(
      .pending, "connection '\(id)' is pending",
      reason: "its configuration was skipped, so that nothing of it runs yet",
      hint: "Configure it: \(ifttt: "configure \(id)").")
  }

  /// Of what was turned off before it was configured: the profile may skip by default, so that it has to be said.
  package static func wayOut(of id: String) -> SuggestedCommand { "connections activate \(id) --no-skip-config" }

  /// IFTTT refuses to turn on again what was never configured (reference: activation.md, section 10).
  package static func pendingWhenDisabled(
    _ item: JournalItem, _ status: Connection.Status, _ memory: PendingConnections
  ) -> Problem? {
    let id = item.id
    guard item.action == ConnectClient.Change.enable.rawValue, status == .disabled, memory.contains(id) else {
      return nil
    }
    return Problem(
      .pending, "connection '\(id)' was turned off before it was configured",
      reason: "its configuration was skipped, and IFTTT does not turn such a connection on again",
      hint: "Activate it again without skipping: \(ifttt: wayOut(of: id)); --force tries it anyway.")
  }
}

extension Session {
  /// Read on first use.
  package var pendingMemory: PendingConnections { get throws { try cached { try PendingConnections(in: self) } } }
}
