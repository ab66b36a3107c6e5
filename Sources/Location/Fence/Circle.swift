#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A test for whether a place is nearer to a center than a given distance. It gives the same result as
/// ``Coordinate/distance(to:)``, at a fraction of its cost for places that are not near the boundary.
struct Circle {
  private let center: Coordinate
  /// The distance from the center, in meters, below which a place is inside.
  private let border: Double
  private let vector: UnitVector
  /// The latitude and longitude differences from the center, in degrees, beyond which every place is outside.
  private let height: Double
  private let width: Double
  /// Squared chord lengths: below the first, every place is inside; above the second, every place is outside.
  private let surelyInside: Double
  private let surelyOutside: Double

  init(center: Coordinate, radius: Double) {
    (self.center, vector) = (center, UnitVector(center))
    border = radius - min(Self.breadth, radius * 1e-6)
    let angle = radius / Coordinate.earthRadius
    // Rounding errors grow with distance, up to a meter near the antipode, so large circles always use the exact
    // formula.
    guard angle < 1 else {
      (height, width, surelyInside, surelyOutside) = (.infinity, .infinity, -1, .infinity)
      return
    }
    height = angle.degrees + Self.marginInDegrees
    let latitude = abs(center.latitude)
    // The circle's greatest width, where it is tangent to a meridian (spherical law of sines).
    width =
      latitude + height < 89.9
      ? asin(min(1, sin(height.radians) / cos(latitude.radians))).degrees + Self.marginInDegrees : .infinity
    surelyInside = radius > Self.margin ? Self.squaredChord(radius - Self.margin) : -1
    surelyOutside = Self.squaredChord(radius + Self.margin)
  }

  /// The safety margin of the fast test, in meters. Rounding errors are less than a hundred thousandth of it.
  private static let margin = 0.001
  /// The width of the boundary, in meters. A place exactly on the radius is outside, however a distance formula
  /// rounds the last bit.
  private static let breadth = 1e-6
  private static let marginInDegrees = 1e-8

  private static func squaredChord(_ distance: Double) -> Double {
    let chord = 2 * sin(distance / Coordinate.earthRadius / 2)
    return chord * chord
  }

  /// Whether a place may be inside, judged by its latitude and longitude alone.
  @inline(__always)
  func mayContain(_ place: Coordinate) -> Bool {
    guard abs(place.latitude - center.latitude) <= height else { return false }
    let turn = abs(place.longitude - center.longitude)
    return min(turn, 360 - turn) <= width
  }

  /// - Parameter placeVector: The unit vector of the same place; every circle can share it.
  @inline(__always)
  func contains(_ place: Coordinate, _ placeVector: UnitVector) -> Bool {
    let chord = vector.squaredChord(to: placeVector)
    if chord < surelyInside { return true }
    if chord > surelyOutside { return false }
    return isNearer(place)
  }

  @inline(never)
  private func isNearer(_ place: Coordinate) -> Bool { place.distance(to: center) < border }

  func contains(_ place: Coordinate) -> Bool { mayContain(place) && contains(place, UnitVector(place)) }
}
