import Support
import Testing

@testable import Location

struct MapGeometryTests {
  /// Every distance and direction from the center is true anywhere on earth, and the inverse leads back to it.
  @Test func projectionKeepsDistancesAndDirections() {
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<3000 {
      let center = Coordinate(.random(in: -90...90, using: &generator), .random(in: -180...180, using: &generator))
      let projection = MapProjection(center: center)
      let bearing = Double.random(in: 0...360, using: &generator)
      let distance = Double.random(in: 1...19_900_000, using: &generator)
      let coordinate = GeneratedTrack.destination(center, bearing: bearing, distance: distance)
      let point = projection.point(UnitVector(coordinate))
      #expect(abs(point.distance(to: MapPoint(0, 0)) - distance) < 0.01)
      if let back = projection.coordinate(at: point) {
        #expect(NaiveFence.distance(back, coordinate) < 0.01)
      } else {
        Issue.record()
      }
    }
    #expect(MapProjection(center: .home).coordinate(at: MapPoint(2.1e7, 0)) == nil)
  }

  @Test func theFrameContainsAllCoordinates() {
    let box = MapBox(x: 10, y: 20, width: 960, height: 600)
    for seed in 0..<300 as Range<UInt64> {
      let made = GeneratedTrack(seed: seed)
      let vectors = made.positions.map { UnitVector($0.coordinate) }
      let frame = MapFrame(box, showing: vectors, margin: 40)
      for vector in vectors {
        let point = frame.point(vector)
        #expect(box.inset(by: 39).contains(point), "seed \(seed)")
        if let back = frame.coordinate(at: point) { #expect(UnitVector(back).squaredChord(to: vector) < 1e-12) }
      }
    }
  }

  @Test func northIsUpAndEastIsRight() {
    let frame = MapFrame(
      MapBox(x: 0, y: 0, width: 400, height: 400),
      showing: [UnitVector(Coordinate(0, 179.9)), UnitVector(Coordinate(0, -179.9))],
      margin: 50)
    let (west, east) = (frame.point(Coordinate(0, 179.9)), frame.point(Coordinate(0, -179.9)))
    #expect(abs(west.x - 50) < 0.01 && abs(east.x - 350) < 0.01 && abs(west.y - 200) < 0.01)
    #expect(frame.point(Coordinate(0.1, 180)).y < 200)
  }

  @Test func aRegionIsDrawnAsACircle() {
    let frame = MapFrame(
      MapBox(x: 0, y: 0, width: 400, height: 400), showing: MapView.circle(Scene.home).map(UnitVector.init), margin: 50)
    let circle = RegionCircle(Scene.home, in: frame)
    for point in circle.boundary { #expect(abs(point.distance(to: circle.center) - 150) < 0.1) }
  }

  @Test func showsTheRegionsNearTheTrack() {
    let tokyo = Region.around(Coordinate(35.71, 139.81), id: "t")
    let view = MapView(Scene("", [Scene.home, tokyo], [Scene.day]).map)
    #expect(view.shown == [Scene.home] && view.beyond == [tokyo])
    // A much wider region is shown, but does not shrink the track.
    let wide = Region.around(Coordinate(39.5, -8), radius: 400_000, id: "p")
    let within = MapView(Scene("", [wide], [Scene.day]).map)
    let track = MapView(Scene("", [], [Scene.day]).map)
    // The initial entry adds one coordinate.
    #expect(within.shown == [wide] && within.vectors.dropLast() == track.vectors[...])
    #expect(MapView(Scene("", []).map).vectors.isEmpty)
  }

  /// A region on the other side of the earth would turn the map into a view of a pole.
  @Test func showsTheLargestGroupOfRegions() {
    let tokyo = Region.around(Coordinate(35.71, 139.81), id: "t", label: "Tokyo")
    let far = Region.around(Coordinate(0, 180), id: "f", label: "Far")
    let paris = Region.around(Coordinate(48.85, 2.35), id: "p", label: "Paris")
    func ids(_ regions: [Region]) -> String {
      let view = MapView(Scene("", regions).map)
      return [view.shown, view.beyond].map { $0.compactMap(\.label).joined(separator: ", ") }.joined(separator: " | ")
    }
    #expect(ids([far, Scene.home, Scene.office, paris]) == "Home, Office, Paris | Far")
    #expect(ids([tokyo, Scene.home]) == "Tokyo | Home", "the first of equal groups")
    #expect(ids([Scene.home, Scene.office]) == "Home, Office | ")
    // Neither the antimeridian nor a pole separates neighbors.
    #expect(ids([far, .around(Coordinate(1, -179), id: "n", label: "Near")]) == "Far, Near | ")
    let page = Scene("", [far, Scene.home, Scene.office]).svg
    #expect(page.contains("Outside the picture, ") && page.contains(": Far<") && !page.contains("Pole"))
  }

  @Test(arguments: [(1.0, 1.0), (1.9, 1), (2, 2), (4.99, 2), (5, 5), (999, 500), (1234, 1000), (0.03, 0.02)])
  func scaleBarsHaveRoundLengths(meters: Double, length: Double) {
    #expect(abs(ScaleBar.roundLength(atMost: meters) - length) < 1e-9)
  }

  @Test func theScaleBarIsAccurate() {
    for scene in Scene.all where !scene.map.regions.isEmpty {
      let frame = MapFrame(
        MapBox(x: 0, y: 0, width: 960, height: 600), showing: MapView(scene.map).vectors, margin: 44)
      let bar = ScaleBar(frame)
      #expect(bar.length * frame.scale <= 171 && bar.length * frame.scale > 60)
    }
  }

  @Test(arguments: [(0.0000001, 0.000001), (0.0031, 0.005), (0.4, 0.5), (1, 1), (3, 5), (6, 10), (11, 15), (99, 30)])
  func graticulesHaveRoundSteps(degrees: Double, step: Double) {
    #expect(abs(Graticule.step(atLeast: degrees) - step) < 1e-12)
  }

  @Test func graticuleLabelsAreShort() {
    let box = MapBox(x: 0, y: 0, width: 960, height: 600)
    let frame = MapFrame(box, showing: MapView(Scene.lisbon.map).vectors, margin: 44)
    let labels = Graticule(frame, spacing: 110).lines.map(\.label)
    #expect(labels.contains("38.72° N") && labels.contains("9.14° W") && labels.count < 30)
    let fiji = MapFrame(
      box, showing: [UnitVector(Coordinate(-17, 179.9)), UnitVector(Coordinate(-17, -179.9))], margin: 44)
    let across = Graticule(fiji, spacing: 110).lines.map(\.label)
    #expect(across.contains("180°") && across.contains("179.95° E") && across.contains("179.95° W"))
  }

  /// Near a pole, a degree of longitude is short, so only a few meridians fit in a picture.
  @Test(arguments: [89.9, 90, -89.95, -90, 89.999, 85, 60, 0], [5000.0, 300, 300_000])
  func meridiansAreSpacedEvenlyNearPoles(latitude: Double, radius: Double) {
    let box = MapBox(x: 0, y: 0, width: 960, height: 600)
    let region = Region.around(Coordinate(latitude, 17), radius: radius)
    let frame = MapFrame(box, showing: MapView(Scene("", [region]).map).vectors, margin: 44)
    let meridians = Graticule(frame, spacing: 110).lines.filter(\.isMeridian)
    #expect((1...36).contains(meridians.count), "\(meridians.map(\.label))")
    // The meridians surround a visible pole completely, and do not just form a wedge.
    guard abs(latitude) == 90 else { return }
    let longitudes = meridians.map { line in
      let degrees = Double(line.label.prefix { $0 != "°" }) ?? 0
      return line.label.hasSuffix("W") ? 360 - degrees : degrees
    }.sorted()
    let gaps = zip(longitudes, longitudes.dropFirst() + [(longitudes.first ?? 0) + 360]).map { $1 - $0 }
    #expect(gaps.allSatisfy { $0 <= 30.001 }, "\(longitudes)")
  }

  @Test func labelsAvoidTakenBoxes() {
    let frame = MapBox(x: 0, y: 0, width: 100, height: 100)
    var labels = LabelPlacement(
      in: frame, taken: [MapBox(x: 0, y: 0, width: 50, height: 50)], avoiding: [MapPoint(75, 25)])
    let boxes = [(10.0, 10.0), (95, 10), (60, 20), (60, 60)].map { MapBox(x: $0, y: $1, width: 20, height: 10) }
    #expect(labels.place(boxes) == boxes[3])
    #expect(labels.place(boxes) == boxes[2])
    #expect(labels.place(boxes) == nil && labels.omitted == 1)
  }
}
