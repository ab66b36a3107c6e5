import Location
import Store
import Support
import Testing
import World

/// The events that may be sent, depending on their owner and the choice for their connection.
@Suite struct LocationSendingTests {
  let home = TestHome()

  private func record(_ region: String, of connection: String? = "aa", by owner: String?) throws -> String {
    let event = LocationEvent(
      .exit, region: region, connection: connection, at: Timestamp(milliseconds: 1_772_646_129_000))
    return try #require(try LocationQueue(home.store(), profile: "default").record([event], owner: owner)[0].recordID)
  }

  private func toSend(by owner: String, refused: Bool = false) throws -> [String] {
    try LocationQueue(home.store(), profile: "default").eventsToSend(.max, refused: refused, of: owner).map(\.region)
  }

  private func foreignEvents(besides owner: String) throws -> [String] {
    try LocationQueue(home.store(), profile: "default").foreignEvents(besides: owner).map(\.region)
  }

  @Test func eventsAreSeparatePerOwner() throws {
    _ = try (record("a", by: "one"), record("b", by: "two"), record("c", by: nil))
    #expect(try toSend(by: "one") == ["a"])
    #expect(try foreignEvents(besides: "one") == ["b", "c"])
    try LocationQueue(home.store(), profile: "default").adoptEvents(of: "c", by: "one")
    #expect(try toSend(by: "one") == ["a", "c"])
    #expect(try toSend(by: "two") == ["b"])
  }

  @Test func eventsOfADisabledConnectionAreWithheld() throws {
    _ = try (record("a", by: "one"), record("b", of: "bb", by: "one"), record("c", of: "bb", by: "two"))
    _ = try LocationQueue(home.store(), profile: "default").setReporting(false, of: "bb")
    #expect(try toSend(by: "one") == ["a"])
    #expect(try foreignEvents(besides: "one") == [])
    let withheld = try LocationQueue(home.store(), profile: "default").withheldEvents()
    #expect(withheld.map(\.connection) == ["bb"] && withheld.map(\.count) == [2])
    _ = try LocationQueue(home.store(), profile: "default").setReporting(true, of: "bb")
    #expect(try toSend(by: "one") == ["a", "b"])
    #expect(try LocationQueue(home.store(), profile: "default").withheldEvents().isEmpty)
  }

  @Test func rejectedEventsAreSeparate() throws {
    let id = try record("a", by: "one")
    try LocationQueue(home.store(), profile: "default").noteFailure("no", isRefused: true, of: [id])
    #expect(try toSend(by: "one") == [])
    #expect(try toSend(by: "one", refused: true) == ["a"])
  }

  @Test func stillWaitingExcludesRemovedEvents() throws {
    let ids = try [record("a", by: "one"), record("b", by: "one")]
    _ = try LocationQueue(home.store(), profile: "default").remove([ids[0]])
    #expect(try LocationQueue(home.store(), profile: "default").stillWaiting(ids) == [ids[1]])
    #expect(try LocationQueue(home.store(), profile: "other").stillWaiting(ids) == [])
  }
}
