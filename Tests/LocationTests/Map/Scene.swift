import World

@testable import Location

/// Maps for tests: the places of docs/api/connect.md §8 in Lisbon, and cases that are hard to draw.
struct Scene {
  var name: String
  var map: RegionMap

  init(_ name: String, _ regions: [Region], _ segments: [[Position]] = [], title: String = "A day in Lisbon") {
    var trail = Trail()
    var fence = Fence(regions, rules: FenceRules(reportsInitial: true))
    var transitions = TransitionMarks()
    for segment in segments {
      trail.beginSegment()
      for position in segment {
        trail.add(position)
        for event in fence.receive(position).events { transitions.add(event) }
      }
    }
    (self.name, map) = (name, RegionMap(regions, trail: trail, transitions: transitions, title: title))
  }

  var svg: String { String(decoding: map.svg(), as: UTF8.self) }
  var html: String { String(decoding: map.html(), as: UTF8.self) }

  static let home = Region(
    id: "d27e9a40-5b13-4c68-9f02-3e8a6b7c1d54", direction: .exit, center: .home, radius: 220.5, label: "Home",
    connection: "a1B2c3D4", feature: "f1")
  static let office = Region.around(Coordinate(38.7223, -9.1393), radius: 260, .entry, id: "office", label: "Office")
  static let ferry = Region.around(
    Coordinate(38.7078, -9.1366), radius: 330, .both, id: "ferry", label: "Terreiro do Paço")

  static let day = walk([
    (38.7369, -9.1427), (38.7308, -9.15), (38.7223, -9.1393), (38.7092, -9.1369), (38.7078, -9.131), (38.71, -9.125),
  ])

  /// A track from corner to corner, with a position every quarter of a minute.
  static func walk(_ corners: [(Double, Double)], steps: Int = 8) -> [Position] {
    var second: Int64 = 1_772_643_000
    var positions: [Position] = []
    for (from, to) in zip(corners, corners.dropFirst()) {
      for step in 0..<steps {
        let part = Double(step) / Double(steps)
        let (latitude, longitude) = (from.0 + (to.0 - from.0) * part, from.1 + (to.1 - from.1) * part)
        positions.append(Position(latitude, longitude, second: second, accuracy: 5))
        second += 15
      }
    }
    return positions + corners.suffix(1).map { Position($0.0, $0.1, second: second) }
  }

  static let lisbon = Scene("lisbon", [home, office, ferry], [day])
  static let hostileText = "</text></title><script>alert(1)</script>\u{202e}]]>&amp;\u{0}\u{1b}[31m\u{fffe}\"'"

  static let all = [
    lisbon, Scene("empty", []), Scene("regions", [home, office, ferry]), Scene("one region", [home]),
    Scene("one point", [], [[Position(38.7, -9.1)]]),
    Scene("no times", [home], [[Position(38.7, -9.1), Position(38.8, -9)]]),
    Scene("segments", [home], [day, walk([(38.72, -9.15), (38.715, -9.155)]), [Position(38.73, -9.14)]]),
    Scene(
      "fiji", [.around(Coordinate(-17.1, 179.998), radius: 900, label: "Taveuni")],
      [walk([(-17.12, 179.97), (-17.1, 179.999)]), walk([(-17.1, -179.999), (-17.09, -179.97)])]),
    Scene("pole", [.around(Coordinate(90, 0), radius: 300_000, .entry)], [walk([(84, 0), (87, -30), (89.5, 100)])]),
    Scene("south", [.around(Coordinate(-90, 0), radius: 1_500_000), .around(Coordinate(-60, 170), id: "b")]),
    Scene("everywhere", [.around(Coordinate(0, 0), radius: 1e9), .around(Coordinate(1, 1), radius: 0.001, id: "b")]),
    Scene("antipodes", [.around(Coordinate(0, 0)), .around(Coordinate(0, 180), id: "b")]),
    Scene("far", [home, .around(Coordinate(35.71, 139.81), id: "t", label: "Tokyo")], [day]),
    Scene("within", [home, .around(Coordinate(39.5, -8), radius: 400_000, id: "p", label: "Portugal")], [day]),
    Scene(
      "hostile",
      [
        .around(.home, id: hostileText, label: hostileText),
        .around(Coordinate(38.74, -9.14), id: "h", label: "בית הספר"),
      ],
      [day], title: hostileText),
    crowded,
  ]

  static let crowded = Scene(
    "crowded",
    (0..<60).map { index in
      let (row, column) = (Double(index / 8), Double(index % 8))
      return .around(
        Coordinate(38.7 + column * 0.004, -9.15 + row * 0.006), radius: 150 + row * 40,
        Region.Direction.allCases[index % 3], id: "r\(index)", label: "Place number \(index)")
    }, [day])
}
