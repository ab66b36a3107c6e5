import Location
import Testing
import World

/// The state that a fence resumes from, positions that are too old for it, and the changes of state that it reports.
struct RememberedFenceTests {
  private static func known(_ containment: Containment, second: Int64?, of region: Region = Road.region) -> [String:
    FenceState]
  {
    [region.id: FenceState(containment, of: region, observedAt: second.map { Timestamp(milliseconds: $0 * 1000) })]
  }

  private static func second(_ fence: Fence, _ id: String = "a") -> Int64? {
    (fence.states[id]?.observedAt?.milliseconds).map { $0 / 1000 }
  }

  @Test func olderPositionsAreSkippedAndCounted() {
    var fence = Fence([Road.region], known: Self.known(.inside, second: 100))
    let positions = [
      Road.position(500, second: 50), Road.position(0, second: 99), Road.position(500, second: 100),
      Road.position(0, second: 101),
    ]
    #expect(FenceTests.walk(&fence, positions) == ["beforeRemembered", "beforeRemembered", "-a", "+a"])
    #expect(fence.counts.beforeRemembered == 2 && fence.counts.used == 2 && fence.counts.skipped == 2)
  }

  @Test func everyPositionUpdatesTheTimeOfTheState() {
    var fence = Fence([Road.region], known: Self.known(.outside, second: 100))
    #expect(Self.second(fence) == 100)
    _ = fence.receive(Road.position(500, second: 90))
    #expect(Self.second(fence) == 100)
    for second in [110, 120, 130] as [Int64] {
      _ = fence.receive(Road.position(500, second: second))
      #expect(Self.second(fence) == second)
    }
  }

  /// The state of the other region is unknown, so the position provides information about it.
  @Test func eachRegionHasItsOwnTime() {
    let other = Region.around(Coordinate(0, 0), radius: 200, id: "b")
    var fence = Fence([Road.region, other], known: Self.known(.inside, second: 100))
    #expect(FenceTests.walk(&fence, [0, 500].map { Road.position($0, second: 50) }) == ["", "-b"])
    #expect(fence.states["a"]?.containment == .inside && Self.second(fence) == 100 && Self.second(fence, "b") == 50)
    #expect(FenceTests.walk(&fence, [Road.position(500, second: 100)]) == ["-a"])
  }

  @Test func anAssumedTimeIsNeverTooOld() {
    var fence = Fence([Road.region], known: Self.known(.inside, second: 100))
    var position = Road.position(500, second: 50)
    position.isTimeAssumed = true
    #expect(FenceTests.walk(&fence, [position]) == ["-a"])
    var timeless = Fence([Road.region], known: Self.known(.inside, second: nil))
    #expect(FenceTests.walk(&timeless, [Road.position(500, second: 1)]) == ["-a"])
  }

  /// Otherwise, later runs would skip positions with known times before it.
  @Test func anAssumedTimeIsNotKept() {
    func assumed(_ meters: Double, second: Int64) -> Position {
      var position = Road.position(meters, second: second)
      position.isTimeAssumed = true
      return position
    }
    var fence = Fence([Road.region])
    #expect(FenceTests.walk(&fence, [assumed(0, second: 500), assumed(500, second: 510)]) == ["", "-a"])
    #expect(fence.states["a"]?.containment == .outside && Self.second(fence) == nil)
    var known = Fence([Road.region], known: Self.known(.inside, second: 100))
    #expect(FenceTests.walk(&known, [assumed(500, second: 500)]) == ["-a"] && Self.second(known) == 100)
    // A known time counts again.
    #expect(FenceTests.walk(&known, [Road.position(0, second: 200)]) == ["+a"] && Self.second(known) == 200)
  }

  /// Only within a segment, an earlier position is out of order.
  @Test func aSegmentMayStartBeforeTheLastPosition() {
    var fence = Fence([Road.region])
    #expect(FenceTests.walk(&fence, [Road.position(0, second: 10), Road.position(0, second: 30)]) == ["", ""])
    fence.beginSegment()
    let positions = [Road.position(500, second: 20), Road.position(0, second: 15), Road.position(0, second: 25)]
    #expect(FenceTests.walk(&fence, positions) == ["-a", "outOfOrder", "+a"])
    #expect(fence.lastPosition?.time?.milliseconds == 30_000 && Self.second(fence) == 30, "the latest time is stored")
  }

  @Test func changesAreReportedForEveryDirection() {
    var fence = Fence([.around(Coordinate(0, 0), .exit)])
    var changes: [ContainmentChange] = []
    for (second, meters) in [500, 0, 10, 500].enumerated() {
      _ = fence.receive(Road.position(Double(meters), second: Int64(second)), &changes)
    }
    #expect(changes.map(\.containment) == [.outside, .inside, .outside])
    #expect(changes.map(\.isReported) == [false, false, true])
    #expect(changes.map(\.time?.milliseconds) == [0, 1000, 3000])
    #expect(changes.map(\.event?.kind) == [.exit, .entry, .exit])
  }

  @Test func forgettingARegionIsAChange() {
    let pair = [Region.around(Coordinate(0, 0), id: "a"), .around(Coordinate(1, 0), id: "b")]
    var fence = Fence(pair, rules: FenceRules(limit: 1))
    var changes: [ContainmentChange] = []
    for position in [Position(0, 0), Position(1, 0)] { _ = fence.receive(position, &changes) }
    #expect(changes.map { "\($0.region.id) \($0.containment)" } == ["a inside", "a outside", "a unknown", "b inside"])
  }

  @Test func adoptsTheStateOfAnotherRun() {
    var fence = Fence([Road.region])
    _ = fence.receive(Road.position(0, second: 10))
    fence.adopt(Self.known(.outside, second: 20))
    let positions = [
      Road.position(0, second: 15), Road.position(500, second: 20), Road.position(0, second: 21),
    ]
    #expect(FenceTests.walk(&fence, positions) == ["beforeRemembered", "", "+a"])
    // A state for an earlier circle of the region is ignored.
    fence.adopt(Self.known(.outside, second: 500, of: .around(Coordinate(0, 0), radius: 99)))
    #expect(FenceTests.walk(&fence, [Road.position(500, second: 22)]) == ["-a"])
  }
}
