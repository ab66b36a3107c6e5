/// Finds places for labels where they cover nothing else, the most wanted first.
struct LabelPlacement {
  private let frame: MapBox
  private var taken: [MapBox]
  /// A label there is no loss, but it is harder to read.
  private let avoided: [MapPoint]
  private(set) var leftOut = 0

  init(in frame: MapBox, taken: [MapBox], avoiding points: [MapPoint]) {
    (self.frame, self.taken, avoided) = (frame, taken, points)
  }

  /// The first of the boxes that is free and stands on nothing, else the one on the least of what is to be avoided.
  /// Where none is free that is counted.
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

  /// Where a label of that size may stand around a circle, and inside it or along its border where it is large.
  static func candidates(
    width: Double, height: Double, around centre: MapPoint, radius: Double, border: [MapPoint]
  ) -> [MapBox] {
    let gap = 6.0
    let slant = (radius + gap) * 0.72
    func box(_ x: Double, _ y: Double) -> MapBox { MapBox(x: x, y: y, width: width, height: height) }
    var boxes = [
      box(centre.x - width / 2, centre.y - radius - gap - height), box(centre.x - width / 2, centre.y + radius + gap),
      box(centre.x + radius + gap, centre.y - height / 2), box(centre.x - radius - gap - width, centre.y - height / 2),
      box(centre.x + slant, centre.y - slant - height), box(centre.x + slant, centre.y + slant),
      box(centre.x - slant - width, centre.y - slant - height), box(centre.x - slant - width, centre.y + slant),
    ]
    if radius > width / 2 {
      boxes += [0, -0.4, 0.4].map { box(centre.x - width / 2, centre.y - height / 2 + $0 * radius) }
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
