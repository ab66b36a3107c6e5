import Foundation
import Location
import Store
import Support
import Testing
import World

@Suite struct LocationQueueTests {
  let home = TestHome()

  private func event(
    _ region: String, _ kind: LocationEvent.Kind = .entry, at seconds: Int64 = 1_772_646_129
  ) -> LocationEvent {
    LocationEvent(kind, region: region, connection: "aa", at: Timestamp(milliseconds: seconds * 1000))
  }

  private func record(_ events: [LocationEvent], profile: String = "default") throws -> [LocationEvent] {
    try home.store().record(events, owner: nil, profile: profile)
  }

  private func regions(_ refused: Bool?, profile: String = "default") throws -> [String] {
    try home.store().oldestLocationEvents(.max, refused: refused, profile: profile).map(\.region)
  }

  @Test func eventsAreQueuedInTheirOrder() throws {
    let first = try record([event("b"), event("a")])
    let second = try record([event("c", .exit, at: 5)])
    _ = try record([event("other")], profile: "work")
    #expect(try home.store().oldestLocationEvents(.max, refused: nil, profile: "default") == first + second)
    #expect(try home.store().oldestLocationEvents(2, refused: false, profile: "default") == first)
    #expect(Set((first + second).map(\.recordID)).count == 3)
  }

  @Test func failureKeepsIDAndTime() throws {
    let recorded = try record([event("a")])
    try home.store().noteLocationFailure(
      "no answer", isRefused: false, of: recorded.compactMap(\.recordID), profile: "default")
    let after = try #require(try home.store().oldestLocationEvents(1, refused: nil, profile: "default").first)
    let queued = try #require(after.queued)
    #expect(queued.tries == 1 && queued.problem == "no answer" && queued.triedAt != nil && !queued.isRefused)
    var before = after
    before.queued = LocationEvent.Queued(recordID: queued.recordID, recordedAt: queued.recordedAt)
    #expect(before == recorded[0])
  }

  @Test func rejectedEventsAreSeparate() throws {
    let recorded = try record([event("a"), event("b")])
    try home.store().noteLocationFailure(
      "bad", isRefused: true, of: recorded.prefix(1).compactMap(\.recordID), profile: "default")
    #expect(try regions(false) == ["b"])
    #expect(try regions(true) == ["a"])
    #expect(try home.store().locationEventCounts(profile: "default") == (2, 1))
  }

  @Test func removesOnlyTheNamedEvents() throws {
    let recorded = try record([event("a"), event("b"), event("c")])
    let gone = recorded.prefix(2).compactMap(\.recordID) + ["none"]
    #expect(try home.store().removeLocationEvents(gone, profile: "work") == 0)
    #expect(try home.store().removeLocationEvents(gone, profile: "default") == 2)
    #expect(try regions(nil) == ["c"])
  }

  @Test func queueHasNoLengthLimit() throws {
    let many = (0..<10_001).map { event("r\($0)") }
    _ = try record(many)
    #expect(try regions(false) == many.map(\.region))
  }

  @Test func installationIDIsStable() throws {
    let trial = try home.store().installationID(persisting: false)
    #expect(home.names() == [])
    let id = try home.store().installationID()
    #expect(id != trial && id.utf8.count == 36)
    #expect(try home.store().installationID() == id)
    #expect(try home.store().installationID(persisting: false) == id)
  }

  @Test func readingCreatesNoFile() throws {
    #expect(try regions(nil) == [])
    #expect(try home.store().removeLocationEvents(["a"], profile: "default") == 0)
    #expect(try home.store().locationEventCounts(profile: "default") == (0, 0))
    #expect(try home.store().locationChoices(profile: "default").isEmpty)
    #expect(try home.store().fenceStates(profile: "default").isEmpty)
    #expect(try home.store().forgetLocations(of: nil, profile: "default") == 0)
    #expect(home.names() == [])
  }

  /// The position of an event is known in the run that saw it and nowhere else.
  @Test func positionsAreNotStored() throws {
    let coordinate = try #require(Coordinate(latitude: 38.736_912_345, longitude: -9.142_712_345))
    var seen = event("a")
    seen.position = Position(coordinate, at: seen.occurredAt, accuracy: 7.512_345)
    let recorded = try record([seen])
    #expect(recorded.map(\.position) == [seen.position])
    let viaTrack = try home.store().record(owner: "one", profile: "default") { _ in LocationUpdate(events: [seen]) }
    #expect(viaTrack.map(\.position) == [seen.position])
    #expect(
      try home.store().oldestLocationEvents(.max, refused: nil, profile: "default").map(\.position) == [nil, nil])
    for name in home.names() {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(home.path)/\(name)"))
      for value in [coordinate.latitude, coordinate.longitude, 7.512_345] {
        // SQLite stores a number as a big-endian double.
        let stored = withUnsafeBytes(of: value.bitPattern.bigEndian) { Data($0) }
        #expect(bytes.range(of: stored) == nil && bytes.range(of: Data("\(value)".utf8)) == nil, "\(name)")
      }
    }
  }

  @Test func sidesAndEventsAreRecordedTogether() throws {
    func state(_ containment: Containment) throws -> FenceState {
      let center = try #require(Coordinate(latitude: 38.7369, longitude: -9.1427))
      return FenceState(containment, center: center, radius: 220.5, observedAt: Timestamp(milliseconds: 7000))
    }
    func record(_ update: LocationUpdate, expecting before: [String: FenceState]) throws -> [LocationEvent] {
      try home.store().record(owner: nil, profile: "default") { stored in
        #expect(stored == before)
        return update
      }
    }
    let (inside, outside) = try (state(.inside), state(.outside))
    let both = ["a": inside, "b": outside]
    let recorded = try record(LocationUpdate(events: [event("a")], remembering: both), expecting: [:])
    #expect(try home.store().oldestLocationEvents(.max, refused: nil, profile: "default") == recorded)
    #expect(try record(LocationUpdate(remembering: ["b": inside]), expecting: both) == [])
    #expect(try home.store().fenceStates(profile: "default") == ["a": inside, "b": inside])
    _ = try record(LocationUpdate(forgetting: ["b"]), expecting: ["a": inside, "b": inside])
    _ = try record(LocationUpdate(remembering: ["b": outside]), expecting: ["a": inside])
    #expect(try home.store().forgetLocations(of: ["b", "c"], profile: "default") == 1)
    #expect(try home.store().forgetLocations(of: nil, profile: "default") == 1)
  }

  @Test func choiceOutlivesTracking() throws {
    #expect(try home.store().setLocation(true, of: "aa", profile: "default"))
    #expect(try !home.store().setLocation(true, of: "aa", profile: "default"))
    #expect(try home.store().setLocation(false, of: "bb", profile: "default"))
    _ = try home.store().track(["aa"], profile: "default")
    _ = try home.store().untrack(["aa"], profile: "default")
    #expect(try home.store().locationChoices(profile: "default").mapValues(\.isOn) == ["aa": true, "bb": false])
    #expect(try home.store().setLocation(false, of: "aa", profile: "default"))
    #expect(try home.store().removeProfile("default"))
    #expect(try home.store().locationChoices(profile: "default").isEmpty)
  }
}
