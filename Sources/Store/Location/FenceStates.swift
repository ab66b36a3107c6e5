package import World

/// Whether the last known position was inside or outside a region, with the region's circle at that time. A region
/// that has moved counts as a different region.
package struct StoredFenceState: Sendable, Equatable {
  package var region: String
  /// The center in degrees.
  package var latitude: Double
  package var longitude: Double
  /// The radius in meters.
  package var radius: Double
  package var containment: String
  /// The time of the position; nil if the source did not provide a time.
  package var observedAt: Timestamp?

  package init(
    region: String, latitude: Double, longitude: Double, radius: Double, containment: String, observedAt: Timestamp?
  ) {
    (self.region, self.containment, self.observedAt) = (region, containment, observedAt)
    (self.latitude, self.longitude, self.radius) = (latitude, longitude, radius)
  }
}

/// The changes that a location track makes to the store.
package struct LocationUpdate: Sendable {
  package var events: [NewLocationEvent]
  package var remembering: [StoredFenceState]
  /// Regions whose inside/outside state is no longer known.
  package var forgetting: [String]

  package init(
    events: [NewLocationEvent] = [], remembering: [StoredFenceState] = [], forgetting: [String] = []
  ) {
    (self.events, self.remembering, self.forgetting) = (events, remembering, forgetting)
  }
}

extension Store {
  package func rememberedLocations(profile: String) throws(StoreError) -> [StoredFenceState] {
    guard let database = try openIfExists() else { return [] }
    return try database.rememberedLocations(profile: profile)
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
  func rememberedLocations(profile: String) throws(StoreError) -> [StoredFenceState] {
    let statement = try prepare(
      "SELECT region, latitude, longitude, radius, side, seen_at FROM location_side WHERE profile = ? ORDER BY region")
    try statement.bind([.text(profile)])
    var found: [StoredFenceState] = []
    while try statement.step() {
      found.append(
        StoredFenceState(
          region: statement.text(0), latitude: statement.real(1), longitude: statement.real(2),
          radius: statement.real(3), containment: statement.text(4),
          observedAt: statement.isNull(5) ? nil : Timestamp(milliseconds: statement.integer(5))))
    }
    return found
  }

  /// - Returns: The number of regions that were cleared.
  func forget(_ regions: [String], profile: String) throws(StoreError) -> Int {
    var count = 0
    for region in regions {
      count += try run("DELETE FROM location_side WHERE profile = ? AND region = ?", .text(profile), .text(region))
    }
    return count
  }

  func remember(_ locations: [StoredFenceState], profile: String) throws(StoreError) {
    guard !locations.isEmpty else { return }
    let statement = try prepare(
      """
      INSERT OR REPLACE INTO location_side (profile, region, latitude, longitude, radius, side, seen_at)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """)
    for location in locations {
      try statement.run(
        .text(profile), .text(location.region), .real(location.latitude), .real(location.longitude),
        .real(location.radius), .text(location.containment),
        location.observedAt.map { .integer($0.milliseconds) } ?? .null)
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
