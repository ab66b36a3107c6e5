import JSON
import Location
import World

extension Coordinate {
  init(_ latitude: Double, _ longitude: Double) {
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
      fatalError("\(latitude), \(longitude) is not a coordinate")
    }
    self = coordinate
  }

  static let home = Coordinate(38.7369, -9.1427)
}

extension Region {
  static func around(
    _ center: Coordinate, radius: Double = 100, _ direction: Direction = .both, id: String = "a", label: String? = nil
  ) -> Region {
    Region(
      id: id, direction: direction, center: center, radius: radius, label: label, connection: "c1", feature: "f1")
  }
}

extension Position {
  /// - Parameter second: The time in seconds since 1970.
  init(_ latitude: Double, _ longitude: Double, second: Int64? = nil, accuracy: Double? = nil) {
    self.init(
      Coordinate(latitude, longitude), at: second.map { Timestamp(milliseconds: $0 * 1000) }, accuracy: accuracy)
  }
}

/// A straight road north from (0, 0), measured in meters, with a region of 100 meters around its start.
enum Road {
  static let metresADegree = Coordinate.earthRadius * .pi / 180

  static func position(_ meters: Double, second: Int64? = nil, accuracy: Double? = nil) -> Position {
    Position(meters / metresADegree, 0, second: second, accuracy: accuracy)
  }

  static let region = Region.around(Coordinate(0, 0))
}

extension JSONValue {
  init(_ text: String, as _: Void = ()) throws { try self.init(parsing: Array(text.utf8)) }
}
