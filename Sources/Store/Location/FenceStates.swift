package import Location
import Text
package import World

/// The changes that a location track makes to the store.
package struct LocationUpdate: Sendable {
  package var events: [LocationEvent]
  /// The states to store, by region id.
  package var remembering: [String: FenceState]
  /// Regions whose inside/outside state is no longer known.
  package var forgetting: [String]

  package init(
    events: [LocationEvent] = [], remembering: [String: FenceState] = [:], forgetting: [String] = []
  ) {
    (self.events, self.remembering, self.forgetting) = (events, remembering, forgetting)
  }
}

extension LocationQueue {
  /// Returns the remembered inside/outside states by region id, with the times they were determined.
  package func fenceStates() throws(StoreError) -> [String: FenceState] {
    try store.openIfExists()?.fenceStates(profile: profile) ?? [:]
  }

  /// Clears the remembered inside/outside states.
  /// - Parameter regions: The regions; nil for all.
  /// - Returns: The number of regions that were cleared.
  package func forgetLocations(of regions: [String]?) throws(StoreError) -> Int {
    try store.writeExisting { database throws(StoreError) in
      if let regions { return try database.forget(regions, profile: profile) }
      return try database.run("DELETE FROM location_side WHERE profile = :profile", [":profile": profile])
    } ?? 0
  }
}

extension Database {
  /// Returns the states by region id. A region with an invalid state counts as unknown.
  func fenceStates(profile: String) throws(StoreError) -> [String: FenceState] {
    let states = try rows(
      "SELECT region, latitude, longitude, radius, side, seen_at FROM location_side WHERE profile = :profile",
      [":profile": profile]
    ) { row -> (String, FenceState)? in
      guard let containment = Containment(rawValue: row["side"]),
        let center = Coordinate(latitude: row["latitude"], longitude: row["longitude"])
      else { return nil }
      return (
        row["region"], FenceState(containment, center: center, radius: row["radius"], observedAt: row["seen_at"])
      )
    }
    // Ids that differ in bytes may be equal as text.
    return Dictionary(states.compactMap(\.self)) { _, last in last }
  }

  /// - Returns: The number of regions that were cleared.
  func forget(_ regions: [String], profile: String) throws(StoreError) -> Int {
    var count = 0
    for region in regions {
      count += try run(
        "DELETE FROM location_side WHERE profile = :profile AND region = :region",
        [":profile": profile, ":region": region])
    }
    return count
  }

  /// - Parameter states: The states by region id.
  func remember(_ states: [String: FenceState], profile: String) throws(StoreError) {
    guard !states.isEmpty else { return }
    let statement = try prepare(
      """
      INSERT OR REPLACE INTO location_side (profile, region, latitude, longitude, radius, side, seen_at)
      VALUES (:profile, :region, :latitude, :longitude, :radius, :side, :seen_at)
      """)
    for (region, state) in states.inOrder {
      try statement.run([
        ":profile": profile, ":region": region, ":latitude": state.center.latitude,
        ":longitude": state.center.longitude, ":radius": state.radius, ":side": state.containment.rawValue,
        ":seen_at": state.observedAt,
      ])
    }
  }
}

/// The user's choice of whether location reporting is enabled for a connection. Without a choice, no location is
/// reported.
package struct LocationChoice: Sendable, Equatable {
  package var isOn: Bool
  package var since: Timestamp
}

// Choices are stored with the tracked connections rather than in the cache, so that refreshing a connection does not
// affect them.
extension LocationQueue {
  /// Returns the choices of all connections that have one.
  package func choices() throws(StoreError) -> [String: LocationChoice] {
    let choices = try store.openIfExists()?.rows(
      "SELECT connection, is_on, since FROM location_choice WHERE profile = :profile", [":profile": profile]
    ) { row in (row["connection"] as String, LocationChoice(isOn: row["is_on"], since: row["since"])) }
    return Dictionary(choices ?? []) { _, last in last }
  }

  /// Sets the choice for a connection.
  /// - Returns: Whether the choice changed.
  package func setReporting(_ isOn: Bool, of connection: String) throws(StoreError) -> Bool {
    try store.write { database throws(StoreError) in
      try database.makeProfile(profile)
      return try database.run(
        """
        INSERT INTO location_choice (profile, connection, is_on, since) VALUES (:profile, :connection, :is_on, :since)
        ON CONFLICT DO UPDATE SET is_on = excluded.is_on, since = excluded.since WHERE is_on <> excluded.is_on
        """,
        [":profile": profile, ":connection": connection, ":is_on": isOn, ":since": store.world.clock.now()]) > 0
    }
  }
}
