#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Tells whether a place is nearer to a centre than a distance, by ``Coordinate/distance(to:)`` but at a fraction of its cost
/// for places that are not near the border.
struct Circle {
  private let centre: Coordinate
  /// What is nearer is inside.
  private let border: Double
  private let vector: UnitVector
  /// Degrees north and east of the centre beyond which nothing lies inside.
  private let height: Double
  private let width: Double
  /// Squares of chords: below the first all is inside, above the second all is outside.
  private let surelyInside: Double
  private let surelyOutside: Double

  init(centre: Coordinate, radius: Double) {
    (self.centre, vector) = (centre, UnitVector(centre))
    border = radius - min(Self.breadth, radius * 1e-6)
    let angle = radius / Coordinate.earthRadius
    // Far away rounding grows, up to a metre near the antipode, so that nothing is sure there but the formula itself.
    guard angle < 1 else {
      (height, width, surelyInside, surelyOutside) = (.infinity, .infinity, -1, .infinity)
      return
    }
    height = angle.degrees + Self.marginInDegrees
    let latitude = abs(centre.latitude)
    // The widest a circle gets: tangent to a meridian (spherical law of sines).
    width =
      latitude + height < 89.9
      ? asin(min(1, sin(height.radians) / cos(latitude.radians))).degrees + Self.marginInDegrees : .infinity
    surelyInside = radius > Self.margin ? Self.squaredChord(radius - Self.margin) : -1
    surelyOutside = Self.squaredChord(radius + Self.margin)
  }

  /// In metres; rounding is off by less than a hundred thousandth of it.
  private static let margin = 0.001
  /// Of the border, in metres: on the radius is outside, and not how somebody's formula rounds the last bit.
  private static let breadth = 1e-6
  private static let marginInDegrees = 1e-8

  private static func squaredChord(_ distance: Double) -> Double {
    let chord = 2 * sin(distance / Coordinate.earthRadius / 2)
    return chord * chord
  }

  /// Whether a place may be inside, looking at its degrees alone.
  @inline(__always)
  func mayContain(_ place: Coordinate) -> Bool {
    guard abs(place.latitude - centre.latitude) <= height else { return false }
    let turn = abs(place.longitude - centre.longitude)
    return min(turn, 360 - turn) <= width
  }

  /// - Parameter placeVector: of the same place; it is the same for all circles.
  @inline(__always)
  func contains(_ place: Coordinate, _ placeVector: UnitVector) -> Bool {
    let chord = vector.squaredChord(to: placeVector)
    if chord < surelyInside { return true }
    if chord > surelyOutside { return false }
    return isNearer(place)
  }

  @inline(never)
  private func isNearer(_ place: Coordinate) -> Bool { place.distance(to: centre) < border }

  func contains(_ place: Coordinate) -> Bool { mayContain(place) && contains(place, UnitVector(place)) }
}
