package import World

/// A change between inside and outside of a region, whether or not it triggers an event.
///
/// Overlapping runs compare these changes with the stored states, so each change is reported once.
package struct ContainmentChange: Sendable, Equatable {
  package var region: Region
  /// The new containment; `unknown` for a region that is no longer monitored.
  package var side: Containment
  /// The entry or exit to report if this is an event; nil for `unknown`.
  package var crossing: Transition?
  /// Whether the change is an event, as far as this run knows.
  package var isEvent: Bool
  /// The time of the position that decided the change. With a dwell time, it is later than the transition.
  package var time: Timestamp?
  /// Whether that time was assumed; see ``Position/isTimeAssumed``.
  package var isTimeAssumed: Bool

  package init(
    _ side: Containment, of region: Region, isEvent: Bool = false, crossing: Transition?, decidedBy position: Position
  ) {
    (self.region, self.side, self.isEvent, self.crossing) = (region, side, isEvent, crossing)
    (time, isTimeAssumed) = (position.time, position.isTimeAssumed)
  }

  /// Whether the change is older than the stored state of the region.
  package func isOlder(than remembered: FenceState) -> Bool {
    guard !isTimeAssumed, let time, let seenAt = remembered.seenAt else { return false }
    return time < seenAt
  }
}
