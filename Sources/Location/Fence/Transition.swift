package import Time

/// That a region was entered or left.
package struct Transition: Sendable, Equatable {
  /// As IFTTT's location events call it.
  package enum Kind: String, Sendable { case entry, exit }

  package var region: Region
  package var kind: Kind
  /// Of the first position on the new side; nil where the track has no times.
  package var time: Timestamp?
  /// That position.
  package var place: Coordinate
  /// That position's, in metres, where it has one.
  package var accuracy: Double?

  package init(
    _ kind: Kind, of region: Region, at time: Timestamp?, place: Coordinate, accuracy: Double? = nil
  ) {
    (self.kind, self.region, self.time, self.place, self.accuracy) = (kind, region, time, place, accuracy)
  }

  /// Whether the position was less accurate than the region is wide, which deserves a note.
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
