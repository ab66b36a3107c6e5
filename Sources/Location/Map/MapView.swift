/// The contents that a map shows. With a track, it shows only what is near the track: a region on another continent
/// would shrink a town to a dot.
struct MapView {
  var shown: [Region] = []
  /// Regions that are too far away to show.
  var beyond: [Region] = []
  /// The places that the picture must include.
  var places: [UnitVector] = []
  /// The middle of ``places``.
  var center: Coordinate?

  init(_ map: RegionMap) {
    places = map.trail.stops.map(\.vector) + map.crossings.drawn.map { UnitVector($0.place) }
    let sum = places.reduce(UnitVector(x: 0, y: 0, z: 0), +)
    guard !places.isEmpty, sum.length > 1e-6 else {
      shown = map.regions
      for region in map.regions { places += Self.circle(region).map(UnitVector.init) }
      center = map.regions.first?.center
      return
    }
    let middle = sum.coordinate
    center = middle
    let vector = UnitVector(middle)
    // A chord is shorter than the arc, by a third at most.
    let extent = max(
      100, places.reduce(0) { max($0, $1.squaredChord(to: vector)) }.squareRoot() * Coordinate.earthRadius)
    for region in map.regions {
      let distance = middle.distance(to: region.center)
      if distance - region.radius > max(4 * extent, 2000) {
        beyond.append(region)
      } else {
        shown.append(region)
        // A region far wider than the track is shown only in part.
        if distance + region.radius <= max(6 * extent, 4000) { places += Self.circle(region).map(UnitVector.init) }
      }
    }
  }

  /// Points on a region's border, clockwise from north.
  static func circle(_ region: Region) -> [Coordinate] {
    (0..<72).map { region.center.destination(bearing: Double($0) * 5, distance: min(region.radius, 2e7)) }
  }
}
