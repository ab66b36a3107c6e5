import CommandContext
import Location
import Store

extension Session {
  /// The remembered inside/outside states by region id, with the times they were determined.
  func rememberedSides() throws -> [String: FenceState] {
    FenceState.all(in: try store.rememberedLocations(profile: profile.name))
  }
}

extension FenceState {
  /// The states by region id; an invalid stored state counts as unknown.
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
