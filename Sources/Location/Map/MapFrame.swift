#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The part of the earth that a drawing shows, and the mapping from coordinates to points.
struct MapFrame {
  let box: MapBox
  let projection: MapProjection
  /// Drawing units per meter, at the center.
  let scale: Double
  private let middle: MapPoint

  /// Create a frame in which the coordinates fill the box, with a margin. A single coordinate is shown with the area
  /// of a few houses around it.
  init(_ box: MapBox, showing vectors: [UnitVector], margin: Double) {
    self.box = box
    let sum = vectors.reduce(UnitVector(x: 0, y: 0, z: 0), +)
    var center = (sum.length > 1e-6 ? sum : vectors.first ?? UnitVector(x: 1, y: 0, z: 0)).coordinate
    var extent = Extent()
    // The mean is not the middle of the extent. Three passes converge: the last two barely move it.
    for _ in 0..<3 {
      let projection = MapProjection(center: center)
      extent = Extent()
      for vector in vectors { extent.add(projection.point(vector)) }
      guard let moved = projection.coordinate(at: extent.middle) else { break }
      center = moved
    }
    projection = MapProjection(center: center)
    extent = Extent()
    for vector in vectors { extent.add(projection.point(vector)) }
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

  func point(_ vector: UnitVector) -> MapPoint {
    let point = projection.point(vector)
    return MapPoint(
      box.x + box.width / 2 + (point.x - middle.x) * scale, box.y + box.height / 2 - (point.y - middle.y) * scale)
  }

  func point(_ coordinate: Coordinate) -> MapPoint { point(UnitVector(coordinate)) }

  /// The coordinate at a point, or nil outside the projected world.
  func coordinate(at point: MapPoint) -> Coordinate? {
    projection.coordinate(
      at: MapPoint(
        (point.x - box.x - box.width / 2) / scale + middle.x, (box.y + box.height / 2 - point.y) / scale + middle.y))
  }

  /// Whether a coordinate is so near to the antipode, where the projection tears, that a shape around it would be
  /// turned inside out.
  func isTorn(around center: Coordinate, radius: Double) -> Bool {
    projection.center.distance(to: center) + radius > 0.98 * .pi * Coordinate.earthRadius
  }
}

/// The azimuthal equidistant projection: every distance and direction from its center is true.
///
/// North is up at the center. Neither the poles nor the antimeridian are special, so no shape has to be cut. At the
/// scale of a town it looks like any other map.
struct MapProjection {
  let center: Coordinate
  private let outward: UnitVector
  private let east: UnitVector
  private let north: UnitVector

  init(center: Coordinate) {
    self.center = center
    let (latitude, longitude) = (center.latitude.radians, center.longitude.radians)
    outward = UnitVector(center)
    east = UnitVector(x: -sin(longitude), y: cos(longitude), z: 0)
    north = UnitVector(x: -sin(latitude) * cos(longitude), y: -sin(latitude) * sin(longitude), z: cos(latitude))
  }

  /// The point in meters east and north of the center.
  func point(_ vector: UnitVector) -> MapPoint {
    let (x, y) = (vector.dot(east), vector.dot(north))
    let fromAxis = (x * x + y * y).squareRoot()
    let angle = atan2(fromAxis, vector.dot(outward))
    guard fromAxis > 0 else { return MapPoint(angle * Coordinate.earthRadius, 0) }
    let scale = angle * Coordinate.earthRadius / fromAxis
    return MapPoint(x * scale, y * scale)
  }

  /// The coordinate that is drawn at a point, or nil outside the projected world.
  func coordinate(at point: MapPoint) -> Coordinate? {
    let distance = point.distance(to: MapPoint(0, 0))
    let angle = distance / Coordinate.earthRadius
    guard angle <= .pi else { return nil }
    guard distance > 0 else { return center }
    let direction = east * (point.x / distance) + north * (point.y / distance)
    return (outward * cos(angle) + direction * sin(angle)).coordinate
  }
}

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
