/// A layout of labels without overlaps, the most important first.
struct LabelPlacement {
  private let frame: MapBox
  private var taken: [MapBox]
  /// Points that labels avoid if possible: covering one loses nothing, but makes the label harder to read.
  private let avoided: [MapPoint]
  private(set) var leftOut = 0

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
      leftOut += 1
      return nil
    }
    taken.append(best.box)
    return best.box
  }

  /// The candidate boxes for a label around a circle. For large circles, they also include boxes inside it and along
  /// its border.
  static func candidates(
    width: Double, height: Double, around center: MapPoint, radius: Double, border: [MapPoint]
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
    for point in border {
      boxes += [
        box(point.x + 10, point.y - height / 2), box(point.x - 10 - width, point.y - height / 2),
        box(point.x - width / 2, point.y + 10), box(point.x - width / 2, point.y - 10 - height),
      ]
    }
    return boxes
  }
}
