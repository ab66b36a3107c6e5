/// A selector for the regions to monitor when their number is limited: those with the nearest centers. At equal
/// distances, the lower id wins.
struct NearestRegions {
  private let regions: [(id: String, center: Coordinate)]
  private let limit: Int
  /// The distance from a place within which the selection stays valid.
  private var validity: (place: Coordinate, distance: Double)?

  init(_ regions: [Region], limit: Int) {
    self.regions = regions.map { ($0.id, $0.center) }
    self.limit = max(0, min(limit, regions.count))
  }

  /// The indices of the selected regions, or nil if the selection is the same as the last one.
  mutating func choose(for place: Coordinate) -> Set<Int>? {
    if let validity, place.distance(to: validity.place) < validity.distance { return nil }
    let ranked = regions.indices.map { (distance: regions[$0].center.distance(to: place), place: $0) }.sorted {
      ($0.distance, regions[$0.place].id) < ($1.distance, regions[$1.place].id)
    }
    // By the triangle inequality, moving d meters brings the nearest unselected region at most 2 d nearer. The margin
    // of one meter is far larger than any rounding error.
    let isAll = limit == 0 || limit == ranked.count
    let gap = isAll ? .infinity : ranked[limit].distance - ranked[limit - 1].distance
    validity = (place, gap / 2 - 1)
    return Set(ranked.prefix(limit).map(\.place))
  }
}
