/// A circle on the globe as polygons in the plane of longitudes and latitudes, cut at the antimeridian and closed over
/// the poles (RFC 7946, section 3.1.9).
///
/// At each latitude a circle takes in the longitudes up to some distance from its centre's, all of them near a pole
/// that lies inside. So one list of such distances describes it, and cutting it is taking a part of each.
struct CircleOutline {
  struct Vertex: Equatable {
    var longitude: Double
    var latitude: Double
  }

  /// Closed, counter-clockwise, without holes, together the whole circle. None where it is too small to have a shape.
  private(set) var rings: [[Vertex]] = []

  /// Half the circle, from south to north.
  private typealias Slice = (latitude: Double, width: Double)

  /// - Parameters:
  ///   - radius: in metres, more than zero.
  ///   - count: how many points stand on the circle, an even number.
  init(centre: Coordinate, radius: Double, points count: Int = 64) {
    // Where every longitude is the same, none needs to be cut in two.
    let isEverywhere = abs(centre.latitude) == 90 || radius / Coordinate.earthRadius >= .pi
    let centre = isEverywhere ? Coordinate(nearestTo: centre.latitude, 0) : centre
    let towardsEast = centre.longitude >= 0
    let room = 180 - abs(centre.longitude)
    let slices = Self.cut(Self.slices(centre, radius, count), at: room)
    add(slices) { slice in
      let (near, far) = (slice.width, min(slice.width, room))
      return (centre.longitude - (towardsEast ? near : far), centre.longitude + (towardsEast ? far : near))
    }
    for run in slices.split(whereSeparator: { $0.width < room }) where run.contains(where: { $0.width > room }) {
      add(Array(run)) { slice in
        towardsEast ? (-180, -180 + (slice.width - room)) : (180 - (slice.width - room), 180)
      }
    }
  }

  private static func slices(_ centre: Coordinate, _ radius: Double, _ count: Int) -> [Slice] {
    let reach = (radius / Coordinate.earthRadius).degrees
    guard reach < 180 else { return [(-90, 180), (90, 180)] }
    var slices: [Slice] = []
    if centre.latitude - reach < -90 { slices.append((-90, 180)) }
    for step in 0...count / 2 {
      let place = centre.destination(bearing: 180 - Double(step) * 360 / Double(count), distance: radius)
      let turn = abs(place.longitude - centre.longitude)
      slices.append((place.latitude, min(turn, 360 - turn)))
    }
    if centre.latitude + reach > 90 { slices.append((90, 180)) }
    return slices
  }

  /// With a slice wherever the width passes `room`.
  private static func cut(_ slices: [Slice], at room: Double) -> [Slice] {
    var result: [Slice] = []
    for slice in slices {
      if let last = result.last, (last.width - room) * (slice.width - room) < 0 {
        let part = (room - last.width) / (slice.width - last.width)
        result.append((last.latitude + part * (slice.latitude - last.latitude), room))
      }
      result.append(slice)
    }
    return result
  }

  private mutating func add(_ slices: [Slice], sides: (Slice) -> (west: Double, east: Double)) {
    var ring: [Vertex] = []
    func append(_ longitude: Double, _ latitude: Double) {
      let vertex = Vertex(longitude: Self.rounded(longitude), latitude: Self.rounded(latitude))
      if ring.last != vertex { ring.append(vertex) }
    }
    for slice in slices { append(sides(slice).east, slice.latitude) }
    for slice in slices.reversed() { append(sides(slice).west, slice.latitude) }
    if ring.count > 1, ring.first == ring.last { ring.removeLast() }
    guard ring.count >= 3 else { return }
    rings.append(ring + [ring[0]])
  }

  /// To a tenth of a millimetre.
  private static func rounded(_ degrees: Double) -> Double { (degrees * 1e9).rounded() / 1e9 }
}
