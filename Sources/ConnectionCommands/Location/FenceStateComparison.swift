import Location
import World

/// Compares the changes of a track with the stored states, which another run may have updated in the meantime.
///
/// A change is relative to the stored state, not to the state this run saw last. If the other run has already
/// reported the change, or has stored a later position, the change is dropped.
struct FenceStateComparison {
  /// The events to report, in order.
  private(set) var events: [Transition] = []
  /// The number of events that another run has already reported or made obsolete.
  private(set) var dropped = 0
  /// The states to write.
  private(set) var changed: [String: FenceState] = [:]
  /// The regions whose states are deleted.
  private(set) var forgotten: [String] = []
  /// The stored states that are later than this run's own and from which it continues.
  private(set) var adopted: [String: FenceState] = [:]

  /// - Parameters:
  ///   - stored: The states in the store.
  ///   - changes: The changes of the track since the last comparison.
  ///   - sides: The current states of this run.
  ///   - last: The current position of the track.
  init(
    stored: [String: FenceState], _ changes: [ContainmentChange], sides: [String: FenceState], at last: Position,
    regions: [Region]
  ) {
    var current: [String: FenceState] = [:]
    for region in regions {
      if let side = stored[region.id], side.describes(region) { current[region.id] = side }
    }
    for change in changes { apply(change, to: &current[change.region.id]) }
    for region in regions { finish(region, sides[region.id], &current[region.id], last) }
    for region in regions where current[region.id] != stored[region.id] {
      if let side = current[region.id] { changed[region.id] = side } else { forgotten.append(region.id) }
    }
  }

  private mutating func apply(_ change: ContainmentChange, to current: inout FenceState?) {
    guard let before = current else {
      if change.isEvent, let crossing = change.crossing { events.append(crossing) }
      current = change.remembered
      return
    }
    let isNews = before.side != change.side && !change.isOlder(than: before)
    guard isNews else {
      if change.isEvent { dropped += 1 }
      return
    }
    if let crossing = change.crossing, change.region.direction.wants(crossing.kind) { events.append(crossing) }
    current = change.remembered?.seen(atLeast: before.seenAt)
  }

  /// - Parameter mine: This run's state of the region; nil if it is unknown.
  private mutating func finish(
    _ region: Region, _ mine: FenceState?, _ current: inout FenceState?, _ last: Position
  ) {
    guard let mine else { return }
    guard let before = current else { return current = mine }
    // Otherwise this run's last position does not apply to the region.
    let isLatest = last.isTimeAssumed || mine.seenAt == last.time && !before.isLater(than: mine)
    guard isLatest else {
      if before != mine { adopted[region.id] = before }
      return
    }
    if before.side != mine.side {
      // With a dwell or hysteresis, the position may differ from the confirmed state.
      guard mine.side == (last.coordinate.distance(to: region.center) < region.radius ? .inside : .outside) else {
        adopted[region.id] = before
        return
      }
      let kind: Transition.Kind = mine.side == .inside ? .entry : .exit
      if region.direction.wants(kind) {
        events.append(
          Transition(kind, of: region, at: last.time, place: last.coordinate, accuracy: last.accuracy))
      }
    }
    current = mine.seen(atLeast: before.seenAt)
  }
}

extension ContainmentChange {
  /// The state to store; nil if the region is no longer monitored. An assumed time is not stored, since later runs would
  /// skip positions before it.
  fileprivate var remembered: FenceState? {
    side == .unknown ? nil : FenceState(side, of: region, seenAt: isTimeAssumed ? nil : time)
  }
}

extension FenceState {
  /// The state with its own time or a stored one, whichever is later. Its own time is nil if it was assumed.
  fileprivate func seen(atLeast stored: Timestamp?) -> FenceState {
    var state = self
    if let stored { state.seenAt = max(seenAt ?? stored, stored) }
    return state
  }

  fileprivate func isLater(than other: FenceState) -> Bool {
    guard let seenAt, let before = other.seenAt else { return false }
    return seenAt > before
  }
}
