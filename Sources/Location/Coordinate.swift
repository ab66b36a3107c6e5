#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A point on the earth (WGS 84), in degrees.
package struct Coordinate: Sendable, Hashable {
  /// The latitude, from -90 to 90, north positive.
  package let latitude: Double
  /// The longitude, from -180 to 180, east positive.
  package let longitude: Double

  /// Create a coordinate, or return nil if a value is out of range, infinite or NaN.
  package init?(latitude: Double, longitude: Double) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    (self.latitude, self.longitude) = (latitude, longitude)
  }

  /// The mean radius of the earth, in meters (IUGG).
  package static let earthRadius = 6_371_008.8

  /// The great-circle distance in meters, by the haversine formula. It is exact at short range, across the
  /// antimeridian and at the poles, and differs from the distance on an ellipsoid by up to 0.5%.
  package func distance(to other: Coordinate) -> Double {
    let (from, to) = (latitude.radians, other.latitude.radians)
    let (sinHalfLatitude, sinHalfLongitude) = (sin((to - from) / 2), sin((other.longitude - longitude).radians / 2))
    let haversine = sinHalfLatitude * sinHalfLatitude + cos(from) * cos(to) * sinHalfLongitude * sinHalfLongitude
    return 2 * Self.earthRadius * asin(min(1, haversine.squareRoot()))
  }
}

extension Double {
  /// The radians for an angle in degrees.
  var radians: Double { self * .pi / 180 }
}

/// A coordinate as a point on the unit sphere. In this form, neither the poles nor the antimeridian are special.
struct UnitVector: Equatable {
  var x: Double
  var y: Double
  var z: Double

  init(_ coordinate: Coordinate) {
    let (latitude, longitude) = (coordinate.latitude.radians, coordinate.longitude.radians)
    let fromAxis = cos(latitude)
    (x, y, z) = (fromAxis * cos(longitude), fromAxis * sin(longitude), sin(latitude))
  }

  init(x: Double, y: Double, z: Double) { (self.x, self.y, self.z) = (x, y, z) }

  /// The coordinate in the vector's direction, whatever its length.
  var coordinate: Coordinate {
    Coordinate(nearestTo: atan2(z, (x * x + y * y).squareRoot()).degrees, atan2(y, x).degrees)
  }

  var length: Double { dot(self).squareRoot() }

  func dot(_ other: UnitVector) -> Double { x * other.x + y * other.y + z * other.z }

  /// The squared length of the straight line between the two points, through the sphere.
  func squaredChord(to other: UnitVector) -> Double {
    let (dx, dy, dz) = (x - other.x, y - other.y, z - other.z)
    return dx * dx + dy * dy + dz * dz
  }

  static func + (a: UnitVector, b: UnitVector) -> UnitVector { UnitVector(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z) }
  static func - (a: UnitVector, b: UnitVector) -> UnitVector { UnitVector(x: a.x - b.x, y: a.y - b.y, z: a.z - b.z) }
  static func * (a: UnitVector, factor: Double) -> UnitVector {
    UnitVector(x: a.x * factor, y: a.y * factor, z: a.z * factor)
  }
}

extension Coordinate {
  /// Create the nearest valid coordinate. Rounding may have moved a computed value out of range.
  init(nearestTo latitude: Double, _ longitude: Double) {
    self.latitude = min(90, max(-90, latitude))
    self.longitude = min(180, max(-180, longitude))
  }

  /// The coordinate reached by following a great circle from here.
  /// - Parameters:
  ///   - bearing: The initial direction in degrees, clockwise from north. At a pole it is relative to the meridian of this
  ///     coordinate's longitude: at the north pole, 180 follows that meridian.
  ///   - distance: The distance in meters.
  func destination(bearing: Double, distance: Double) -> Coordinate {
    let (sinLatitude, cosLatitude) = (sin(latitude.radians), cos(latitude.radians))
    let (sinLongitude, cosLongitude) = (sin(longitude.radians), cos(longitude.radians))
    let north = UnitVector(x: -sinLatitude * cosLongitude, y: -sinLatitude * sinLongitude, z: cosLatitude)
    let east = UnitVector(x: -sinLongitude, y: cosLongitude, z: 0)
    let (angle, azimuth) = (distance / Self.earthRadius, bearing.radians)
    return (UnitVector(self) * cos(angle) + (north * cos(azimuth) + east * sin(azimuth)) * sin(angle)).coordinate
  }

  /// The initial direction toward another coordinate, in degrees clockwise from north, from 0 to 360.
  func bearing(to other: Coordinate) -> Double {
    let deltaLongitude = (other.longitude - longitude).radians
    let (from, to) = (latitude.radians, other.latitude.radians)
    let angle = atan2(
      sin(deltaLongitude) * cos(to), cos(from) * sin(to) - sin(from) * cos(to) * cos(deltaLongitude)
    ).degrees
    return angle < 0 ? angle + 360 : angle
  }
}

extension Double {
  /// The degrees for an angle in radians.
  var degrees: Double { self * 180 / .pi }
}
