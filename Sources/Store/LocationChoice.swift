package import Time
import World

/// Whether a connection's geofences are watched, as its user said: nothing is said of a place before.
package struct LocationChoice: Sendable, Equatable {
  package var isOn: Bool
  package var since: Timestamp
}

// It stands with what is tracked and not with what is cached, so that fetching a connection again does not touch it.
extension Store {
  /// Of every connection that something was said of.
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

  /// - Returns: whether that is new.
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
