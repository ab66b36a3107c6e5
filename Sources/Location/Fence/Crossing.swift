package import World

/// That a region was entered or left.
package struct Crossing: Sendable, Equatable {
  /// As IFTTT's location events call it.
  package enum Kind: String, Sendable { case entry, exit }

  package var region: Region
  package var kind: Kind
  /// Of the first position on the new side; nil where the track has no times.
  package var time: Timestamp?
  /// That position.
  package var place: Coordinate

  package init(_ kind: Kind, of region: Region, at time: Timestamp?, place: Coordinate) {
    (self.kind, self.region, self.time, self.place) = (kind, region, time, place)
  }
}
