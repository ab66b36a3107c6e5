package import Time
import World

/// On which side of a region somebody was last, and which circle it then was: a region that moved is another.
package struct StoredFenceState: Sendable, Equatable {
  package var region: String
  /// Degrees.
  package var latitude: Double
  package var longitude: Double
  /// Metres.
  package var radius: Double
  package var side: String
  /// When that was; nil where the source told no time.
  package var seenAt: Timestamp?

  package init(
    region: String, latitude: Double, longitude: Double, radius: Double, side: String, seenAt: Timestamp?
  ) {
    (self.region, self.side, self.seenAt) = (region, side, seenAt)
    (self.latitude, self.longitude, self.radius) = (latitude, longitude, radius)
  }
}

/// What a walk adds to the store.
package struct LocationUpdate: Sendable {
  package var events: [NewLocationEvent]
  package var remembering: [StoredFenceState]
  /// Regions whose side is no longer known.
  package var forgetting: [String]

  package init(
    events: [NewLocationEvent] = [], remembering: [StoredFenceState] = [], forgetting: [String] = []
  ) {
    (self.events, self.remembering, self.forgetting) = (events, remembering, forgetting)
  }
}

extension Store {
  package func rememberedLocations(profile: String) throws(StoreError) -> [StoredFenceState] {
    guard let database = try existing() else { return [] }
    return try database.rememberedLocations(profile: profile)
  }

  /// - Parameter regions: nil for all.
  /// - Returns: how many were remembered.
  package func forgetLocations(of regions: [String]?, profile: String) throws(StoreError) -> Int {
    guard try existing() != nil else { return 0 }
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
          radius: statement.real(3), side: statement.text(4),
          seenAt: statement.isNull(5) ? nil : Timestamp(milliseconds: statement.integer(5))))
    }
    return found
  }

  /// - Returns: how many were remembered.
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
        .real(location.radius), .text(location.side), location.seenAt.map { .integer($0.milliseconds) } ?? .null)
    }
  }
}
