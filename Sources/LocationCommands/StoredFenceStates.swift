import CommandContext
import Location
import Store

extension Session {
  /// Where somebody was last, by region's id, and when.
  func rememberedSides() throws -> [String: FenceState] {
    FenceState.all(in: try store.rememberedLocations(profile: profile.name))
  }
}

extension FenceState {
  /// By region's id; what cannot be read is not known.
  static func all(in locations: [StoredFenceState]) -> [String: FenceState] {
    var found: [String: FenceState] = [:]
    for location in locations {
      guard let side = Containment(rawValue: location.side),
        let centre = Coordinate(latitude: location.latitude, longitude: location.longitude)
      else { continue }
      found[location.region] = FenceState(
        side, centre: centre, radius: location.radius, seenAt: location.seenAt)
    }
    return found
  }
}

extension StoredFenceState {
  init(_ side: FenceState, of region: String) {
    self.init(
      region: region, latitude: side.centre.latitude, longitude: side.centre.longitude, radius: side.radius,
      side: side.side.rawValue, seenAt: side.seenAt)
  }
}
