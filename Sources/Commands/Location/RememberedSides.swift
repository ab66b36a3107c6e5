import Location
import Store
import World

extension Session {
  /// Where somebody was last, by region's id, and when.
  func rememberedSides() throws -> [String: (side: RememberedSide, at: Timestamp?)] {
    var found: [String: (side: RememberedSide, at: Timestamp?)] = [:]
    for location in try store.rememberedLocations(profile: profile.name) {
      guard let side = Side(rawValue: location.side),
        let centre = Coordinate(latitude: location.latitude, longitude: location.longitude)
      else { continue }
      found[location.region] = (RememberedSide(side, centre: centre, radius: location.radius), location.seenAt)
    }
    return found
  }
}

extension RememberedLocation {
  init(_ side: RememberedSide, of region: String, at moment: Timestamp?) {
    self.init(
      region: region, latitude: side.centre.latitude, longitude: side.centre.longitude, radius: side.radius,
      side: side.side.rawValue, seenAt: moment)
  }
}
