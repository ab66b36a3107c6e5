import Location
import Testing
import World

/// The options that keep a noisy track from flapping, alone and combined.
struct FenceOptionTests {
  private static func walk(
    _ meters: [(second: Int64?, meters: Double)], _ rules: FenceRules, known: Containment? = nil
  ) -> [String] {
    let states = known.map { ["a": FenceState($0, center: Coordinate(0, 0), radius: 100)] } ?? [:]
    var fence = Fence([Road.region], rules: rules, known: states)
    return FenceTests.walk(&fence, meters.map { Road.position($0.meters, second: $0.second) })
  }

  @Test func reportsInitialEntries() {
    let rules = FenceRules(reportsInitial: true)
    #expect(Self.walk([(0, 0), (1, 0), (2, 500)], rules) == ["+a", "", "-a"])
    #expect(Self.walk([(0, 500), (1, 0)], rules) == ["", "+a"])
    #expect(Self.walk([(0, 0)], rules, known: .inside) == [""])
    var fence = Fence([.around(Coordinate(0, 0), .exit)], rules: rules)
    #expect(FenceTests.walk(&fence, [Road.position(0), Road.position(500)]) == ["", "-a"])
  }

  @Test func hysteresisDelaysExits() {
    let rules = FenceRules(hysteresis: 20)
    let track: [(Int64?, Double)] = [
      (0, 500), (1, 110), (2, 99), (3, 101), (4, 119), (5, 99), (6, 121), (7, 110), (8, 99),
    ]
    #expect(Self.walk(track, rules) == ["", "", "+a", "", "", "", "-a", "", "+a"])
    #expect(Self.walk(track, FenceRules()) == ["", "", "+a", "-a", "", "+a", "-a", "", "+a"])
    // The first state is determined without hysteresis.
    #expect(Self.walk([(0, 110), (1, 0)], rules) == ["", "+a"])
  }

  @Test func dwellDelaysTransitions() {
    let rules = FenceRules(dwell: .seconds(30))
    let track: [(Int64?, Double)] = [
      (0, 500), (30, 500), (40, 0), (69, 0), (70, 0), (80, 0), (90, 500), (110, 500), (300, 500),
    ]
    #expect(Self.walk(track, rules) == ["", "", "", "", "+a", "", "", "", "-a"])
  }

  /// A position back with the old containment restarts the dwell time.
  @Test func leavingRestartsTheDwellTime() {
    let rules = FenceRules(dwell: .seconds(30))
    let track: [(Int64?, Double)] = [(0, 500), (30, 500), (40, 0), (50, 500), (60, 0), (75, 0), (90, 0)]
    #expect(Self.walk(track, rules) == ["", "", "", "", "", "", "+a"])
  }

  @Test func dwellReportsTheFirstPosition() {
    var fence = Fence([Road.region], rules: FenceRules(dwell: .seconds(30)))
    for (second, meters) in [(0, 500), (30, 500), (40, 90)] {
      _ = fence.receive(Road.position(Double(meters), second: Int64(second), accuracy: 3))
    }
    let event = LocationEvent(.entry, of: Road.region, at: Road.position(90, second: 40, accuracy: 3))
    #expect(fence.receive(Road.position(5, second: 100, accuracy: 200)) == .used(events: [event]))
  }

  /// The state at the start of the track is known immediately, even with a dwell time. If the start counts as an
  /// entry, it must last like any other.
  @Test func dwellDoesNotDelayTheFirstState() {
    let rules = FenceRules(dwell: .seconds(30))
    #expect(Self.walk([(0, 500), (10, 0), (40, 0)], rules) == ["", "", "+a"])
    #expect(Self.walk([(0, 0), (10, 500), (50, 500), (60, 0), (90, 0)], rules) == ["", "", "-a", "", "+a"])
    let initial = FenceRules(dwell: .seconds(30), reportsInitial: true)
    #expect(Self.walk([(0, 0), (10, 0), (30, 0), (40, 500)], initial) == ["", "", "+a", ""])
    #expect(Self.walk([(0, 0), (10, 500), (50, 500)], initial) == ["", "", ""])
    #expect(Self.walk([(0, 500), (10, 0), (40, 0)], initial) == ["", "", "+a"])
  }

  @Test func dwellSkipsPositionsWithoutTimes() {
    let rules = FenceRules(dwell: .milliseconds(1))
    #expect(rules.needsTimes && !FenceRules().needsTimes)
    #expect(Self.walk([(0, 500), (nil, 0), (2, 0), (3, 0)], rules) == ["", "withoutTime", "", "+a"])
    #expect(Self.walk([(0, 500), (1, 500), (nil, 0), (2, 0), (3, 0)], rules) == ["", "", "withoutTime", "", "+a"])
  }

  @Test func finishReturnsUnconfirmedTransitions() {
    var fence = Fence([Road.region, .around(Coordinate(0, 0), .exit, id: "b")], rules: FenceRules(dwell: .seconds(30)))
    for (second, meters) in [(0, 500), (30, 500), (40, 0)] {
      _ = fence.receive(Road.position(Double(meters), second: Int64(second)))
    }
    #expect(fence.finish().map(\.region) == ["a"])
    #expect(fence.finish().isEmpty && fence.states["a"]?.containment == .outside)
  }

  /// Transitions that one position confirms are reported in order of their times.
  @Test func dwellReportsTransitionsInOrder() {
    let regions = [Road.region, .around(Coordinate(0, 0), radius: 200, id: "b")]
    var fence = Fence(regions, rules: FenceRules(dwell: .seconds(30)))
    let track: [(Int64, Double)] = [(0, 500), (30, 500), (40, 150), (50, 0), (100, 0)]
    let words = FenceTests.walk(&fence, track.map { Road.position($1, second: $0) })
    #expect(words == ["", "", "", "", "+b +a"])
  }

  @Test func allOptionsCombine() {
    let rules = FenceRules(minimumAccuracy: 30, hysteresis: 20, dwell: .seconds(10), reportsInitial: true)
    var fence = Fence([Road.region], rules: rules)
    let track: [(second: Int64, meters: Double, accuracy: Double?)] = [
      (0, 500, 99), (1, 50, 5), (5, 60, nil), (12, 70, 5), (20, 110, 5), (40, 115, 5), (41, 300, 31), (50, 130, 5),
      (45, 130, 5), (55, 119, 5), (60, 121, 5), (70, 100.5, 5), (80, 200, 5), (90, 200, 5),
    ]
    let words = FenceTests.walk(
      &fence, track.map { Road.position($0.meters, second: $0.second, accuracy: $0.accuracy) })
    #expect(
      words == [
        "inaccurate", "", "", "+a", "", "", "inaccurate", "", "outOfOrder", "", "", "", "", "-a",
      ])
    #expect(fence.counts.used == 11 && fence.counts.outOfOrder == 1 && fence.counts.inaccurate == 2)
    #expect(fence.counts.skipped == 3)
  }
}
