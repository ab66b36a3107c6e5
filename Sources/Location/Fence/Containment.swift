package import Time

/// On which side of a region's border something is.
package enum Containment: String, Sendable, CaseIterable {
  /// No position has told yet.
  case unknown
  /// Nearer to the centre than the radius, strictly.
  case inside
  case outside
}

/// The side on which something was last seen, and of which circle.
package struct FenceState: Sendable, Equatable {
  package var side: Containment
  package var centre: Coordinate
  package var radius: Double
  /// The time of that position; nil if its source had no time. Older positions are ignored.
  package var seenAt: Timestamp?

  package init(_ side: Containment, centre: Coordinate, radius: Double, seenAt: Timestamp? = nil) {
    (self.side, self.centre, self.radius, self.seenAt) = (side, centre, radius, seenAt)
  }

  package init(_ side: Containment, of region: Region, seenAt: Timestamp?) {
    self.init(side, centre: region.centre, radius: region.radius, seenAt: seenAt)
  }

  /// Whether it is of this circle, rather than of one that the region had before.
  package func describes(_ region: Region) -> Bool { centre == region.centre && radius == region.radius }
}
