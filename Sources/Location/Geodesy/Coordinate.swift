#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A place on the earth (WGS 84), in degrees.
package struct Coordinate: Sendable, Hashable {
  /// From -90 to 90, north positive.
  package let latitude: Double
  /// From -180 to 180, east positive.
  package let longitude: Double

  /// Nil where it is no place on the earth, infinities and NaN among them.
  package init?(latitude: Double, longitude: Double) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    (self.latitude, self.longitude) = (latitude, longitude)
  }

  /// The mean radius of the earth, in metres (IUGG).
  package static let earthRadius = 6_371_008.8

  /// Metres along the great circle, by the haversine formula: exact near by, across the antimeridian and at the poles,
  /// and up to 0.5 % off an ellipsoid's distance.
  package func distance(to other: Coordinate) -> Double {
    let (from, to) = (latitude.radians, other.latitude.radians)
    let (rise, turn) = (sin((to - from) / 2), sin((other.longitude - longitude).radians / 2))
    let haversine = rise * rise + cos(from) * cos(to) * turn * turn
    return 2 * Self.earthRadius * asin(min(1, haversine.squareRoot()))
  }
}

extension Double {
  /// Degrees as radians.
  var radians: Double { self * .pi / 180 }
}
