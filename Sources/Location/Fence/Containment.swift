package import World

/// Whether something is inside or outside a region.
package enum Containment: String, Sendable, CaseIterable {
  /// No position has been received yet.
  case unknown
  /// Strictly nearer to the center than the radius.
  case inside
  case outside
}

/// The last known containment, and the circle it refers to.
package struct FenceState: Sendable, Equatable {
  package var side: Containment
  package var center: Coordinate
  package var radius: Double
  /// The time of the position that determined the containment, or nil if the source has no times. Older positions are
  /// ignored.
  package var seenAt: Timestamp?

  package init(_ side: Containment, center: Coordinate, radius: Double, seenAt: Timestamp? = nil) {
    (self.side, self.center, self.radius, self.seenAt) = (side, center, radius, seenAt)
  }

  package init(_ side: Containment, of region: Region, seenAt: Timestamp?) {
    self.init(side, center: region.center, radius: region.radius, seenAt: seenAt)
  }

  /// Whether the state refers to the region's current circle, and not to an earlier one.
  package func describes(_ region: Region) -> Bool { center == region.center && radius == region.radius }
}
