package import World

/// A track simplified for a map, so that it stays small enough to draw.
///
/// Positions are added one by one. When there are too many, those close to a straight line are removed (Douglas and
/// Peucker, 1973). The tolerance doubles until the rest fits, so memory use does not grow with the track.
package struct Trail: Sendable {
  struct Stop: Sendable {
    var position: Position
    var vector: UnitVector
    /// Whether a new segment starts here, so that no line leads to this position.
    var beginsSegment: Bool
  }

  private(set) var stops: [Stop] = []
  /// The number of positions that were added.
  package private(set) var positions = 0
  package private(set) var segments = 0
  package private(set) var firstTime: Timestamp?
  package private(set) var lastTime: Timestamp?
  /// The maximum distance, in meters, between the line and a removed position; zero if none was removed. Positions
  /// removed before the last doubling may already have been off by the earlier tolerances, so the total is twice the
  /// last one.
  package var tolerance: Double { 2 * step }

  private let limit: Int
  private var step: Double = 0
  /// The number of ``stops`` that are already simplified with the current tolerance.
  private var settled = 0
  private var isBeginning = true

  package init() { self.init(limit: 2000) }

  /// - Parameter limit: The maximum number of positions after a simplification.
  init(limit: Int) { self.limit = max(2, limit) }

  package mutating func add(_ position: Position) {
    positions += 1
    if isBeginning { segments += 1 }
    if let time = position.time {
      firstTime = min(firstTime ?? time, time)
      lastTime = max(lastTime ?? time, time)
    }
    stops.append(Stop(position: position, vector: UnitVector(position.coordinate), beginsSegment: isBeginning))
    isBeginning = false
    if stops.count > 2 * limit { simplify() }
  }

  /// Start a new track, route or segment: no line is drawn to the next position.
  package mutating func beginSegment() { isBeginning = true }

  private mutating func simplify() {
    if step > 0 {
      let kept = max(0, settled - 1)
      stops =
        stops[..<kept] + Simplification.simplified(Array(stops[kept...]), tolerance: step / Coordinate.earthRadius)
    }
    while stops.count > limit {
      step = step == 0 ? 0.25 : 2 * step
      stops = Simplification.simplified(stops, tolerance: step / Coordinate.earthRadius)
    }
    settled = stops.count
  }
}

/// A simplification that removes the positions a line does not need.
enum Simplification {
  /// - Parameter tolerance: The maximum straight-line distance, in earth radii.
  static func simplified(_ stops: [Trail.Stop], tolerance: Double) -> [Trail.Stop] {
    var kept: [Trail.Stop] = []
    var start = 0
    while start < stops.count {
      var end = start + 1
      while end < stops.count, !stops[end].beginsSegment { end += 1 }
      let segment = stops[start..<end]
      let isNews = kept.last.map { last in
        segment.contains { $0.vector.squaredChord(to: last.vector) > tolerance * tolerance }
      }
      if isNews ?? true { append(segment, tolerance, to: &kept) }
      start = end
    }
    return kept
  }

  private static func append(_ segment: ArraySlice<Trail.Stop>, _ tolerance: Double, to kept: inout [Trail.Stop]) {
    var isKept = [Bool](repeating: false, count: segment.count)
    (isKept[0], isKept[segment.count - 1]) = (true, true)
    var ranges = [(segment.startIndex, segment.endIndex - 1)]
    while let (first, last) = ranges.popLast() {
      guard last - first > 1 else { continue }
      var farthest = (place: first, square: tolerance * tolerance)
      for place in first + 1..<last {
        let square = squaredDistance(segment[place].vector, segment[first].vector, segment[last].vector)
        if square > farthest.square { farthest = (place, square) }
      }
      guard farthest.place > first else { continue }
      isKept[farthest.place - segment.startIndex] = true
      ranges += [(first, farthest.place), (farthest.place, last)]
    }
    for (stop, isKept) in zip(segment, isKept) where isKept { kept.append(stop) }
  }

  /// The squared distance between a point and the straight line between two others.
  private static func squaredDistance(_ point: UnitVector, _ start: UnitVector, _ end: UnitVector) -> Double {
    let (line, way) = (end - start, point - start)
    let square = line.dot(line)
    guard square > 0 else { return way.dot(way) }
    let part = min(1, max(0, way.dot(line) / square))
    return point.squaredChord(to: start + line * part)
  }
}
