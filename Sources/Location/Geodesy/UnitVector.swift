#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A place as a point on a sphere of radius one, where neither the poles nor the antimeridian are special.
struct UnitVector: Equatable {
  var x: Double
  var y: Double
  var z: Double

  init(_ place: Coordinate) {
    let (latitude, longitude) = (place.latitude.radians, place.longitude.radians)
    let fromAxis = cos(latitude)
    (x, y, z) = (fromAxis * cos(longitude), fromAxis * sin(longitude), sin(latitude))
  }

  init(x: Double, y: Double, z: Double) { (self.x, self.y, self.z) = (x, y, z) }

  /// The place in the vector's direction, whatever its length.
  var coordinate: Coordinate {
    Coordinate(nearestTo: atan2(z, (x * x + y * y).squareRoot()).degrees, atan2(y, x).degrees)
  }

  var length: Double { dot(self).squareRoot() }

  func dot(_ other: UnitVector) -> Double { x * other.x + y * other.y + z * other.z }

  /// The square of the straight line between the two, through the sphere.
  @inline(__always)
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
  /// Rounding may have carried a computed place beyond what there is.
  init(nearestTo latitude: Double, _ longitude: Double) {
    self.latitude = min(90, max(-90, latitude))
    self.longitude = min(180, max(-180, longitude))
  }

  /// Where one ends who sets out in a direction and goes straight on.
  /// - Parameters:
  ///   - bearing: in degrees, clockwise from north. At a pole every direction is along its meridian: 180 at the north
  ///     pole is along this place's own longitude.
  ///   - distance: in metres.
  func destination(bearing: Double, distance: Double) -> Coordinate {
    let (sinLatitude, cosLatitude) = (sin(latitude.radians), cos(latitude.radians))
    let (sinLongitude, cosLongitude) = (sin(longitude.radians), cos(longitude.radians))
    let north = UnitVector(x: -sinLatitude * cosLongitude, y: -sinLatitude * sinLongitude, z: cosLatitude)
    let east = UnitVector(x: -sinLongitude, y: cosLongitude, z: 0)
    let (angle, turn) = (distance / Self.earthRadius, bearing.radians)
    return (UnitVector(self) * cos(angle) + (north * cos(turn) + east * sin(turn)) * sin(angle)).coordinate
  }

  /// In degrees, clockwise from north, from 0 to 360: the direction in which to set out for another place.
  func bearing(to other: Coordinate) -> Double {
    let turn = (other.longitude - longitude).radians
    let (from, to) = (latitude.radians, other.latitude.radians)
    let angle = atan2(sin(turn) * cos(to), cos(from) * sin(to) - sin(from) * cos(to) * cos(turn)).degrees
    return angle < 0 ? angle + 360 : angle
  }
}

extension Double {
  /// Radians as degrees.
  var degrees: Double { self * 180 / .pi }
}
