package import World

/// The user's choice of whether location reporting is enabled for a connection. Without a choice, no location is
/// reported.
package struct LocationChoice: Sendable, Equatable {
  package var isOn: Bool
  package var since: Timestamp
}

// Choices are stored with the tracked connections rather than in the cache, so that refreshing a connection does not
// affect them.
extension Store {
  /// Returns the choices of all connections that have one.
  package func locationChoices(profile: String) throws(StoreError) -> [String: LocationChoice] {
    guard let database = try existing() else { return [:] }
    let statement = try database.prepare("SELECT connection, is_on, since FROM location_choice WHERE profile = ?")
    try statement.bind([.text(profile)])
    var choices: [String: LocationChoice] = [:]
    while try statement.step() {
      choices[statement.text(0)] = LocationChoice(
        isOn: statement.integer(1) != 0, since: Timestamp(milliseconds: statement.integer(2)))
    }
    return choices
  }

  /// Sets the choice for a connection.
  /// - Returns: Whether the choice changed.
  package func setLocation(_ isOn: Bool, of connection: String, profile: String) throws(StoreError) -> Bool {
    let now = world.clock.now().milliseconds
    return try write { database throws(StoreError) in
      try database.makeProfile(profile)
      return try database.run(
        """
        INSERT INTO location_choice (profile, connection, is_on, since) VALUES (?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET is_on = excluded.is_on, since = excluded.since WHERE is_on <> excluded.is_on
        """, .text(profile), .text(connection), .integer(isOn ? 1 : 0), .integer(now)) > 0
    }
  }
}
