import Location
import Testing

struct CoordinateTests {
  @Test(arguments: [
    (90.000001, 0.0), (-90.000001, 0), (0, 180.000001), (0, -180.000001), (.nan, 0), (0, .nan), (.infinity, 0),
    (0, -.infinity),
  ])
  func rejectsCoordinatesOutOfRange(latitude: Double, longitude: Double) {
    #expect(Coordinate(latitude: latitude, longitude: longitude) == nil)
  }
}
