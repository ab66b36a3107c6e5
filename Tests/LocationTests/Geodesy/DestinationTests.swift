import Support
import Testing

@testable import Location

struct DestinationTests {
  @Test func destinationsAreAtTheGivenDistance() {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<5000 {
      let start = Coordinate(.random(in: -90...90, using: &generator), .random(in: -180...180, using: &generator))
      let distance = Double.random(in: 0.01...19_000_000, using: &generator)
      let bearing = Double.random(in: 0...360, using: &generator)
      let end = start.destination(bearing: bearing, distance: distance)
      #expect(abs(NaiveFence.distance(start, end) - distance) < 1e-6 + distance * 1e-12)
      guard abs(start.latitude) < 89, distance > 1 else { continue }
      let difference = abs(start.bearing(to: end) - bearing)
      #expect(min(difference, 360 - difference) < 1e-4)
    }
  }

  @Test func cardinalBearingsFollowMeridiansAndParallels() {
    let degree = 111_195.0802335329
    let start = Coordinate(10, 20)
    #expect(abs(start.destination(bearing: 0, distance: degree).latitude - 11) < 1e-9)
    #expect(abs(start.destination(bearing: 180, distance: degree).latitude - 9) < 1e-9)
    #expect(abs(Coordinate(0, 180).destination(bearing: 90, distance: degree).longitude + 179) < 1e-9)
    #expect(abs(Coordinate(90, 20).destination(bearing: 180, distance: degree).longitude - 20) < 1e-9)
    #expect(start.bearing(to: Coordinate(10, 20)) == 0)
    #expect(Coordinate(0, 0).bearing(to: Coordinate(0, -1)) == 270)
  }

  @Test func unitVectorsRoundTrip() {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<5000 {
      let coordinate = Coordinate(.random(in: -90...90, using: &generator), .random(in: -180...180, using: &generator))
      #expect(NaiveFence.distance(UnitVector(coordinate).coordinate, coordinate) < 1e-6)
    }
    #expect(UnitVector(Coordinate(90, 7)).coordinate.latitude == 90)
  }
}
