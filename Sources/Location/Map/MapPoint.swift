/// A point in a plane: meters east and north of a projection's center, or drawing units right and down.
struct MapPoint: Equatable {
  var x: Double
  var y: Double

  init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }

  func distance(to other: MapPoint) -> Double {
    let (dx, dy) = (x - other.x, y - other.y)
    return (dx * dx + dy * dy).squareRoot()
  }
}

/// A rectangle in a drawing, in its units.
struct MapBox: Equatable {
  var x: Double
  var y: Double
  var width: Double
  var height: Double

  func contains(_ point: MapPoint) -> Bool {
    point.x >= x && point.x <= x + width && point.y >= y && point.y <= y + height
  }

  func contains(_ other: MapBox) -> Bool {
    other.x >= x && other.x + other.width <= x + width && other.y >= y && other.y + other.height <= y + height
  }

  func overlaps(_ other: MapBox) -> Bool {
    x < other.x + other.width && other.x < x + width && y < other.y + other.height && other.y < y + height
  }

  func inset(by margin: Double) -> MapBox {
    MapBox(x: x + margin, y: y + margin, width: width - 2 * margin, height: height - 2 * margin)
  }
}
