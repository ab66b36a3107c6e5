import Store
import Support
import Testing
import World

@Suite struct LocationQueueTests {
  let home = TestHome()

  private func event(
    _ region: String, _ kind: String = "entry", at seconds: Int64 = 1_772_646_129
  ) -> NewLocationEvent {
    NewLocationEvent(
      region: region, connection: "aa", kind: kind, occurredAt: Timestamp(milliseconds: seconds * 1000))
  }

  private func regions(_ refused: Bool?, profile: String = "default") throws -> [String] {
    try home.store().oldestLocationEvents(.max, refused: refused, profile: profile).map(\.event.region)
  }

  @Test func eventsAreQueuedInTheirOrder() throws {
    let first = try home.store().record([event("b"), event("a")], profile: "default")
    let second = try home.store().record([event("c", "exit", at: 5)], profile: "default")
    _ = try home.store().record([event("other")], profile: "work")
    #expect(try home.store().oldestLocationEvents(.max, refused: nil, profile: "default") == first + second)
    #expect(try home.store().oldestLocationEvents(2, refused: false, profile: "default") == first)
    #expect(Set((first + second).map(\.recordID)).count == 3)
  }

  @Test func failureKeepsIDAndTime() throws {
    let recorded = try home.store().record([event("a")], profile: "default")
    try home.store().noteLocationFailure(
      "no answer", isRefused: false, of: recorded.map(\.recordID), profile: "default")
    let after = try #require(try home.store().oldestLocationEvents(1, refused: nil, profile: "default").first)
    #expect(after.recordID == recorded[0].recordID && after.event == recorded[0].event)
    #expect(after.tries == 1 && after.problem == "no answer" && after.triedAt != nil && !after.isRefused)
  }

  @Test func rejectedEventsAreSeparate() throws {
    let recorded = try home.store().record([event("a"), event("b")], profile: "default")
    try home.store().noteLocationFailure("bad", isRefused: true, of: [recorded[0].recordID], profile: "default")
    #expect(try regions(false) == ["b"])
    #expect(try regions(true) == ["a"])
    #expect(try home.store().locationEventCounts(profile: "default") == (2, 1))
  }

  @Test func removesOnlyTheNamedEvents() throws {
    let recorded = try home.store().record([event("a"), event("b"), event("c")], profile: "default")
    let gone = recorded.map(\.recordID).prefix(2) + ["none"]
    #expect(try home.store().removeLocationEvents(Array(gone), profile: "work") == 0)
    #expect(try home.store().removeLocationEvents(Array(gone), profile: "default") == 2)
    #expect(try regions(nil) == ["c"])
  }

  @Test func queueHasNoLengthLimit() throws {
    let many = (0..<10_001).map { event("r\($0)") }
    _ = try home.store().record(many, profile: "default")
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
    #expect(try home.store().rememberedLocations(profile: "default").isEmpty)
    #expect(try home.store().forgetLocations(of: nil, profile: "default") == 0)
    #expect(home.names() == [])
  }

  @Test func sidesAndEventsAreRecordedTogether() throws {
    func inside(_ region: String, _ containment: String) -> StoredFenceState {
      StoredFenceState(
        region: region, latitude: 38.7369, longitude: -9.1427, radius: 220.5, containment: containment,
        observedAt: Timestamp(milliseconds: 7000))
    }
    func record(_ update: LocationUpdate, expecting before: [StoredFenceState]) throws -> [WaitingLocationEvent] {
      try home.store().record(profile: "default") { stored in
        #expect(stored == before)
        return update
      }
    }
    let both = [inside("a", "inside"), inside("b", "outside")]
    let recorded = try record(LocationUpdate(events: [event("a")], remembering: both), expecting: [])
    #expect(try home.store().oldestLocationEvents(.max, refused: nil, profile: "default") == recorded)
    #expect(try record(LocationUpdate(remembering: [inside("b", "inside")]), expecting: both) == [])
    #expect(
      try home.store().rememberedLocations(profile: "default") == [inside("a", "inside"), inside("b", "inside")])
    _ = try record(LocationUpdate(forgetting: ["b"]), expecting: [inside("a", "inside"), inside("b", "inside")])
    _ = try record(LocationUpdate(remembering: [inside("b", "outside")]), expecting: [inside("a", "inside")])
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
