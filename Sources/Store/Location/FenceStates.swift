package import Location
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

extension Store {
  /// Returns the remembered inside/outside states by region id, with the times they were determined.
  package func fenceStates(profile: String) throws(StoreError) -> [String: FenceState] {
    try openIfExists()?.fenceStates(profile: profile) ?? [:]
  }

  /// Clears the remembered inside/outside states.
  /// - Parameter regions: The regions; nil for all.
  /// - Returns: The number of regions that were cleared.
  package func forgetLocations(of regions: [String]?, profile: String) throws(StoreError) -> Int {
    guard try openIfExists() != nil else { return 0 }
    return try write { database throws(StoreError) in
      guard let regions else {
        return try database.run("DELETE FROM location_side WHERE profile = ?", .text(profile))
      }
      return try database.forget(regions, profile: profile)
    }
  }
}

extension Database {
  /// The states by region id. A region with an invalid state counts as unknown.
  func fenceStates(profile: String) throws(StoreError) -> [String: FenceState] {
    let statement = try prepare(
      "SELECT region, latitude, longitude, radius, side, seen_at FROM location_side WHERE profile = ?")
    try statement.bind([.text(profile)])
    var states: [String: FenceState] = [:]
    while try statement.step() {
      guard let containment = Containment(rawValue: statement.text(4)),
        let center = Coordinate(latitude: statement.real(1), longitude: statement.real(2))
      else { continue }
      states[statement.text(0)] = FenceState(
        containment, center: center, radius: statement.real(3),
        observedAt: statement.isNull(5) ? nil : Timestamp(milliseconds: statement.integer(5)))
    }
    return states
  }

  /// - Returns: The number of regions that were cleared.
  func forget(_ regions: [String], profile: String) throws(StoreError) -> Int {
    var count = 0
    for region in regions {
      count += try run("DELETE FROM location_side WHERE profile = ? AND region = ?", .text(profile), .text(region))
    }
    return count
  }

  /// - Parameter states: The states by region id.
  func remember(_ states: [String: FenceState], profile: String) throws(StoreError) {
    guard !states.isEmpty else { return }
    let statement = try prepare(
      """
      INSERT OR REPLACE INTO location_side (profile, region, latitude, longitude, radius, side, seen_at)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """)
    for (region, state) in states.sorted(by: { $0.key < $1.key }) {
      try statement.run(
        .text(profile), .text(region), .real(state.center.latitude), .real(state.center.longitude),
        .real(state.radius), .text(state.containment.rawValue),
        state.observedAt.map { .integer($0.milliseconds) } ?? .null)
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
extension Store {
  /// Returns the choices of all connections that have one.
  package func locationChoices(profile: String) throws(StoreError) -> [String: LocationChoice] {
    guard let database = try openIfExists() else { return [:] }
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
