import Support
import Testing

@testable import Location

struct CircleOutlineTests {
  /// Twice the enclosed area, positive where a ring runs counter-clockwise.
  static func area(_ ring: [CircleOutline.Vertex]) -> Double {
    zip(ring, ring.dropFirst()).reduce(0) { $0 + $1.0.longitude * $1.1.latitude - $1.1.longitude * $1.0.latitude }
  }

  static func contains(_ rings: [[CircleOutline.Vertex]], _ place: Coordinate) -> Bool {
    rings.contains { ring in
      zip(ring, ring.dropFirst()).reduce(false) { isInside, edge in
        let (a, b) = edge
        guard (a.latitude > place.latitude) != (b.latitude > place.latitude) else { return isInside }
        let part = (place.latitude - a.latitude) / (b.latitude - a.latitude)
        return place.longitude < a.longitude + part * (b.longitude - a.longitude) ? !isInside : isInside
      }
    }
  }

  @Test func anOrdinaryCircle() {
    let rings = CircleOutline(centre: .home, radius: 220.5).rings
    #expect(rings.count == 1 && rings[0].count == 65 && rings[0].first == rings[0].last)
    for vertex in rings[0] {
      let distance = NaiveFence.distance(.home, Coordinate(vertex.latitude, vertex.longitude))
      #expect(abs(distance - 220.5) < 0.001)
    }
  }

  @Test(arguments: [
    (Coordinate(0, 180), 1000.0, 2), (Coordinate(0, -180), 1000, 2), (Coordinate(-17, 179.995), 1000, 2),
    (Coordinate(-17, -179.995), 1000, 2), (Coordinate(-17, 179.98), 1000, 1), (Coordinate(90, 0), 1000, 1),
    (Coordinate(-90, 55), 1000, 1), (Coordinate(89.995, 30), 1000, 2), (Coordinate(-89.995, -30), 1000, 2),
    (Coordinate(89.995, 0), 1000, 1), (Coordinate(0, 0), 30_000_000, 1),
  ])
  func hardPlaces(centre: Coordinate, radius: Double, count: Int) {
    let rings = CircleOutline(centre: centre, radius: radius).rings
    #expect(rings.count == count)
    for ring in rings {
      #expect(ring.first == ring.last && ring.count >= 4 && Self.area(ring) > 0)
      #expect(ring.allSatisfy { abs($0.longitude) <= 180 && abs($0.latitude) <= 90 })
      // Nothing crosses the antimeridian: no edge is longer than half the way round, but along a pole.
      #expect(
        zip(ring, ring.dropFirst()).allSatisfy { abs($0.longitude - $1.longitude) <= 180 || abs($0.latitude) == 90 })
    }
  }

  @Test func tooSmallToHaveAShape() {
    #expect(CircleOutline(centre: .home, radius: 1e-9).rings.isEmpty)
  }

  /// What is well inside is in the polygons, and what is well outside is not, wherever on earth.
  @Test func isTheCircle() {
    var generator = SeededGenerator(seed: 9)
    for seed in 0..<600 as Range<UInt64> {
      let made = GeneratedTrack(seed: seed)
      let centre = made.regions[0].centre
      let radius = made.regions[0].radius
      let rings = CircleOutline(centre: centre, radius: radius).rings
      #expect(rings.allSatisfy { $0.first == $0.last && Self.area($0) > 0 }, "seed \(seed)")
      for _ in 0..<20 {
        let distance = radius * Double.random(in: 0...2, using: &generator)
        guard abs(distance - radius) > 0.03 * radius else { continue }
        let place = GeneratedTrack.destination(
          centre, bearing: .random(in: 0...360, using: &generator), distance: distance)
        #expect(Self.contains(rings, place) == (distance < radius), "\(place) in \(radius) m around \(centre)")
      }
    }
  }
}
