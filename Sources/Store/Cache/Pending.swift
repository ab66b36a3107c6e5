import World

/// The record of pending connections: those activated with the configuration screen skipped and not configured since.
/// IFTTT does not report this state (U4).
extension Store {
  /// Records a connection as pending until ``clearPending(_:profile:)``. Repeated calls have no effect.
  package func markPending(_ id: String, profile: String) throws(StoreError) {
    let now = world.clock.now().milliseconds
    try write { database throws(StoreError) in
      try database.makeProfile(profile)
      try database.run(
        "INSERT OR IGNORE INTO pending_connection (profile, id, since) VALUES (?, ?, ?)", .text(profile), .text(id),
        .integer(now))
    }
  }

  /// Removes the record. Writes nothing if there is none.
  package func clearPending(_ id: String, profile: String) throws(StoreError) {
    guard try isPending(id, profile: profile) else { return }
    _ = try write { database throws(StoreError) in
      try database.run("DELETE FROM pending_connection WHERE profile = ? AND id = ?", .text(profile), .text(id))
    }
  }

  package func isPending(_ id: String, profile: String) throws(StoreError) -> Bool {
    try existing()?.integer(
      "SELECT 1 FROM pending_connection WHERE profile = ? AND id = ?", .text(profile), .text(id)) != nil
  }

  /// Returns all pending connections.
  package func pending(profile: String) throws(StoreError) -> Set<String> {
    guard let database = try existing() else { return [] }
    let statement = try database.prepare("SELECT id FROM pending_connection WHERE profile = ?")
    return try Set(statement.texts(.text(profile)))
  }
}
