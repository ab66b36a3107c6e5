package import World

/// An entry into a region, or an exit from one: the same value from the position that shows it to the request that
/// reports it.
package struct LocationEvent: Sendable, Equatable {
  /// The kind of transition, named as in IFTTT's location events.
  package enum Kind: String, Sendable, CaseIterable { case entry, exit }

  package var kind: Kind
  /// The id of the region, which is that of the user feature's trigger.
  package var region: String
  /// The connection of the region; nil if it is unknown.
  package var connection: String?
  /// The time of the first position after the transition; nil if the track has no times.
  package var occurredAt: Timestamp?
  /// The first position after the transition. It is never stored or sent, so only the run that received it has it.
  package var position: Position?
  /// The event's entry in the queue; nil until the store has recorded it.
  package var queued: Queued?

  /// An event's entry in the queue of events that IFTTT has not accepted yet. Its id and time never change, however
  /// often the event is sent.
  package struct Queued: Sendable, Equatable {
    /// A UUID that lets IFTTT detect duplicates.
    package var recordID: String
    package var recordedAt: Timestamp
    package var tries = 0
    package var triedAt: Timestamp?
    /// The reason why the last attempt failed.
    package var problem: String?
    /// Whether IFTTT rejected the event, so that it is not retried automatically.
    package var isRefused = false

    package init(recordID: String, recordedAt: Timestamp) {
      (self.recordID, self.recordedAt) = (recordID, recordedAt)
    }
  }

  package init(_ kind: Kind, region: String, connection: String?, at time: Timestamp?) {
    (self.kind, self.region, self.connection, occurredAt) = (kind, region, connection, time)
  }

  package init(_ kind: Kind, of region: Region, at position: Position) {
    self.init(kind, region: region.id, connection: region.connection, at: position.time)
    self.position = position
  }

  /// The id in the queue; nil until the event is recorded.
  package var recordID: String? { queued?.recordID }

  /// Whether the position's accuracy radius exceeds the region's radius, so that the transition may not have happened.
  package func isDoubtful(in region: Region) -> Bool { position?.accuracy.map { $0 > region.radius } ?? false }
}

extension Region.Direction {
  /// Whether a transition of this kind triggers an event.
  package func wants(_ kind: LocationEvent.Kind) -> Bool {
    switch self {
    case .entry: kind == .entry
    case .exit: kind == .exit
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
  /// The entry or exit; nil for `unknown`.
  package var event: LocationEvent?
  /// Whether the event must be reported, unless another run has reported it already.
  package var isReported: Bool
  /// The time of the position that decided the change. With a dwell time, it is later than the transition.
  package var time: Timestamp?
  /// Whether that time was assumed; see ``Position/isTimeAssumed``.
  package var isTimeAssumed: Bool

  package init(
    _ containment: Containment, of region: Region, event: LocationEvent?, isReported: Bool = false,
    decidedBy position: Position
  ) {
    (self.region, self.containment, self.event, self.isReported) = (region, containment, event, isReported)
    (time, isTimeAssumed) = (position.time, position.isTimeAssumed)
  }

  /// Whether the change is older than the stored state of the region.
  package func isOlder(than remembered: FenceState) -> Bool {
    guard !isTimeAssumed, let time, let observedAt = remembered.observedAt else { return false }
    return time < observedAt
  }
}

/// Whether a position is inside or outside a region.
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
