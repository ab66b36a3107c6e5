import Support
import Testing

@testable import Location

struct CircleOutlineTests {
  @Test func anOrdinaryCircleIsOnePolygon() {
    let polygons = CircleOutline(center: .home, radius: 220.5).polygons
    #expect(polygons.map(\.count) == [1] && polygons[0][0].count == 65)
    for vertex in polygons[0][0] {
      let distance = NaiveFence.distance(.home, Coordinate(vertex.latitude, vertex.longitude))
      #expect(abs(distance - 220.5) < 0.001)
    }
  }

  /// The number of rings of each polygon.
  @Test(
    arguments: [
      (Coordinate(0, 180), 1000, [1, 1]), (Coordinate(0, -180), 1000, [1, 1]),
      (Coordinate(-17, 179.995), 1000, [1, 1]),
      (Coordinate(-17, -179.995), 1000, [1, 1]), (Coordinate(-17, 179.98), 1000, [1]),
      // One pole inside, both, and neither.
      (Coordinate(90, 0), 1000, [1]), (Coordinate(-90, 55), 1000, [1]), (Coordinate(89.995, 30), 1000, [1]),
      (Coordinate(-89.995, -30), 1000, [1]), (Coordinate(45, 45), 12_000_000, [1]),
      (Coordinate(89, 179.9), 19_000_000, [1]), (Coordinate(3, -100), 19_000_000, [2]),
      (Coordinate(3, 0.01), 19_000_000, [1]), (Coordinate(0, 0), 30_000_000, [1]), (Coordinate(0, 7), 1e300, [1]),
      // A hemisphere through both poles, and circles that touch one.
      (Coordinate(0, 10), Coordinate.earthRadius * .pi / 2, [1]), (Coordinate(45, 45), 5_003_778.610508981, [1]),
      (Coordinate(-45, -170), 5_003_778.610508981, [1, 1]),
    ] as [(Coordinate, Double, [Int])])
  func circlesAtPolesAndTheAntimeridianAreValid(center: Coordinate, radius: Double, counts: [Int]) {
    let polygons = CircleOutline(center: center, radius: radius).polygons
    #expect(polygons.map(\.count) == counts)
    #expect(polygons.problem == nil)
  }

  @Test func aTinyCircleHasNoShape() {
    #expect(CircleOutline(center: .home, radius: 1e-9).polygons.isEmpty)
  }

  /// Coordinates clearly inside the circle are in the polygons, and those clearly outside are not, anywhere on earth.
  @Test func polygonsCoverTheCircle() {
    var generator = SeededGenerator(seed: 9)
    for seed in 0..<600 as Range<UInt64> {
      let made = GeneratedTrack(seed: seed)
      let center = made.regions[0].center
      let radius = made.regions[0].radius
      let polygons = CircleOutline(center: center, radius: radius).polygons
      #expect(polygons.problem == nil, "seed \(seed)")
      for _ in 0..<20 {
        let distance = radius * Double.random(in: 0...2, using: &generator)
        guard abs(distance - radius) > 0.03 * radius else { continue }
        let coordinate = GeneratedTrack.destination(
          center, bearing: .random(in: 0...360, using: &generator), distance: distance)
        #expect(polygons.contain(coordinate) == (distance < radius), "\(coordinate) in \(radius) m around \(center)")
      }
    }
  }

  @Test func theValidatorDetectsInvalidPolygons() {
    let square = [(0, 0), (2, 0), (2, 2), (0, 2), (0, 0)].map { CircleOutline.Vertex(longitude: $0, latitude: $1) }
    let beside = square.map { CircleOutline.Vertex(longitude: $0.longitude + 2, latitude: $0.latitude) }
    #expect([[square]].problem == nil)
    #expect([[square], [beside]].problem != nil)
    #expect([[Array(square.reversed())]].problem != nil)
    #expect([[[square[0], square[2], square[1], square[3], square[0]]]].problem != nil)
    #expect([[Array(square.dropLast())]].problem != nil)
  }
}
