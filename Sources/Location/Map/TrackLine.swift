#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A track in a drawing: one line per segment, direction marks, the start and the end, and points to hover over.
struct TrackLine {
  private(set) var markup = ""
  /// The points to hover over, to be drawn on top of everything else.
  private(set) var stops = ""
  private(set) var ends: [MapPoint] = []
  /// Points along the line for labels to avoid, no farther apart than the height of a label.
  private(set) var points: [MapPoint] = []
  private let frame: MapFrame

  /// The maximum number of points to hover over.
  static let mostStops = 300

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
    for (place, stop) in trail.stops.enumerated() {
      guard !stop.beginsSegment, place > 0 else {
        let isAlone = place + 1 == points.count || trail.stops[place + 1].beginsSegment
        if isAlone { dots.begin(at: points[place]) } else { path.begin(at: points[place]) }
        anchor = points[place]
        self.points.append(points[place])
        continue
      }
      for (from, to) in legs(trail.stops[place - 1].vector, stop.vector) {
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
    for place in Self.chosen(of: points.count) {
      stops += Self.circle(trail.stops[place].position, points[place])
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
    let step = max(1, (count + mostStops - 2) / (mostStops - 1))
    return (0..<count).filter { $0 % step == 0 || $0 == count - 1 }
  }

  private static func circle(_ position: Position, _ point: MapPoint) -> String {
    """
    <circle class="stop" cx="\(MapText.number(point.x))" cy="\(MapText.number(point.y))" r="5">\
    \(MapSymbols.titled(title(position)))</circle>

    """
  }

  private static func title(_ position: Position) -> String {
    let time = position.time.map { MapText.time($0) + " · " } ?? ""
    let accuracy = position.accuracy.flatMap { $0.isFinite && $0 >= 0 ? " · ±" + MapText.length($0) : nil } ?? ""
    return time + MapText.place(position.coordinate) + accuracy
  }
}
