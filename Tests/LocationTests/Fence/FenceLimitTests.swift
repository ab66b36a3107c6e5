import Location
import Support
import Testing

/// The limit on the number of monitored regions, as on a phone.
struct FenceLimitTests {
  /// The regions of iOS's own tests: each center is one degree farther north and east.
  private static let fifty = (0..<50).map { Region.around(Coordinate(Double($0), Double($0)), id: "r\(10 + $0)") }

  @Test(arguments: [20, 30])
  func selectsTheSameRegionsAsIOS(limit: Int) {
    var generator = SeededGenerator(seed: 6)
    for _ in 0..<20 {
      var fence = Fence(Self.fifty.shuffled(using: &generator), rules: FenceRules(limit: limit))
      _ = fence.receive(Position(0, 0))
      #expect(fence.states.keys.sorted() == Self.fifty.prefix(limit).map(\.id))
    }
  }

  @Test func monitorsTheNearestTwentyRegions() {
    var fence = Fence(Array(Self.fifty.prefix(25)), rules: FenceRules(limit: 20))
    _ = fence.receive(Position(0, 0))
    #expect(fence.states.keys.sorted() == Self.fifty.prefix(20).map(\.id))
    _ = fence.receive(Position(24, 24))
    #expect(fence.states.keys.sorted() == Self.fifty[5..<25].map(\.id))
  }

  @Test(arguments: [nil, 3, 4, 100])
  func monitorsAllRegionsWithinTheLimit(limit: Int?) {
    var fence = Fence(Array(Self.fifty.prefix(3)), rules: FenceRules(limit: limit))
    _ = fence.receive(Position(49, 49))
    #expect(fence.states.keys.sorted() == Self.fifty.prefix(3).map(\.id))
  }

  @Test func equalDistancesAreOrderedByID() {
    let regions = ["d", "b", "c", "a"].map { Region.around(Coordinate(1, 1), id: $0) }
    var fence = Fence(regions, rules: FenceRules(limit: 2))
    _ = fence.receive(Position(0, 0))
    #expect(fence.states.keys.sorted() == ["a", "b"])
  }

  @Test func aLimitOfZeroMonitorsNothing() {
    var fence = Fence(Self.fifty, rules: FenceRules(limit: 0))
    #expect(fence.receive(Position(0, 0)) == .used(events: []) && fence.states.isEmpty)
  }

  private static let pair = [Region.around(Coordinate(0, 0), id: "a"), .around(Coordinate(1, 0), id: "b")]

  /// A phone checks the monitored regions first, and only then selects the nearest ones.
  @Test func aJumpOutOfARegionReportsAnExit() {
    var fence = Fence(Self.pair, rules: FenceRules(limit: 1))
    #expect(FenceTests.walk(&fence, [Position(0, 0), Position(1, 0), Position(0.9, 0)]) == ["", "-a", "-b"])
    #expect(fence.states["a"] == nil)
  }

  /// The region was not monitored before, so the first known state is inside.
  @Test func aJumpIntoAnUnmonitoredRegionReportsNoEntry() {
    var fence = Fence(Self.pair, rules: FenceRules(limit: 1))
    #expect(FenceTests.walk(&fence, [Position(0.1, 0), Position(1, 0)]) == ["", ""])
    #expect(fence.states.keys.sorted() == ["b"])
    var telling = Fence(Self.pair, rules: FenceRules(limit: 1, reportsInitial: true))
    #expect(FenceTests.walk(&telling, [Position(0.1, 0), Position(1, 0)]) == ["", "+b"])
  }

  @Test func regionsNoLongerMonitoredAreForgotten() {
    let regions = [
      Region.around(Coordinate(0, 0), radius: 100_000, id: "wide"), .around(Coordinate(0.5, 0), radius: 10, id: "near"),
    ]
    var fence = Fence(regions, rules: FenceRules(limit: 1))
    // The position stays inside the wide region until that region is no longer monitored, so there is no exit.
    #expect(FenceTests.walk(&fence, [Position(0.1, 0), Position(0.4, 0), Position(5, 0)]) == ["", "", ""])
    #expect(fence.states.keys.sorted() == ["near"])
    // When the region is monitored again, its state is determined from scratch.
    #expect(FenceTests.walk(&fence, [Position(0, 0), Position(0.1, 0)]) == ["", ""])
    #expect(fence.states["wide"]?.containment == .inside)
  }

  @Test func storedStatesApplyToTheNearestRegions() {
    let known = Dictionary(
      uniqueKeysWithValues: Self.pair.map {
        ($0.id, FenceState(.inside, center: $0.center, radius: $0.radius))
      })
    var fence = Fence(Self.pair, rules: FenceRules(limit: 1), known: known)
    #expect(FenceTests.walk(&fence, [Position(0.1, 0)]) == ["-a"])
    #expect(fence.states["b"] == nil)
  }
}
