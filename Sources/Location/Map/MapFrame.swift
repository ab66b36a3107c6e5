/// The part of the earth that a drawing shows, and the mapping from places to points.
struct MapFrame {
  let box: MapBox
  let projection: MapProjection
  /// Drawing units per meter, at the center.
  let scale: Double
  private let middle: MapPoint

  /// Create a frame in which the places fill the box, with a margin. A single place is shown with the area of a few
  /// houses around it.
  init(_ box: MapBox, showing places: [UnitVector], margin: Double) {
    self.box = box
    let sum = places.reduce(UnitVector(x: 0, y: 0, z: 0), +)
    var center = (sum.length > 1e-6 ? sum : places.first ?? UnitVector(x: 1, y: 0, z: 0)).coordinate
    var extent = Extent()
    // The mean is not the middle of the extent. Three passes converge: the last two barely move it.
    for _ in 0..<3 {
      let projection = MapProjection(center: center)
      extent = Extent()
      for place in places { extent.add(projection.point(place)) }
      guard let moved = projection.place(at: extent.middle) else { break }
      center = moved
    }
    projection = MapProjection(center: center)
    extent = Extent()
    for place in places { extent.add(projection.point(place)) }
    let inner = box.inset(by: margin)
    scale = min(inner.width / max(extent.width, 100), inner.height / max(extent.height, 100))
    middle = extent.middle
  }

  private struct Extent {
    var (west, east, south, north) = (Double.infinity, -Double.infinity, Double.infinity, -Double.infinity)
    var width: Double { max(0, east - west) }
    var height: Double { max(0, north - south) }
    var middle: MapPoint { west > east ? MapPoint(0, 0) : MapPoint((west + east) / 2, (south + north) / 2) }

    mutating func add(_ point: MapPoint) {
      (west, east) = (min(west, point.x), max(east, point.x))
      (south, north) = (min(south, point.y), max(north, point.y))
    }
  }

  func point(_ place: UnitVector) -> MapPoint {
    let point = projection.point(place)
    return MapPoint(
      box.x + box.width / 2 + (point.x - middle.x) * scale, box.y + box.height / 2 - (point.y - middle.y) * scale)
  }

  func point(_ place: Coordinate) -> MapPoint { point(UnitVector(place)) }

  /// The place at a point, or nil outside the projected world.
  func place(at point: MapPoint) -> Coordinate? {
    projection.place(
      at: MapPoint(
        (point.x - box.x - box.width / 2) / scale + middle.x, (box.y + box.height / 2 - point.y) / scale + middle.y))
  }

  /// Whether a place is so near to the antipode, where the projection tears, that a shape around it would be turned
  /// inside out.
  func isTorn(around center: Coordinate, radius: Double) -> Bool {
    projection.center.distance(to: center) + radius > 0.98 * .pi * Coordinate.earthRadius
  }
}
