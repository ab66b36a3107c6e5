import Text
package import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A track in a drawing: one line per segment, direction marks, the start and the end, and points to hover over.
struct TrackLine {
  private(set) var markup = ""
  /// The markup of the points to hover over, which must be drawn on top of everything else.
  private(set) var stops = ""
  private(set) var ends: [MapPoint] = []
  /// Points along the line for labels to avoid, no farther apart than the height of a label.
  private(set) var points: [MapPoint] = []
  private let frame: MapFrame

  /// The maximum number of points to hover over.
  static let stopLimit = 300

  init(_ trail: Trail, in frame: MapFrame) {
    self.frame = frame
    let points = trail.stops.map { frame.point($0.vector) }
    guard let first = points.first, let last = points.last else { return }
    var path = MapPath()
    var dots = MapPath()
    var chevrons = ""
    let spacing = max(100, Self.length(points) / 40)
    var sinceChevron = spacing / 2
    var anchor = first
    for (index, stop) in trail.stops.enumerated() {
      guard !stop.beginsSegment, index > 0 else {
        let isAlone = index + 1 == points.count || trail.stops[index + 1].beginsSegment
        if isAlone { dots.begin(at: points[index]) } else { path.begin(at: points[index]) }
        anchor = points[index]
        self.points.append(points[index])
        continue
      }
      for (from, to) in legs(trail.stops[index - 1].vector, stop.vector) {
        path.line(to: to)
        add(from, to)
        let length = from.distance(to: to)
        sinceChevron += length
        // Average the direction over some distance, because a single short leg may be noise.
        if sinceChevron > spacing, anchor.distance(to: to) > 14 {
          let angle = atan2(to.y - anchor.y, to.x - anchor.x).degrees
          chevrons += MapSymbols.chevron(at: from, angle: angle) + "\n"
          sinceChevron = 0
        }
        if anchor.distance(to: to) > 14 { anchor = to }
      }
    }
    path.finish()
    dots.finish()
    markup = ["halo", "line"].map { "<path class=\"\($0)\" d=\"\(path.text)\"/>\n" }.joined() + chevrons
    if !dots.text.isEmpty { markup += "<path class=\"dots\" d=\"\(dots.text)\"/>\n" }
    ends = trail.stops.count > 1 ? [first, last] : [first]
    markup += MapSymbols.start(at: first) + "\n"
    if trail.stops.count > 1 { markup += MapSymbols.end(at: last) + "\n" }
    for index in Self.chosen(of: points.count) {
      stops += Self.circle(trail.stops[index].position, points[index])
    }
    stops += "<circle class=\"here\" r=\"8\" visibility=\"hidden\"/>\n"
  }

  private static func length(_ points: [MapPoint]) -> Double {
    zip(points, points.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
  }

  /// The parts of a leg. A long leg follows the great circle, the shortest path.
  private func legs(_ start: UnitVector, _ end: UnitVector) -> [(MapPoint, MapPoint)] {
    let chord = start.squaredChord(to: end).squareRoot()
    let count = min(64, max(1, Int(chord * 60)))
    let points = (0...count).map { step -> MapPoint in
      let part = Double(step) / Double(count)
      return frame.point(start * (1 - part) + end * part)
    }
    return Array(zip(points, points.dropFirst()))
  }

  private mutating func add(_ from: MapPoint, _ to: MapPoint) {
    let length = from.distance(to: to)
    guard length > 2 else { return }
    let count = min(80, Int(length / 12) + 1)
    for step in 1...count {
      let part = Double(step) / Double(count)
      points.append(MapPoint(from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part))
    }
  }

  /// The indices of the positions to hover over: all of them, or every n-th and the last.
  static func chosen(of count: Int) -> [Int] {
    let step = max(1, (count + stopLimit - 2) / (stopLimit - 1))
    return (0..<count).filter { $0 % step == 0 || $0 == count - 1 }
  }

  private static func circle(_ position: Position, _ point: MapPoint) -> String {
    """
    <circle class="stop" cx="\(MarkupText.number(point.x))" cy="\(MarkupText.number(point.y))" r="5">\
    \(MapSymbols.titled(title(position)))</circle>

    """
  }

  private static func title(_ position: Position) -> String {
    let time = position.time.map { MapText.time($0) + " · " } ?? ""
    let accuracy = position.accuracy.flatMap { $0.isFinite && $0 >= 0 ? " · ±" + MapText.length($0) : nil } ?? ""
    return time + MapText.formatted(position.coordinate) + accuracy
  }
}

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
  private var simplifiedCount = 0
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
      let finishedCount = max(0, simplifiedCount - 1)
      stops =
        stops[..<finishedCount]
        + Simplification.simplified(Array(stops[finishedCount...]), tolerance: step / Coordinate.earthRadius)
    }
    while stops.count > limit {
      step = step == 0 ? 0.25 : 2 * step
      stops = Simplification.simplified(stops, tolerance: step / Coordinate.earthRadius)
    }
    simplifiedCount = stops.count
  }
}

/// A simplification that removes the positions a line does not need.
enum Simplification {
  /// The positions that remain.
  /// - Parameter tolerance: The maximum straight-line distance of a removed position from the line, in earth radii.
  static func simplified(_ stops: [Trail.Stop], tolerance: Double) -> [Trail.Stop] {
    var remaining: [Trail.Stop] = []
    var start = 0
    while start < stops.count {
      var end = start + 1
      while end < stops.count, !stops[end].beginsSegment { end += 1 }
      let segment = stops[start..<end]
      let isDistinct = remaining.last.map { last in
        segment.contains { $0.vector.squaredChord(to: last.vector) > tolerance * tolerance }
      }
      if isDistinct ?? true { append(segment, tolerance, to: &remaining) }
      start = end
    }
    return remaining
  }

  private static func append(_ segment: ArraySlice<Trail.Stop>, _ tolerance: Double, to remaining: inout [Trail.Stop]) {
    var remains = [Bool](repeating: false, count: segment.count)
    (remains[0], remains[segment.count - 1]) = (true, true)
    var ranges = [(segment.startIndex, segment.endIndex - 1)]
    while let (first, last) = ranges.popLast() {
      guard last - first > 1 else { continue }
      var farthest = (index: first, square: tolerance * tolerance)
      for index in first + 1..<last {
        let square = squaredDistance(segment[index].vector, segment[first].vector, segment[last].vector)
        if square > farthest.square { farthest = (index, square) }
      }
      guard farthest.index > first else { continue }
      remains[farthest.index - segment.startIndex] = true
      ranges += [(first, farthest.index), (farthest.index, last)]
    }
    for (stop, remains) in zip(segment, remains) where remains { remaining.append(stop) }
  }

  /// The squared distance between a point and the straight line between two others.
  private static func squaredDistance(_ point: UnitVector, _ start: UnitVector, _ end: UnitVector) -> Double {
    let (line, offset) = (end - start, point - start)
    let square = line.dot(line)
    guard square > 0 else { return offset.dot(offset) }
    let part = min(1, max(0, offset.dot(line) / square))
    return point.squaredChord(to: start + line * part)
  }
}
