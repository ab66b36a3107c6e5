import Foundation
import Location
import World

/// A fence written as simply as possible, as a reference for ``Fence``. It uses different formulas and evaluates the
/// whole history every time.
struct NaiveFence {
  var regions: [Region]
  var rules: FenceRules

  /// Vincenty's formula for a sphere, which is well-conditioned at any distance.
  static func distance(_ a: Coordinate, _ b: Coordinate) -> Double {
    let (p, q) = (a.latitude * .pi / 180, b.latitude * .pi / 180)
    let deltaLongitude = (b.longitude - a.longitude) * .pi / 180
    let x = cos(q) * sin(deltaLongitude)
    let y = cos(p) * sin(q) - sin(p) * cos(q) * cos(deltaLongitude)
    return 6_371_008.8 * atan2((x * x + y * y).squareRoot(), sin(p) * sin(q) + cos(p) * cos(q) * cos(deltaLongitude))
  }

  /// All events of the track as `second kind id`, by the position that triggers them.
  func events(_ track: [Position]) -> [[String]] {
    var used: [(index: Int, position: Position)] = []
    var events = [[String]](repeating: [], count: track.count)
    for (index, position) in track.enumerated() {
      if let accuracy = position.accuracy {
        if accuracy.isNaN || accuracy < 0 { continue }
        if let worst = rules.minimumAccuracy, accuracy > worst { continue }
      }
      if position.time == nil, rules.dwell > .zero { continue }
      if let time = position.time, used.contains(where: { ($0.position.time ?? time) > time }) { continue }
      used.append((index, position))
    }
    for region in regions {
      var containment: Containment = .unknown
      var observed: [(containment: Containment, position: Position)] = []
      var isWatched = false
      for (index, step) in used.enumerated() {
        // With a limit, a region is monitored once a position has selected it; the first position applies
        // immediately.
        if isWatched || index == 0 {
          if index == 0 { isWatched = chosen(step.position).contains(region.id) }
          if isWatched { evaluate(region, step, &containment, &observed, &events) }
        }
        if index > 0 {
          let isChosen = chosen(step.position).contains(region.id)
          if isChosen && !isWatched {
            (containment, observed) = (.unknown, [])
            evaluate(region, step, &containment, &observed, &events)
          }
          if !isChosen { (containment, observed) = (.unknown, []) }
          isWatched = isChosen
        }
      }
    }
    return events.map { $0.sorted() }
  }

  private func chosen(_ position: Position) -> Set<String> {
    guard let limit = rules.limit else { return Set(regions.map(\.id)) }
    let ranked = regions.sorted {
      (Self.distance($0.center, position.coordinate), $0.id) < (Self.distance($1.center, position.coordinate), $1.id)
    }
    return Set(ranked.prefix(limit).map(\.id))
  }

  private func evaluate(
    _ region: Region, _ step: (index: Int, position: Position), _ containment: inout Containment,
    _ observed: inout [(containment: Containment, position: Position)], _ events: inout [[String]]
  ) {
    let limit = containment == .inside ? region.radius + rules.hysteresis : region.radius
    let now: Containment = Self.distance(region.center, step.position.coordinate) < limit ? .inside : .outside
    observed.append((now, step.position))
    guard now != containment else { return }
    // The last uninterrupted run of positions with this state.
    var run: [Position] = []
    for entry in observed.reversed() {
      if entry.containment != now { break }
      run.insert(entry.position, at: 0)
    }
    let first = run[0]
    if containment == .unknown, !(now == .inside && rules.reportsInitial) {
      (containment, observed) = (now, [])
      return
    }
    if rules.dwell > .zero {
      guard let from = first.time, let to = step.position.time,
        Duration.milliseconds(to.milliseconds - from.milliseconds) >= rules.dwell
      else { return }
    }
    // The earlier positions no longer matter; only later ones can cause another change.
    (containment, observed) = (now, [])
    let kind: LocationEvent.Kind = now == .inside ? .entry : .exit
    guard region.direction == .both || region.direction.rawValue == kind.rawValue else { return }
    events[step.index].append(Self.event(first.time, kind, region.id))
  }

  static func event(_ time: Timestamp?, _ kind: LocationEvent.Kind, _ id: String) -> String {
    "\(time?.milliseconds ?? -1) \(kind) \(id)"
  }
}
