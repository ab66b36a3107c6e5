import Location
import Session
import Store

extension Session {
  /// The remembered inside/outside states by region id, with the times they were determined.
  func storedFenceStates() throws -> [String: FenceState] {
    FenceState.all(in: try store.rememberedLocations(profile: profile.name))
  }
}

extension FenceState {
  /// The states by region id; an invalid stored state counts as unknown.
  static func all(in locations: [StoredFenceState]) -> [String: FenceState] {
    var found: [String: FenceState] = [:]
    for location in locations {
      guard let side = Containment(rawValue: location.side),
        let center = Coordinate(latitude: location.latitude, longitude: location.longitude)
      else { continue }
      found[location.region] = FenceState(
        side, center: center, radius: location.radius, seenAt: location.seenAt)
    }
    return found
  }
}

extension StoredFenceState {
  init(_ side: FenceState, of region: String) {
    self.init(
      region: region, latitude: side.center.latitude, longitude: side.center.longitude, radius: side.radius,
      side: side.side.rawValue, seenAt: side.seenAt)
  }
}
