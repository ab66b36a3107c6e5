#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A place on the earth (WGS 84), in degrees.
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
    let (rise, turn) = (sin((to - from) / 2), sin((other.longitude - longitude).radians / 2))
    let haversine = rise * rise + cos(from) * cos(to) * turn * turn
    return 2 * Self.earthRadius * asin(min(1, haversine.squareRoot()))
  }
}

extension Double {
  /// The radians for an angle in degrees.
  var radians: Double { self * .pi / 180 }
}
