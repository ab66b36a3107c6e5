package import JSON
import Text

/// Regions as GeoJSON (RFC 7946), for geojson.io, QGIS and similar tools.
///
/// A region becomes two features: its circle as a polygon and its center as a point. A single geometry collection
/// would also be valid, but QGIS does not display them, whereas it creates separate layers for polygons and points.
package enum RegionGeoJSON {
  package static func collection(of regions: [Region]) -> JSONValue {
    ["type": "FeatureCollection", "features": .array(regions.flatMap { features(of: $0) })]
  }

  private static func features(of region: Region) -> [JSONValue] {
    let center: JSONValue = [
      "type": "Point", "coordinates": [.double(region.center.longitude), .double(region.center.latitude)],
    ]
    let polygons = CircleOutline(center: region.center, radius: region.radius).polygons.map { rings in
      JSONValue.array(
        rings.map { ring in .array(ring.map { .array([.double($0.longitude), .double($0.latitude)]) }) })
    }
    var circle: JSONValue?
    if polygons.count > 1 {
      circle = ["type": "MultiPolygon", "coordinates": .array(polygons)]
    } else if let polygon = polygons.first {
      circle = ["type": "Polygon", "coordinates": polygon]
    }
    return [
      circle.map { feature(region, id: "\(region.id)/circle", part: "circle", $0) },
      feature(region, id: region.id, part: "center", center),
    ].compactMap { $0 }
  }

  private static func feature(_ region: Region, id: String, part: String, _ geometry: JSONValue) -> JSONValue {
    [
      "type": "Feature", "id": .string(id), "geometry": geometry,
      "properties": [
        "id": .string(region.id), "part": .string(part), "direction": .string(region.direction.rawValue),
        "radius": .double(region.radius), "label": JSONValue(region.label),
        "connection": .string(region.connection), "feature": .string(region.feature),
      ],
    ]
  }
}

extension JSONValue {
  fileprivate static func double(_ value: Double) -> JSONValue { .number(JSONNumber(value)) }
}

/// The outline of a circle on the globe, as polygons in longitude and latitude. The polygons are cut at the
/// antimeridian and closed over the poles (RFC 7946, section 3.1.9).
///
/// A circle without a pole is as wide to the east as to the west at every latitude, so cutting it splits each slice
/// in two. If it contains one pole, its boundary crosses each meridian once. If it contains both, it is the whole
/// world minus the circle around its antipode.
struct CircleOutline {
  struct Vertex: Equatable {
    var longitude: Double
    var latitude: Double
  }

  /// A closed ring: counterclockwise around a polygon, clockwise around a hole.
  typealias Ring = [Vertex]

  /// The polygons, each with its outer ring first, followed by its hole, if any. No two share an edge, and together
  /// they cover the circle. Empty if the circle is too small to have a shape.
  let polygons: [[Ring]]

  /// - Parameters:
  ///   - radius: The radius in meters, greater than zero.
  ///   - count: The number of points on the circle, an even number.
  init(center: Coordinate, radius: Double, points count: Int = 64) {
    let reach = (radius / Coordinate.earthRadius).degrees
    guard reach < 180 else {
      polygons = [[Self.world]]
      return
    }
    guard radius >= Self.minimumRadius else {
      polygons = []
      return
    }
    // A circle that only touches a pole does not contain it.
    let limit = 90 + Self.poleTolerance
    switch (center.latitude + reach > limit, center.latitude - reach < -limit) {
    case (false, false): polygons = Self.strips(center, radius, count).map { [$0] }
    case (true, false): polygons = [[Self.cap(center, radius, count, pole: 90)]]
    case (false, true): polygons = [[Self.cap(center, radius, count, pole: -90)]]
    case (true, true):
      polygons = [Self.world(without: Self.strips(center.antipode, .pi * Coordinate.earthRadius - radius, count))]
    }
  }

  /// The smallest radius in meters. Rounding the corners of a smaller circle leaves no shape.
  private static let minimumRadius = 0.01
  /// The tolerance for touching a pole, in degrees.
  private static let poleTolerance = 1e-9

  private static let world = [(-180, -90), (180, -90), (180, 90), (-180, 90), (-180, -90)].map(Vertex.init)

  // MARK: - No pole

  /// The longitudes a circle covers at a latitude: `width` degrees on either side of its center.
  private typealias Slice = (latitude: Double, width: Double)

  private static func strips(_ center: Coordinate, _ radius: Double, _ count: Int) -> [Ring] {
    let towardsEast = center.longitude >= 0
    let room = 180 - abs(center.longitude)
    let slices = cut(slices(center, radius, count), at: room)
    let near = ring(slices) { slice in
      let (full, limited) = (slice.width, min(slice.width, room))
      return (center.longitude - (towardsEast ? full : limited), center.longitude + (towardsEast ? limited : full))
    }
    let beyond = slices.filter { $0.width >= room }
    guard beyond.contains(where: { $0.width > room }) else { return [near].compactMap { $0 } }
    let far = ring(beyond) { slice in
      towardsEast ? (-180, -180 + (slice.width - room)) : (180 - (slice.width - room), 180)
    }
    return [near, far].compactMap { $0 }
  }

  /// The slices of a circle, from south to north.
  private static func slices(_ center: Coordinate, _ radius: Double, _ count: Int) -> [Slice] {
    (0...count / 2).map { step in
      let point = center.destination(bearing: 180 - Double(step) * 360 / Double(count), distance: radius)
      // A circle through a pole reaches it along the meridians 90° from its center.
      guard abs(point.latitude) < 90 - poleTolerance else { return (point.latitude, 90) }
      return (point.latitude, step == 0 || step == count / 2 ? 0 : center.deltaLongitude(to: point))
    }
  }

  /// Insert a slice wherever the width passes `room`.
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

  private static func ring(_ slices: [Slice], edges: (Slice) -> (west: Double, east: Double)) -> Ring? {
    let east = slices.map { Vertex(longitude: edges($0).east, latitude: $0.latitude) }
    let west = slices.reversed().map { Vertex(longitude: edges($0).west, latitude: $0.latitude) }
    return closed(east + west)
  }

  // MARK: - One pole

  private static func cap(_ center: Coordinate, _ radius: Double, _ count: Int, pole: Double) -> Ring {
    // At a pole, every direction follows its own meridian, and the circle is a parallel.
    let points = (0..<count).map { center.destination(bearing: Double($0) * 360 / Double(count), distance: radius) }
    var boundary = points.map { Vertex(longitude: $0.longitude == 180 ? -180 : $0.longitude, latitude: $0.latitude) }
      .sorted(by: \.longitude)
    let (first, last) = (boundary[0], boundary[count - 1])
    let part = (180 - last.longitude) / (first.longitude + 360 - last.longitude)
    let height = last.latitude + part * (first.latitude - last.latitude)
    if first.longitude > -180 { boundary.insert(Vertex(longitude: -180, latitude: height), at: 0) }
    boundary.append(Vertex(longitude: 180, latitude: height))
    if pole < 0 { boundary.reverse() }
    let corners = pole < 0 ? [-180.0, 180] : [180, -180]
    return closed(boundary + corners.map { Vertex(longitude: $0, latitude: pole) }) ?? world
  }

  // MARK: - Both poles

  private static func world(without hole: [Ring]) -> [Ring] {
    let (west, east) = (notch(of: hole, at: -180), notch(of: hole, at: 180))
    // A hole must not share an edge with the outer ring, so it becomes a notch in it.
    guard west.count + east.count > 0 else { return [world] + hole.map { $0.reversed() } }
    let boundary =
      [Vertex(longitude: -180, latitude: -90), Vertex(longitude: 180, latitude: -90)] + east
      + [Vertex(longitude: 180, latitude: 90), Vertex(longitude: -180, latitude: 90)] + west
    return [closed(boundary) ?? world]
  }

  /// The path around a hole between the two points where it meets the antimeridian, clockwise around the hole. Empty
  /// if the hole has no edge there.
  private static func notch(of hole: [Ring], at meridian: Double) -> Ring {
    for ring in hole {
      let vertices = Array(ring.dropLast())
      let edgeIndices = vertices.indices.filter { vertices[$0].longitude == meridian }
      guard edgeIndices.count > 1,
        let start = edgeIndices.first(where: { !edgeIndices.contains(($0 + 1) % vertices.count) })
      else {
        continue
      }
      let round = vertices[start...] + vertices[..<start]
      let inland = round.dropFirst().prefix { $0.longitude != meridian }
      let end = round.dropFirst(1 + inland.count).prefix(1)
      return (round.prefix(1) + inland + end).reversed()
    }
    return []
  }

  // MARK: - Rings

  /// The closed ring, or nil if rounding leaves no shape.
  private static func closed(_ vertices: Ring) -> Ring? {
    var ring: Ring = []
    for vertex in vertices {
      let vertex = Vertex(longitude: rounded(vertex.longitude), latitude: rounded(vertex.latitude))
      if ring.last != vertex { ring.append(vertex) }
    }
    if ring.count > 1, ring.first == ring.last { ring.removeLast() }
    return ring.count < 3 ? nil : ring + [ring[0]]
  }

  /// Round to 1e-9 degrees, about a tenth of a millimeter.
  private static func rounded(_ degrees: Double) -> Double { (degrees * 1e9).rounded() / 1e9 }
}

extension Coordinate {
  fileprivate var antipode: Coordinate {
    Coordinate(nearestTo: -latitude, longitude > 0 ? longitude - 180 : longitude + 180)
  }

  /// The angle between the two meridians, in degrees.
  fileprivate func deltaLongitude(to other: Coordinate) -> Double {
    let difference = abs(other.longitude - longitude)
    return min(difference, 360 - difference)
  }
}
