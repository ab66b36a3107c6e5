import World

/// One region that a ``Fence`` watches, and what is known of it.
struct Watch {
  let region: Region
  private(set) var side: Side
  /// The other side, where it has been seen and has not lasted long enough to count.
  private(set) var candidate: (side: Side, since: Position)?

  let entering: Circle
  let leaving: Circle

  init(_ region: Region, side: Side, hysteresis: Double) {
    (self.region, self.side) = (region, side)
    entering = Circle(centre: region.centre, radius: region.radius)
    leaving = hysteresis > 0 ? Circle(centre: region.centre, radius: region.radius + hysteresis) : entering
  }

  /// Takes what a position shows.
  /// - Returns: the crossing, where it has lasted long enough and is to be told.
  mutating func see(_ seen: Side, _ position: Position, _ rules: FenceRules) -> Crossing? {
    // Where a track begins is no event and need not last. Where it is one, that is because it counts as coming in.
    let isBeginning = side == .unknown && !(seen == .inside && rules.reportsInitial)
    guard seen != side, !isBeginning else {
      (side, candidate) = (seen, nil)
      return nil
    }
    // Between a time of the track and one that was assumed for want of any lies no duration.
    let since =
      candidate.flatMap { $0.side == seen && $0.since.isTimeAssumed == position.isTimeAssumed ? $0.since : nil }
      ?? position
    guard rules.dwell <= .zero || hasLasted(from: since, to: position, rules.dwell) else {
      candidate = (seen, since)
      return nil
    }
    defer { (side, candidate) = (seen, nil) }
    return crossing(to: seen, since: since)
  }

  private func hasLasted(from: Position, to: Position, _ dwell: Duration) -> Bool {
    guard let start = from.time, let end = to.time else { return false }
    return end - dwell >= start
  }

  private func crossing(to side: Side, since: Position) -> Crossing? {
    let kind: Crossing.Kind = side == .inside ? .entry : .exit
    guard region.direction.wants(kind) else { return nil }
    return Crossing(kind, of: region, at: since.time, place: since.coordinate, accuracy: since.accuracy)
  }

  /// Gives up a side that has not lasted.
  /// - Returns: the crossing it would have been.
  mutating func drop() -> Crossing? {
    defer { candidate = nil }
    guard let candidate else { return nil }
    return crossing(to: candidate.side, since: candidate.since)
  }

  /// It is no longer watched.
  mutating func forget() { (side, candidate) = (.unknown, nil) }
}
