package import World

/// An entry into a region, or an exit from one.
package struct Transition: Sendable, Equatable {
  /// The kind of transition, named as in IFTTT's location events.
  package enum Kind: String, Sendable, CaseIterable { case entry, exit }

  package var region: Region
  package var kind: Kind
  /// The time of the first position after the transition, or nil if the track has no times.
  package var time: Timestamp?
  /// The coordinate of that position.
  package var coordinate: Coordinate
  /// The accuracy of that position, in meters, if known.
  package var accuracy: Double?

  package init(
    _ kind: Kind, of region: Region, at time: Timestamp?, coordinate: Coordinate, accuracy: Double? = nil
  ) {
    (self.kind, self.region, self.time, self.coordinate, self.accuracy) = (kind, region, time, coordinate, accuracy)
  }

  /// Whether the position's accuracy radius exceeds the region's radius, which deserves a note.
  package var isDoubtful: Bool { accuracy.map { $0 > region.radius } ?? false }
}

extension Region.Direction {
  package func wants(_ event: Transition.Kind) -> Bool {
    switch self {
    case .entry: event == .entry
    case .exit: event == .exit
    case .both: true
    }
  }
}

/// A change between inside and outside of a region, whether or not it triggers an event.
///
/// Overlapping runs compare these changes with the stored states, so each change is reported once.
package struct ContainmentChange: Sendable, Equatable {
  package var region: Region
  /// The new containment; `unknown` for a region that is no longer monitored.
  package var containment: Containment
  /// The entry or exit to report if this is an event; nil for `unknown`.
  package var transition: Transition?
  /// Whether the change is an event, as far as this run knows.
  package var isEvent: Bool
  /// The time of the position that decided the change. With a dwell time, it is later than the transition.
  package var time: Timestamp?
  /// Whether that time was assumed; see ``Position/isTimeAssumed``.
  package var isTimeAssumed: Bool

  package init(
    _ containment: Containment, of region: Region, isEvent: Bool = false, transition: Transition?,
    decidedBy position: Position
  ) {
    (self.region, self.containment, self.isEvent, self.transition) = (region, containment, isEvent, transition)
    (time, isTimeAssumed) = (position.time, position.isTimeAssumed)
  }

  /// Whether the change is older than the stored state of the region.
  package func isOlder(than remembered: FenceState) -> Bool {
    guard !isTimeAssumed, let time, let observedAt = remembered.observedAt else { return false }
    return time < observedAt
  }
}

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
  package var containment: Containment
  package var center: Coordinate
  package var radius: Double
  /// The time of the position that determined the containment, or nil if the source has no times. Older positions are
  /// ignored.
  package var observedAt: Timestamp?

  package init(_ containment: Containment, center: Coordinate, radius: Double, observedAt: Timestamp? = nil) {
    (self.containment, self.center, self.radius, self.observedAt) = (containment, center, radius, observedAt)
  }

  package init(_ containment: Containment, of region: Region, observedAt: Timestamp?) {
    self.init(containment, center: region.center, radius: region.radius, observedAt: observedAt)
  }

  /// Whether the state refers to the region's current circle, and not to an earlier one.
  package func describes(_ region: Region) -> Bool { center == region.center && radius == region.radius }
}
