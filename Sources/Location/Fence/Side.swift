/// On which side of a region's border something is.
package enum Side: String, Sendable, CaseIterable {
  /// No position has told yet.
  case unknown
  /// Nearer to the centre than the radius, strictly.
  case inside
  case outside
}

/// The side on which something was last seen, and of which circle.
package struct RememberedSide: Sendable, Equatable {
  package var side: Side
  package var centre: Coordinate
  package var radius: Double

  package init(_ side: Side, centre: Coordinate, radius: Double) {
    (self.side, self.centre, self.radius) = (side, centre, radius)
  }

  /// Unknown where the region has changed since.
  func side(of region: Region) -> Side { centre == region.centre && radius == region.radius ? side : .unknown }
}
