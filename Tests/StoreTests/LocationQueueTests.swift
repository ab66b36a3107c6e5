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
    try LocationQueue(home.store(), profile: profile).record(events, owner: nil)
  }

  private func regions(_ refused: Bool?, profile: String = "default") throws -> [String] {
    try LocationQueue(home.store(), profile: profile).oldest(.max, refused: refused).map(\.region)
  }

  @Test func eventsAreQueuedInTheirOrder() throws {
    let first = try record([event("b"), event("a")])
    let second = try record([event("c", .exit, at: 5)])
    _ = try record([event("other")], profile: "work")
    #expect(try LocationQueue(home.store(), profile: "default").oldest(.max, refused: nil) == first + second)
    #expect(try LocationQueue(home.store(), profile: "default").oldest(2, refused: false) == first)
    #expect(Set((first + second).map(\.recordID)).count == 3)
  }

  @Test func failureKeepsIDAndTime() throws {
    let recorded = try record([event("a")])
    try LocationQueue(home.store(), profile: "default").noteFailure(
      "no answer", isRefused: false, of: recorded.compactMap(\.recordID))
    let after = try #require(try LocationQueue(home.store(), profile: "default").oldest(1, refused: nil).first)
    let queued = try #require(after.queued)
    #expect(queued.tries == 1 && queued.problem == "no answer" && queued.triedAt != nil && !queued.isRefused)
    var before = after
    before.queued = LocationEvent.Queued(recordID: queued.recordID, recordedAt: queued.recordedAt)
    #expect(before == recorded[0])
  }

  @Test func rejectedEventsAreSeparate() throws {
    let recorded = try record([event("a"), event("b")])
    try LocationQueue(home.store(), profile: "default").noteFailure(
      "bad", isRefused: true, of: recorded.prefix(1).compactMap(\.recordID))
    #expect(try regions(false) == ["b"])
    #expect(try regions(true) == ["a"])
    #expect(try LocationQueue(home.store(), profile: "default").counts() == (2, 1))
  }

  @Test func removesOnlyTheNamedEvents() throws {
    let recorded = try record([event("a"), event("b"), event("c")])
    let gone = recorded.prefix(2).compactMap(\.recordID) + ["none"]
    #expect(try LocationQueue(home.store(), profile: "work").remove(gone) == 0)
    #expect(try LocationQueue(home.store(), profile: "default").remove(gone) == 2)
    #expect(try regions(nil) == ["c"])
  }

  @Test func queueHasNoLengthLimit() throws {
    let many = (0..<10_001).map { event("r\($0)") }
    _ = try record(many)
    #expect(try regions(false) == many.map(\.region))
  }

  @Test func installationIDIsStable() throws {
    let trial = try LocationQueue(home.store(), profile: "default").installationID(persisting: false)
    #expect(home.names() == [])
    let id = try LocationQueue(home.store(), profile: "default").installationID()
    #expect(id != trial && id.utf8.count == 36)
    #expect(try LocationQueue(home.store(), profile: "default").installationID() == id)
    #expect(try LocationQueue(home.store(), profile: "default").installationID(persisting: false) == id)
  }

  @Test func readingCreatesNoFile() throws {
    #expect(try regions(nil) == [])
    #expect(try LocationQueue(home.store(), profile: "default").remove(["a"]) == 0)
    #expect(try LocationQueue(home.store(), profile: "default").counts() == (0, 0))
    #expect(try LocationQueue(home.store(), profile: "default").choices().isEmpty)
    #expect(try LocationQueue(home.store(), profile: "default").fenceStates().isEmpty)
    #expect(try LocationQueue(home.store(), profile: "default").forgetLocations(of: nil) == 0)
    #expect(home.names() == [])
  }

  /// The position of an event is known in the run that saw it and nowhere else.
  @Test func positionsAreNotStored() throws {
    let coordinate = try #require(Coordinate(latitude: 38.736_912_345, longitude: -9.142_712_345))
    var seen = event("a")
    seen.position = Position(coordinate, at: seen.occurredAt, accuracy: 7.512_345)
    let recorded = try record([seen])
    #expect(recorded.map(\.position) == [seen.position])
    let viaTrack = try LocationQueue(home.store(), profile: "default").record(owner: "one") { _ in
      LocationUpdate(events: [seen])
    }
    #expect(viaTrack.map(\.position) == [seen.position])
    #expect(
      try LocationQueue(home.store(), profile: "default").oldest(.max, refused: nil).map(\.position) == [nil, nil])
    let files = try home.names().map { try Data(contentsOf: URL(fileURLWithPath: "\(home.path)/\($0)")) }
    let recordID = Data(try #require(recorded.first?.recordID).utf8)
    #expect(files.contains { $0.range(of: recordID) != nil }, "what is stored is found")
    for (name, bytes) in zip(home.names(), files) {
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
      try LocationQueue(home.store(), profile: "default").record(owner: nil) { stored in
        #expect(stored == before)
        return update
      }
    }
    let (inside, outside) = try (state(.inside), state(.outside))
    let both = ["a": inside, "b": outside]
    let recorded = try record(LocationUpdate(events: [event("a")], remembering: both), expecting: [:])
    #expect(try LocationQueue(home.store(), profile: "default").oldest(.max, refused: nil) == recorded)
    #expect(try record(LocationUpdate(remembering: ["b": inside]), expecting: both) == [])
    #expect(try LocationQueue(home.store(), profile: "default").fenceStates() == ["a": inside, "b": inside])
    _ = try record(LocationUpdate(forgetting: ["b"]), expecting: ["a": inside, "b": inside])
    _ = try record(LocationUpdate(remembering: ["b": outside]), expecting: ["a": inside])
    #expect(try LocationQueue(home.store(), profile: "default").forgetLocations(of: ["b", "c"]) == 1)
    #expect(try LocationQueue(home.store(), profile: "default").forgetLocations(of: nil) == 1)
  }

  @Test func choiceOutlivesTracking() throws {
    #expect(try LocationQueue(home.store(), profile: "default").setReporting(true, of: "aa"))
    #expect(try !LocationQueue(home.store(), profile: "default").setReporting(true, of: "aa"))
    #expect(try LocationQueue(home.store(), profile: "default").setReporting(false, of: "bb"))
    _ = try home.store().track(["aa"], profile: "default")
    _ = try home.store().untrack(["aa"], profile: "default")
    #expect(
      try LocationQueue(home.store(), profile: "default").choices().mapValues(\.isOn) == ["aa": true, "bb": false])
    #expect(try LocationQueue(home.store(), profile: "default").setReporting(false, of: "aa"))
    #expect(try home.store().removeProfile("default"))
    #expect(try LocationQueue(home.store(), profile: "default").choices().isEmpty)
  }
}
