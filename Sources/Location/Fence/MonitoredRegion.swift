import World

/// A region that a ``Fence`` monitors, with its current state.
struct MonitoredRegion {
  let region: Region
  private(set) var side: Containment
  /// The time of the last observation, in an earlier run or a concurrent one. Older positions are ignored.
  private(set) var seenAt: Timestamp?
  /// A new containment that has been observed but has not yet lasted for the dwell time.
  private(set) var candidate: (side: Containment, since: Position)?

  let entering: Circle
  let leaving: Circle

  /// - Parameter known: The stored state of the region, if any.
  init(_ region: Region, known: FenceState?, hysteresis: Double) {
    self.region = region
    let known = known.flatMap { $0.describes(region) ? $0 : nil }
    (side, seenAt) = (known?.side ?? .unknown, known?.seenAt)
    entering = Circle(center: region.center, radius: region.radius)
    leaving = hysteresis > 0 ? Circle(center: region.center, radius: region.radius + hysteresis) : entering
  }

  /// Whether a position is older than the stored state. A position with an assumed time counts as current.
  func isBehind(_ position: Position) -> Bool {
    guard let seenAt, let time = position.time, !position.isTimeAssumed else { return false }
    return time < seenAt
  }

  /// Update the state from a position.
  /// - Returns: The change of containment, if it has lasted for the dwell time.
  mutating func see(_ seen: Containment, _ position: Position, _ rules: FenceRules) -> ContainmentChange? {
    // The start of a track triggers no event, so the dwell time does not apply to it. With `reportsInitial`, a start
    // inside counts as an entry.
    let isBeginning = side == .unknown && !(seen == .inside && rules.reportsInitial)
    guard seen != side, !isBeginning else {
      let change = seen == side ? nil : change(to: seen, since: position, by: position, isEvent: false)
      (side, candidate) = (seen, nil)
      return change
    }
    // A recorded time and an assumed time are not comparable, so the interval between them counts for nothing.
    let since =
      candidate.flatMap { $0.side == seen && $0.since.isTimeAssumed == position.isTimeAssumed ? $0.since : nil }
      ?? position
    guard rules.dwell <= .zero || hasLasted(from: since, to: position, rules.dwell) else {
      candidate = (seen, since)
      return nil
    }
    (side, candidate) = (seen, nil)
    return change(to: seen, since: since, by: position, isEvent: true)
  }

  private func hasLasted(from: Position, to: Position, _ dwell: Duration) -> Bool {
    guard let start = from.time, let end = to.time else { return false }
    return end - dwell >= start
  }

  private func crossing(to side: Containment, since: Position) -> Transition {
    Transition(
      side == .inside ? .entry : .exit, of: region, at: since.time, place: since.coordinate, accuracy: since.accuracy)
  }

  private func change(to side: Containment, since: Position, by position: Position, isEvent: Bool) -> ContainmentChange
  {
    let crossing = crossing(to: side, since: since)
    return ContainmentChange(
      side, of: region, isEvent: isEvent && region.direction.wants(crossing.kind), crossing: crossing,
      decidedBy: position)
  }

  /// Discard a new containment that has not lasted for the dwell time.
  /// - Returns: The transition it would have been.
  mutating func drop() -> Transition? {
    defer { candidate = nil }
    guard let candidate else { return nil }
    let crossing = crossing(to: candidate.side, since: candidate.since)
    return region.direction.wants(crossing.kind) ? crossing : nil
  }

  /// Stop monitoring the region.
  /// - Returns: The change, if the containment was known.
  mutating func forget(at position: Position) -> ContainmentChange? {
    let wasKnown = side != .unknown
    (side, candidate, seenAt) = (.unknown, nil, nil)
    return wasKnown ? ContainmentChange(.unknown, of: region, crossing: nil, decidedBy: position) : nil
  }

  /// Adopt the state that another run has stored.
  mutating func adopt(_ known: FenceState) {
    (side, seenAt, candidate) = (known.side, known.seenAt, nil)
  }
}
