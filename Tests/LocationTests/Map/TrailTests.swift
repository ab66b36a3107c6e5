import Foundation
import Support
import Testing
import Text
import World

@testable import Location

struct TrailTests {
  /// The distance from a coordinate to a great-circle arc, computed on the sphere.
  private static func distance(_ coordinate: Coordinate, _ from: Coordinate, _ to: Coordinate) -> Double {
    let steps = 50
    return (0...steps).map { step -> Double in
      let part = Double(step) / Double(steps)
      let between = (UnitVector(from) * (1 - part) + UnitVector(to) * part).coordinate
      return NaiveFence.distance(coordinate, between)
    }.min() ?? .infinity
  }

  @Test func aShortTrackIsNotSimplified() {
    var trail = Trail()
    for position in Scene.day { trail.add(position) }
    #expect(trail.stops.map(\.position) == Scene.day && trail.tolerance == 0)
    #expect(trail.positions == Scene.day.count && trail.segments == 1)
    #expect(trail.firstTime == Scene.day.first?.time && trail.lastTime == Scene.day.last?.time)
    #expect(trail.stops.map(\.beginsSegment) == [true] + Array(repeating: false, count: Scene.day.count - 1))
  }

  @Test(arguments: [(Coordinate(38.7, -9.1), 1), (Coordinate(0, 179.99), 40), (Coordinate(89.99, 0), 1)])
  func removedPositionsAreNearTheLine(start: Coordinate, segments: Int) {
    var generator = SeededGenerator(seed: 5)
    var trail = Trail(limit: 100)
    var all: [[Position]] = []
    var coordinate = start
    var bearing = 0.0
    for segment in 0..<segments {
      trail.beginSegment()
      all.append([])
      for _ in 0..<4000 / segments {
        bearing += .random(in: -20...20, using: &generator)
        coordinate = GeneratedTrack.destination(
          coordinate, bearing: bearing, distance: .random(in: 0...20, using: &generator))
        let position = Position(coordinate)
        trail.add(position)
        all[segment].append(position)
      }
    }
    #expect(trail.stops.count <= 200 && trail.positions == 4000 / segments * segments && trail.segments == segments)
    #expect(trail.tolerance > 0 && trail.tolerance < 2000)
    for position in all.joined().enumerated().filter({ $0.offset % 29 == 0 }).map(\.element) {
      let distances = zip(trail.stops, trail.stops.dropFirst() + [trail.stops[0]]).map { a, b in
        b.beginsSegment
          ? NaiveFence.distance(position.coordinate, a.position.coordinate)
          : Self.distance(position.coordinate, a.position.coordinate, b.position.coordinate)
      }
      // The samples on the line are up to a few meters apart.
      #expect((distances.min() ?? .infinity) <= trail.tolerance + 5)
    }
  }

  @Test func memoryUseIsBounded() {
    var still = Trail(limit: 50)
    var jumping = Trail(limit: 50)
    var cut = Trail(limit: 50)
    var generator = SeededGenerator(seed: 8)
    for _ in 0..<3000 {
      still.add(Position(38.7, -9.1))
      jumping.add(Position(.random(in: -90...90, using: &generator), .random(in: -180...180, using: &generator)))
      cut.beginSegment()
      cut.add(Position(.random(in: -90...90, using: &generator), .random(in: -180...180, using: &generator)))
      #expect(max(still.stops.count, jumping.stops.count, cut.stops.count) <= 100)
    }
    #expect(still.tolerance <= 0.5 && still.positions == 3000 && cut.segments == 3000)
  }

  /// The marks stay at the transitions, however the line is simplified.
  @Test func simplifiesAHundredThousandPositions() {
    let corners = (0..<400).map { corner -> (Double, Double) in
      let (north, east) = (Double(corner * 37 % 100), Double(corner * 61 % 100))
      return (38.72 + 0.0002 * north, -9.14 + 0.0002 * east)
    }
    let track = Scene.walk(corners, steps: 250)
    let scene = Scene("long", [Scene.home, Scene.office], [track])
    #expect(scene.map.trail.positions == 99_751 && scene.map.trail.stops.count <= 4000)
    #expect(scene.map.transitions.count > 20)
    let svg = scene.svg
    #expect(svg.utf8.count < 400_000 && scene.html.utf8.count < 900_000)
    for event in scene.map.transitions.drawn {
      #expect(svg.contains(MarkupText.escaped(MapDrawing.title(event, in: scene.map))))
    }
    #expect(svg.contains("The line is drawn through "))
  }

  @Test func drawsOnlyTheFirstThousandTransitions() {
    let track = (0..<2500).map { Road.position($0 % 2 == 0 ? 0 : 500, second: Int64($0)) }
    let scene = Scene("flapping", [Road.region], [track])
    #expect(scene.map.transitions.count == 2500)
    #expect(scene.svg.contains("The first 1,000 entries and exits are drawn"))
    #expect(scene.svg.components(separatedBy: "class=\"mark ").count < 1010)
    #expect(scene.svg.contains("1,250 entries and 1,250 exits"))
  }
}
