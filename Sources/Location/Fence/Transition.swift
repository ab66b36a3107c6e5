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
  package var place: Coordinate
  /// The accuracy of that position, in meters, if known.
  package var accuracy: Double?

  package init(
    _ kind: Kind, of region: Region, at time: Timestamp?, place: Coordinate, accuracy: Double? = nil
  ) {
    (self.kind, self.region, self.time, self.place, self.accuracy) = (kind, region, time, place, accuracy)
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
