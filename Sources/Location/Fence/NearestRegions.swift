/// Chooses which regions are watched where there may only be so many: those whose centres are nearest, of equally near
/// ones those with the lower ids.
struct NearestRegions {
  private let regions: [(id: String, centre: Coordinate)]
  private let limit: Int
  /// How far one may go from there without another choice.
  private var validity: (place: Coordinate, distance: Double)?

  init(_ regions: [Region], limit: Int) {
    self.regions = regions.map { ($0.id, $0.centre) }
    self.limit = max(0, min(limit, regions.count))
  }

  /// Which regions those are, by their places in the list; nil where they are the same as the last time.
  mutating func choose(for place: Coordinate) -> Set<Int>? {
    if let validity, place.distance(to: validity.place) < validity.distance { return nil }
    let ranked = regions.indices.map { (distance: regions[$0].centre.distance(to: place), place: $0) }.sorted {
      ($0.distance, regions[$0.place].id) < ($1.distance, regions[$1.place].id)
    }
    // Going d metres brings the nearest of the others no more than 2 d nearer, by the triangle inequality. A metre is
    // far more than rounding.
    let isAll = limit == 0 || limit == ranked.count
    let gap = isAll ? .infinity : ranked[limit].distance - ranked[limit - 1].distance
    validity = (place, gap / 2 - 1)
    return Set(ranked.prefix(limit).map(\.place))
  }
}
