#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

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
  func point(_ place: UnitVector) -> MapPoint {
    let (x, y) = (place.dot(east), place.dot(north))
    let fromAxis = (x * x + y * y).squareRoot()
    let angle = atan2(fromAxis, place.dot(outward))
    guard fromAxis > 0 else { return MapPoint(angle * Coordinate.earthRadius, 0) }
    let scale = angle * Coordinate.earthRadius / fromAxis
    return MapPoint(x * scale, y * scale)
  }

  /// The place that is drawn at a point, or nil outside the projected world.
  func place(at point: MapPoint) -> Coordinate? {
    let distance = point.distance(to: MapPoint(0, 0))
    let angle = distance / Coordinate.earthRadius
    guard angle <= .pi else { return nil }
    guard distance > 0 else { return center }
    let direction = east * (point.x / distance) + north * (point.y / distance)
    return (outward * cos(angle) + direction * sin(angle)).coordinate
  }
}
