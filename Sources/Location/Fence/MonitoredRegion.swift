import Time

/// One region that a ``Fence`` watches, and what is known of it.
struct MonitoredRegion {
  let region: Region
  private(set) var side: Containment
  /// When that was last seen, on an earlier occasion or by another walk. Older positions tell nothing.
  private(set) var seenAt: Timestamp?
  /// The other side, where it has been seen and has not lasted long enough to count.
  private(set) var candidate: (side: Containment, since: Position)?

  let entering: Circle
  let leaving: Circle

  /// - Parameter known: what is remembered of the region, if anything.
  init(_ region: Region, known: FenceState?, hysteresis: Double) {
    self.region = region
    let known = known.flatMap { $0.describes(region) ? $0 : nil }
    (side, seenAt) = (known?.side ?? .unknown, known?.seenAt)
    entering = Circle(centre: region.centre, radius: region.radius)
    leaving = hysteresis > 0 ? Circle(centre: region.centre, radius: region.radius + hysteresis) : entering
  }

  /// Whether a position is older than what is remembered. One whose time was assumed is of now.
  func isBehind(_ position: Position) -> Bool {
    guard let seenAt, let time = position.time, !position.isTimeAssumed else { return false }
    return time < seenAt
  }

  /// Takes what a position shows.
  /// - Returns: the change of side, if it has lasted long enough.
  mutating func see(_ seen: Containment, _ position: Position, _ rules: FenceRules) -> ContainmentChange? {
    // Where a track begins is no event and need not last. Where it is one, that is because it counts as coming in.
    let isBeginning = side == .unknown && !(seen == .inside && rules.reportsInitial)
    guard seen != side, !isBeginning else {
      let change = seen == side ? nil : change(to: seen, since: position, by: position, isEvent: false)
      (side, candidate) = (seen, nil)
      return change
    }
    // Between a time of the track and one that was assumed for want of any lies no duration.
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

  /// Gives up a side that has not lasted.
  /// - Returns: the crossing it would have been.
  mutating func drop() -> Transition? {
    defer { candidate = nil }
    guard let candidate else { return nil }
    let crossing = crossing(to: candidate.side, since: candidate.since)
    return region.direction.wants(crossing.kind) ? crossing : nil
  }

  /// It is no longer watched.
  /// - Returns: the change, if anything was known.
  mutating func forget(at position: Position) -> ContainmentChange? {
    let wasKnown = side != .unknown
    (side, candidate, seenAt) = (.unknown, nil, nil)
    return wasKnown ? ContainmentChange(.unknown, of: region, crossing: nil, decidedBy: position) : nil
  }

  /// Goes on from what another walk has seen.
  mutating func adopt(_ known: FenceState) {
    (side, seenAt, candidate) = (known.side, known.seenAt, nil)
  }
}
