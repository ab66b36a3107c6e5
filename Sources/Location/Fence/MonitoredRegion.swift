import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A region that a ``Fence`` monitors, with its current state.
struct MonitoredRegion {
  let region: Region
  private(set) var containment: Containment
  /// The time of the last observation, in an earlier run or a concurrent one. Older positions are ignored.
  private(set) var observedAt: Timestamp?
  /// A new containment that has been observed but has not yet lasted for the dwell time.
  private(set) var candidate: (containment: Containment, since: Position)?

  private let entering: Circle
  private let leaving: Circle

  /// - Parameter known: The stored state of the region, if any.
  init(_ region: Region, known: FenceState?, hysteresis: Double) {
    self.region = region
    let known = known.flatMap { $0.describes(region) ? $0 : nil }
    (containment, observedAt) = (known?.containment ?? .unknown, known?.observedAt)
    entering = Circle(center: region.center, radius: region.radius)
    leaving = hysteresis > 0 ? Circle(center: region.center, radius: region.radius + hysteresis) : entering
  }

  /// Whether a position is older than the stored state. A position with an assumed time counts as current.
  func isBehind(_ position: Position) -> Bool {
    guard let observedAt, let time = position.time, !position.isTimeAssumed else { return false }
    return time < observedAt
  }

  /// The containment of a coordinate. With hysteresis, it depends on whether the last state was inside.
  private func containment(of coordinate: Coordinate) -> Containment {
    (containment == .inside ? leaving : entering).contains(coordinate) ? .inside : .outside
  }

  /// Update the state from a position.
  /// - Parameter changes: The array to append the change of containment to, once it has lasted for the dwell time. Most
  ///   positions change nothing, and an optional change as a result would be copied for each of them.
  mutating func observe(_ position: Position, _ rules: FenceRules, _ changes: inout [ContainmentChange]) {
    let observed = containment(of: position.coordinate)
    guard observed != containment else {
      candidate = nil
      return
    }
    // The start of a track triggers no event, so the dwell time does not apply to it. With `reportsInitial`, a start
    // inside counts as an entry.
    if containment == .unknown, !(observed == .inside && rules.reportsInitial) {
      changes.append(change(to: observed, since: position, by: position, isReported: false))
      (containment, candidate) = (observed, nil)
      return
    }
    // A recorded time and an assumed time are not comparable, so the interval between them does not count.
    let since =
      candidate.flatMap {
        $0.containment == observed && $0.since.isTimeAssumed == position.isTimeAssumed ? $0.since : nil
      }
      ?? position
    guard rules.dwell <= .zero || hasLasted(from: since, to: position, rules.dwell) else {
      candidate = (observed, since)
      return
    }
    changes.append(change(to: observed, since: since, by: position, isReported: true))
    (containment, candidate) = (observed, nil)
  }

  private func hasLasted(from: Position, to: Position, _ dwell: Duration) -> Bool {
    guard let start = from.time, let end = to.time else { return false }
    return end - dwell >= start
  }

  private func event(_ containment: Containment, at position: Position) -> LocationEvent {
    LocationEvent(containment == .inside ? .entry : .exit, of: region, at: position)
  }

  private func change(to containment: Containment, since: Position, by position: Position, isReported: Bool)
    -> ContainmentChange
  {
    let event = event(containment, at: since)
    return ContainmentChange(
      containment, of: region, event: event, isReported: isReported && region.direction.wants(event.kind),
      decidedBy: position)
  }

  /// Discard a new containment that has not lasted for the dwell time.
  /// - Returns: The event it would have been.
  mutating func discardCandidate() -> LocationEvent? {
    defer { candidate = nil }
    guard let candidate else { return nil }
    let event = event(candidate.containment, at: candidate.since)
    return region.direction.wants(event.kind) ? event : nil
  }

  /// Stop monitoring the region.
  /// - Returns: The change, if the containment was known.
  mutating func forget(at position: Position) -> ContainmentChange? {
    let wasKnown = containment != .unknown
    (containment, candidate, observedAt) = (.unknown, nil, nil)
    return wasKnown ? ContainmentChange(.unknown, of: region, event: nil, decidedBy: position) : nil
  }

  /// Adopt the state that another run has stored.
  mutating func adopt(_ known: FenceState) {
    (containment, observedAt, candidate) = (known.containment, known.observedAt, nil)
  }
}

/// A selector for the regions to monitor if their number is limited: the regions with the nearest centers. At equal
/// distances, the lower id comes first.
struct NearestRegions {
  private let regions: [(id: String, center: Coordinate)]
  private let limit: Int
  /// The distance from a coordinate within which the selection stays valid.
  private var validity: (coordinate: Coordinate, distance: Double)?

  init(_ regions: [Region], limit: Int) {
    self.regions = regions.map { ($0.id, $0.center) }
    self.limit = max(0, min(limit, regions.count))
  }

  /// The indices of the selected regions, or nil if the selection is the same as the last one.
  mutating func choose(for coordinate: Coordinate) -> Set<Int>? {
    if let validity, coordinate.distance(to: validity.coordinate) < validity.distance { return nil }
    let ranked = regions.indices.map { (distance: regions[$0].center.distance(to: coordinate), index: $0) }.sorted {
      ($0.distance, regions[$0.index].id) < ($1.distance, regions[$1.index].id)
    }
    // By the triangle inequality, moving d meters reduces the gap between the selected regions and the others by at
    // most 2 d. The margin of one meter is far larger than any rounding error.
    let isAll = limit == 0 || limit == ranked.count
    let gap = isAll ? .infinity : ranked[limit].distance - ranked[limit - 1].distance
    validity = (coordinate, gap / 2 - 1)
    return Set(ranked.prefix(limit).map(\.index))
  }
}

/// A test for whether a coordinate is nearer to a center than a given distance.
struct Circle {
  private let center: Coordinate
  /// The distance from the center, in meters, below which a coordinate is inside.
  private let threshold: Double
  /// The latitude and longitude differences from the center, in degrees, beyond which every coordinate is outside.
  /// Checking them first avoids most distance calculations.
  private let height: Double
  private let width: Double

  init(center: Coordinate, radius: Double) {
    self.center = center
    threshold = radius - min(Self.breadth, radius * 1e-6)
    let angle = radius / Coordinate.earthRadius
    guard angle < 1 else {
      (height, width) = (.infinity, .infinity)
      return
    }
    height = angle.degrees + Self.marginInDegrees
    let latitude = abs(center.latitude)
    // The circle's greatest width, where it is tangent to a meridian (spherical law of sines).
    width =
      latitude + height < 89.9
      ? asin(min(1, sin(height.radians) / cos(latitude.radians))).degrees + Self.marginInDegrees : .infinity
  }

  /// The width of the boundary, in meters. A coordinate exactly on the radius is outside, however a distance formula
  /// rounds the last bit.
  private static let breadth = 1e-6
  /// A margin for rounding errors.
  private static let marginInDegrees = 1e-8

  func contains(_ coordinate: Coordinate) -> Bool {
    guard abs(coordinate.latitude - center.latitude) <= height else { return false }
    let deltaLongitude = abs(coordinate.longitude - center.longitude)
    guard min(deltaLongitude, 360 - deltaLongitude) <= width else { return false }
    return coordinate.distance(to: center) < threshold
  }
}
