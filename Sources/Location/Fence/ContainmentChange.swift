package import Time

/// A change between inside and outside of a region, whether or not it triggers an event.
///
/// Walks that overlap compare these with the sides in the store, so that each change is reported once.
package struct ContainmentChange: Sendable, Equatable {
  package var region: Region
  /// The new side; `unknown` for a region that is no longer watched.
  package var side: Containment
  /// The entry or exit to report if this is an event; nil for `unknown`.
  package var crossing: Transition?
  /// Whether it is one, as far as this walk knows.
  package var isEvent: Bool
  /// Of the position that decided; with a dwell it is later than the crossing.
  package var time: Timestamp?
  /// As of ``Position/isTimeAssumed``.
  package var isTimeAssumed: Bool

  package init(
    _ side: Containment, of region: Region, isEvent: Bool = false, crossing: Transition?, decidedBy position: Position
  ) {
    (self.region, self.side, self.isEvent, self.crossing) = (region, side, isEvent, crossing)
    (time, isTimeAssumed) = (position.time, position.isTimeAssumed)
  }

  /// Whether it is older than what was last seen of the region.
  package func isOlder(than remembered: FenceState) -> Bool {
    guard !isTimeAssumed, let time, let seenAt = remembered.seenAt else { return false }
    return time < seenAt
  }
}
