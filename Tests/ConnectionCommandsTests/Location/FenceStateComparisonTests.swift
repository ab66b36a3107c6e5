import Location
import ProgramDriver
import Testing
import World

@testable import ConnectionCommands
@testable import Session

/// The changes of a track after another run has updated the store.
@Suite struct FenceStateComparisonTests {
  private static let region = Region(
    id: "a", direction: .both, center: coordinate(0), radius: 100, connection: "c", feature: "f")

  private static func coordinate(_ meters: Double) -> Coordinate {
    guard let coordinate = Coordinate(latitude: meters / 111_195, longitude: 0) else { fatalError("no such place") }
    return coordinate
  }

  private static func time(_ second: Int64) -> Timestamp { Timestamp(milliseconds: second * 1000) }
  private static func position(_ meters: Double, _ second: Int64) -> Position {
    Position(coordinate(meters), at: time(second))
  }
  private static func stored(_ containment: Containment, _ second: Int64) -> [String: FenceState] {
    ["a": FenceState(containment, of: region, observedAt: time(second))]
  }

  /// Compares a track of (meters, second) that starts from `known` with the states that are stored when it writes.
  private static func walk(
    _ way: [(Double, Int64)], knowing known: [String: FenceState] = [:], stored: [String: FenceState],
    region: Region = region, rules: FenceRules = FenceRules()
  ) -> FenceStateComparison {
    var fence = Fence([region], rules: rules, known: known)
    var changes: [ContainmentChange] = []
    for (meters, second) in way { _ = fence.receive(position(meters, second), &changes) }
    return FenceStateComparison(
      stored: stored, changes, states: fence.states, at: fence.lastPosition ?? position(0, 0), regions: [region])
  }

  private static func words(_ comparison: FenceStateComparison) -> [String] {
    comparison.events.map { "\($0.kind) \(($0.occurredAt?.milliseconds ?? 0) / 1000)" }
  }

  @Test func withoutAnotherRunTheTracksEventsAreUnchanged() {
    let alone = Self.walk([(0, 10), (500, 20), (0, 30)], stored: [:])
    #expect(Self.words(alone) == ["exit 20", "entry 30"])
    #expect(alone.changed == Self.stored(.inside, 30) && alone.dropped == 0 && alone.adopted.isEmpty)
    let known = Self.stored(.inside, 5)
    #expect(Self.words(Self.walk([(500, 20)], knowing: known, stored: known)) == ["exit 20"])
    let initial = Self.walk([(0, 10)], stored: [:], rules: FenceRules(reportsInitial: true))
    #expect(Self.words(initial) == ["entry 10"])
  }

  @Test func eventsReportedByAnotherRunAreDropped() {
    let known = Self.stored(.inside, 5)
    let late = Self.walk([(500, 20)], knowing: known, stored: Self.stored(.outside, 19))
    #expect(Self.words(late) == [] && late.dropped == 1)
    #expect(late.changed == Self.stored(.outside, 20), "the time of the state is updated")
    let same = Self.walk([(500, 20)], knowing: known, stored: Self.stored(.outside, 20))
    #expect(Self.words(same) == [] && same.changed.isEmpty && same.dropped == 1)
  }

  @Test func eventsOlderThanTheStoredStateAreDropped() {
    let known = Self.stored(.inside, 5)
    let old = Self.walk([(500, 20), (0, 30)], knowing: known, stored: Self.stored(.inside, 40))
    #expect(Self.words(old) == [] && old.dropped == 2 && old.changed.isEmpty)
    #expect(old.adopted == Self.stored(.inside, 40), "the run continues from there")
    let half = Self.walk([(500, 20), (0, 30), (500, 50)], knowing: known, stored: Self.stored(.inside, 40))
    #expect(Self.words(half) == ["exit 50"] && half.dropped == 2 && half.changed == Self.stored(.outside, 50))
  }

  /// The other run stored an exit; this run is still inside, which is a new entry.
  @Test func anEntryIsReportedAfterAnExitByAnotherRun() {
    let known = Self.stored(.inside, 5)
    let still = Self.walk([(0, 30)], knowing: known, stored: Self.stored(.outside, 20))
    #expect(Self.words(still) == ["entry 30"] && still.changed == Self.stored(.inside, 30))
    let again = Self.walk([(500, 20), (0, 30)], knowing: known, stored: Self.stored(.outside, 19))
    #expect(Self.words(again) == ["entry 30"] && again.dropped == 1)
    let first = Self.walk([(0, 30)], stored: Self.stored(.outside, 20))
    #expect(Self.words(first) == ["entry 30"], "for this run alone it would be the first state")
  }

  @Test func onlyTheRegionsDirectionIsReported() {
    var region = Self.region
    region.direction = .exit
    let known = Self.stored(.inside, 5)
    let way = [(500.0, Int64(20)), (0, 30), (500, 40)]
    let walk = Self.walk(way, knowing: known, stored: Self.stored(.outside, 21), region: region)
    #expect(Self.words(walk) == ["exit 40"] && walk.dropped == 1)
    let still = Self.walk([(0, 30)], knowing: known, stored: Self.stored(.outside, 20), region: region)
    #expect(Self.words(still) == [] && still.changed == Self.stored(.inside, 30))
  }

  /// The transition waits for its dwell, so the old state says nothing about the current position.
  @Test func aPendingTransitionIsNotReported() {
    let walk = Self.walk(
      [(500, 20), (500, 25)], knowing: Self.stored(.inside, 5), stored: Self.stored(.outside, 22),
      rules: FenceRules(dwell: .seconds(60)))
    #expect(Self.words(walk) == [] && walk.adopted == Self.stored(.outside, 22) && walk.changed.isEmpty)
  }

  /// The state of a position whose time was assumed is stored with the time that is stored already.
  @Test func anAssumedTimeIsNotStored() {
    func walk(stored: [String: FenceState]) -> FenceStateComparison {
      var fence = Fence([Self.region])
      var changes: [ContainmentChange] = []
      for (meters, second) in [(0.0, Int64(500)), (500, 510)] {
        var position = Self.position(meters, second)
        position.isTimeAssumed = true
        _ = fence.receive(position, &changes)
      }
      return FenceStateComparison(
        stored: stored, changes, states: fence.states, at: fence.lastPosition ?? Self.position(0, 0),
        regions: [Self.region])
    }
    let alone = walk(stored: [:])
    #expect(Self.words(alone) == ["exit 510"])
    #expect(alone.changed == ["a": FenceState(.outside, of: Self.region, observedAt: nil)])
    let after = walk(stored: Self.stored(.inside, 100))
    #expect(Self.words(after) == ["exit 510"] && after.changed == Self.stored(.outside, 100))
    #expect(walk(stored: Self.stored(.outside, 900)).changed.isEmpty)
  }

  @Test func aChangedRegionDiscardsItsState() {
    var before = Self.stored(.inside, 5)
    before["a"]?.radius = 99
    let moved = Self.walk([(500, 20)], knowing: before, stored: before)
    #expect(Self.words(moved) == [] && moved.changed == Self.stored(.outside, 20))
  }

  @Test func unwatchedRegionsAreForgotten() {
    var far = Self.region
    far.id = "far"
    far.center = Self.coordinate(10_000)
    let known = Self.stored(.inside, 5)
    var fence = Fence([Self.region, far], rules: FenceRules(limit: 1), known: known)
    var changes: [ContainmentChange] = []
    _ = fence.receive(Self.position(10_000, 20), &changes)
    let walk = FenceStateComparison(
      stored: known, changes, states: fence.states, at: Self.position(10_000, 20), regions: [Self.region, far])
    #expect(walk.forgotten == ["a"] && walk.changed.keys.sorted() == ["far"])
  }
}
