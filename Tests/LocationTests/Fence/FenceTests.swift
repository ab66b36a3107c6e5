import Location
import Testing
import World

/// A fence as a sequence of positions and outcomes.
struct FenceTests {
  /// The outcome as text: `+a` and `-a` are an entry into and an exit from region a.
  static func words(_ outcome: FenceOutcome) -> String {
    switch outcome {
    case .used(let events):
      events.map { ($0.kind == .entry ? "+" : "-") + $0.region }.joined(separator: " ")
    case .skipped(let reason): "\(reason)"
    }
  }

  static func walk(_ fence: inout Fence, _ positions: [Position]) -> [String] {
    positions.map { words(fence.receive($0)) }
  }

  static func road(_ meters: [Double], rules: FenceRules = FenceRules(), region: Region = Road.region) -> [String] {
    var fence = Fence([region], rules: rules)
    return walk(&fence, meters.enumerated().map { Road.position($1, second: Int64($0)) })
  }

  @Test func reportsEntriesAndExits() {
    #expect(Self.road([500, 300, 99, 20, -99, -101, -500]) == ["", "", "+a", "", "", "-a", ""])
  }

  @Test func theFirstStateIsNotAnEvent() {
    #expect(Self.road([0, 10, 500]) == ["", "", "-a"])
    #expect(Self.road([500, 400]) == ["", ""])
  }

  /// The values of Android's own tests: a radius of 100 meters around (0, 0), and a position half a degree away.
  @Test(arguments: [
    (Containment.unknown, "", Containment.outside), (.inside, "-a", .outside), (.outside, "", .outside),
  ])
  func reportsTheSameEventsAsAndroid(known: Containment, words: String, containment: Containment) {
    let region = Region.around(Coordinate(0, 0), .exit)
    var fence = Fence([region], known: ["a": FenceState(known, center: region.center, radius: region.radius)])
    #expect(Self.words(fence.receive(Position(0.5, 0.5))) == words)
    #expect(fence.states["a"]?.containment == containment)
  }

  @Test func theBoundaryIsOutside() {
    let center = Coordinate(0, 0)
    let coordinate = Coordinate(0.001, 0.001)
    let exact = Region.around(center, radius: center.distance(to: coordinate))
    var fence = Fence([exact])
    #expect(fence.receive(Position(coordinate)) == .used(events: []) && fence.states["a"]?.containment == .outside)
    let wider = Region.around(center, radius: center.distance(to: coordinate) + 0.00001)
    fence = Fence([wider])
    _ = fence.receive(Position(coordinate))
    #expect(fence.states["a"]?.containment == .inside)
  }

  /// The state changes whichever direction is requested.
  @Test(arguments: [
    (Region.Direction.entry, ["", "+a", "", "+a", ""]), (.exit, ["", "", "-a", "", "-a"]),
    (.both, ["", "+a", "-a", "+a", "-a"]),
  ])
  func reportsOnlyTheRequestedDirection(direction: Region.Direction, words: [String]) {
    #expect(Self.road([500, 0, 500, 0, 500], region: .around(Coordinate(0, 0), direction)) == words)
  }

  @Test func anEventHasItsPositionAndTime() {
    var fence = Fence([Road.region])
    _ = fence.receive(Road.position(500, second: 0))
    let position = Road.position(10, second: 60, accuracy: 150)
    var event = LocationEvent(.entry, region: "a", connection: "c1", at: Timestamp(milliseconds: 60_000))
    event.position = position
    #expect(fence.receive(position) == .used(events: [event]))
    #expect(event.isDoubtful(in: Road.region))
    #expect(!LocationEvent(.exit, of: Road.region, at: Position(.home)).isDoubtful(in: Road.region))
  }

  @Test func reportsSeveralRegionsAtOnce() {
    let regions = [
      Region.around(Coordinate(0, 0), radius: 50, id: "b"), .around(Coordinate(0, 0), radius: 100, id: "a"),
      .around(Coordinate(1, 0), id: "c"),
    ]
    var fence = Fence(regions)
    #expect(
      Self.walk(&fence, [500, 75, 0, 60, 500].map { Road.position($0) }) == ["", "+a", "+b", "-b", "-a"])
    #expect(Self.walk(&fence, [0, 500].map { Road.position($0) }) == ["+b +a", "-b -a"])
  }

  @Test func theFirstOfTwoRegionsWithTheSameIDCounts() {
    var fence = Fence([Road.region, .around(Coordinate(1, 1))])
    #expect(Self.walk(&fence, [Position(0, 0), Position(1, 1)]) == ["", "-a"])
    #expect(fence.states == ["a": FenceState(.outside, of: Road.region, observedAt: nil)])
  }

  @Test func acceptsNoRegions() {
    var fence = Fence([])
    #expect(fence.receive(Road.position(0)) == .used(events: []))
    #expect(fence.states.isEmpty && fence.counts.used == 1)
  }

  // MARK: Stored states

  @Test func statesArePreservedBetweenRuns() {
    var first = Fence([Road.region])
    _ = first.receive(Road.position(0))
    #expect(first.states == ["a": FenceState(.inside, center: Coordinate(0, 0), radius: 100)])
    var second = Fence([Road.region], known: first.states)
    #expect(Self.words(second.receive(Road.position(200))) == "-a")
    #expect(Fence([Road.region]).states.isEmpty)
  }

  @Test(arguments: [
    Region.around(Coordinate(0, 0), radius: 100.5), .around(Coordinate(0, 0.00001)),
    .around(Coordinate(0, 0), id: "b"),
  ])
  func aChangedRegionStartsAsUnknown(region: Region) {
    var fence = Fence([region], known: ["a": FenceState(.inside, center: Coordinate(0, 0), radius: 100)])
    #expect(Self.words(fence.receive(Road.position(500))) == "")
  }

  @Test func aChangedDirectionKeepsTheState() {
    let known = ["a": FenceState(.inside, center: Coordinate(0, 0), radius: 100)]
    var fence = Fence([.around(Coordinate(0, 0), .exit)], known: known)
    #expect(Self.words(fence.receive(Road.position(500))) == "-a")
  }

  // MARK: Skipped positions

  @Test func skipsPositionsOutOfOrder() {
    var fence = Fence([Road.region])
    let positions = [
      Road.position(500, second: 10), Road.position(0, second: 9), Road.position(500, second: 10),
      Road.position(0, second: 10), Road.position(500), Road.position(0, second: 9), Road.position(0, second: 11),
    ]
    #expect(Self.walk(&fence, positions) == ["", "outOfOrder", "", "+a", "-a", "outOfOrder", "+a"])
    #expect(fence.counts.outOfOrder == 2 && fence.counts.used == 5 && fence.counts.skipped == 2)
  }

  @Test func skipsInaccuratePositions() {
    var fence = Fence([Road.region], rules: FenceRules(minimumAccuracy: 50))
    let positions = [
      Road.position(500, accuracy: 50), Road.position(0, accuracy: 50.1), Road.position(0, accuracy: .infinity),
      Road.position(0, accuracy: -1), Road.position(0, accuracy: .nan), Road.position(0),
      Road.position(500, accuracy: 0),
    ]
    #expect(Self.walk(&fence, positions) == ["", "inaccurate", "inaccurate", "invalid", "invalid", "+a", "-a"])
    #expect(fence.counts.used == 3 && fence.counts.inaccurate == 2 && fence.counts.invalid == 2)
    #expect(fence.counts.skipped == 4)
  }

  @Test func aSkippedPositionHasNoEffect() {
    var fence = Fence([Road.region], rules: FenceRules(minimumAccuracy: 50, reportsInitial: true))
    let positions = [Road.position(0, second: 99, accuracy: 500), Road.position(0, second: 1, accuracy: 5)]
    #expect(Self.walk(&fence, positions) == ["inaccurate", "+a"])
  }
}
