import Text

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A region in a drawing, in its true shape.
struct RegionCircle {
  let region: Region
  let center: MapPoint
  /// The approximate radius of the drawn shape.
  let radius: Double
  let boundary: [MapPoint]
  private(set) var markup = ""

  init(_ region: Region, in frame: MapFrame) {
    self.region = region
    center = frame.point(region.center)
    boundary = MapView.circle(region).map { frame.point($0) }
    radius = region.radius * frame.scale
    let style = region.direction.rawValue
    var path = MapPath()
    for (index, point) in boundary.enumerated() {
      if index == 0 { path.begin(at: point) } else { path.line(to: point) }
    }
    path.close()
    let title = MapSymbols.titled("\(MapText.label(region, limit: 200)) · \(MapText.facts(region))")
    let isTorn = frame.isTorn(around: region.center, radius: region.radius)
    markup = "<path class=\"region \(style)\(isTorn ? " torn" : "")\" d=\"\(path.text)\">\(title)</path>\n"
    if radius < 5 {
      // The circle is too small to see at this scale, so add a marker.
      markup += """
        <circle class="mark \(style)" cx="\(MarkupText.number(center.x))" cy="\(MarkupText.number(center.y))" r="4">\(title)\
        </circle>

        """
    }
    guard radius >= 18, !isTorn else { return }
    for index in stride(from: 9, to: boundary.count, by: 18) where frame.box.contains(boundary[index]) {
      let point = boundary[index]
      let outward = atan2(point.x - center.x, center.y - point.y).degrees
      markup += MapSymbols.arrow(region.direction, at: point, outward: outward) + "\n"
    }
  }

  /// Points for labels to avoid: points along the boundary, and the center if the circle is small.
  func labelObstacles(in frame: MapFrame) -> [MapPoint] {
    // Space the points about as far apart as the height of a label.
    let step = max(1, min(18, Int(150 / max(1, radius))))
    let visible = stride(from: 0, to: boundary.count, by: step).map { boundary[$0] }.filter { frame.box.contains($0) }
    return radius < 30 ? visible + [center] : visible
  }

  /// The visible points of the boundary, or points inside the region if no part of the boundary is visible.
  func visiblePoints(in frame: MapFrame) -> [MapPoint] {
    let visible = stride(from: 0, to: boundary.count, by: 4).map { boundary[$0] }.filter { frame.box.contains($0) }
    guard visible.isEmpty else { return visible }
    return (1...5).flatMap { row in
      (1...5).map { column in
        MapPoint(frame.box.x + frame.box.width * Double(column) / 6, frame.box.y + frame.box.height * Double(row) / 6)
      }
    }.filter { point in frame.coordinate(at: point).map { $0.distance(to: region.center) < region.radius } ?? false }
  }
}

/// A layout of labels without overlaps, the most important first.
struct LabelPlacement {
  private let frame: MapBox
  private var taken: [MapBox]
  /// Points that labels avoid if possible: covering one loses nothing, but makes the label harder to read.
  private let avoided: [MapPoint]
  private(set) var omitted = 0

  init(in frame: MapBox, taken: [MapBox], avoiding points: [MapPoint]) {
    (self.frame, self.taken, avoided) = (frame, taken, points)
  }

  /// The first free candidate that covers no avoided point; otherwise, the free candidate that covers the fewest. If
  /// no candidate is free, the label is omitted and counted.
  mutating func place(_ candidates: [MapBox]) -> MapBox? {
    var best: (box: MapBox, cost: Int)?
    for box in candidates where frame.contains(box) && !taken.contains(where: box.overlaps) {
      let cost = avoided.reduce(0) { $0 + (box.contains($1) ? 1 : 0) }
      if cost == 0 {
        best = (box, 0)
        break
      }
      if cost < best?.cost ?? .max { best = (box, cost) }
    }
    guard let best else {
      omitted += 1
      return nil
    }
    taken.append(best.box)
    return best.box
  }

  /// The candidate boxes for a label around a circle. For large circles, they also include boxes inside it and along
  /// its boundary.
  static func candidates(
    width: Double, height: Double, around center: MapPoint, radius: Double, boundary: [MapPoint]
  ) -> [MapBox] {
    let gap = 6.0
    let slant = (radius + gap) * 0.72
    func box(_ x: Double, _ y: Double) -> MapBox { MapBox(x: x, y: y, width: width, height: height) }
    var boxes = [
      box(center.x - width / 2, center.y - radius - gap - height), box(center.x - width / 2, center.y + radius + gap),
      box(center.x + radius + gap, center.y - height / 2), box(center.x - radius - gap - width, center.y - height / 2),
      box(center.x + slant, center.y - slant - height), box(center.x + slant, center.y + slant),
      box(center.x - slant - width, center.y - slant - height), box(center.x - slant - width, center.y + slant),
    ]
    if radius > width / 2 {
      boxes += [0, -0.4, 0.4].map { box(center.x - width / 2, center.y - height / 2 + $0 * radius) }
    }
    for point in boundary {
      boxes += [
        box(point.x + 10, point.y - height / 2), box(point.x - 10 - width, point.y - height / 2),
        box(point.x - width / 2, point.y + 10), box(point.x - width / 2, point.y - 10 - height),
      ]
    }
    return boxes
  }
}
