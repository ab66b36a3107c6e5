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
    return try #require(try home.store().record([event], owner: owner, profile: "default")[0].recordID)
  }

  private func toSend(by owner: String, refused: Bool = false) throws -> [String] {
    try home.store().locationEventsToSend(.max, refused: refused, of: owner, profile: "default").map(\.region)
  }

  private func foreignEvents(besides owner: String) throws -> [String] {
    try home.store().foreignLocationEvents(besides: owner, profile: "default").map(\.region)
  }

  @Test func eventsAreSeparatePerOwner() throws {
    _ = try (record("a", by: "one"), record("b", by: "two"), record("c", by: nil))
    #expect(try toSend(by: "one") == ["a"])
    #expect(try foreignEvents(besides: "one") == ["b", "c"])
    try home.store().adoptLocationEvents(of: "c", by: "one", profile: "default")
    #expect(try toSend(by: "one") == ["a", "c"])
    #expect(try toSend(by: "two") == ["b"])
  }

  @Test func eventsOfADisabledConnectionAreWithheld() throws {
    _ = try (record("a", by: "one"), record("b", of: "bb", by: "one"), record("c", of: "bb", by: "two"))
    _ = try home.store().setLocation(false, of: "bb", profile: "default")
    #expect(try toSend(by: "one") == ["a"])
    #expect(try foreignEvents(besides: "one") == [])
    let withheld = try home.store().withheldLocationEvents(profile: "default")
    #expect(withheld.map(\.connection) == ["bb"] && withheld.map(\.count) == [2])
    _ = try home.store().setLocation(true, of: "bb", profile: "default")
    #expect(try toSend(by: "one") == ["a", "b"])
    #expect(try home.store().withheldLocationEvents(profile: "default").isEmpty)
  }

  @Test func rejectedEventsAreSeparate() throws {
    let id = try record("a", by: "one")
    try home.store().noteLocationFailure("no", isRefused: true, of: [id], profile: "default")
    #expect(try toSend(by: "one") == [])
    #expect(try toSend(by: "one", refused: true) == ["a"])
  }

  @Test func stillWaitingExcludesRemovedEvents() throws {
    let ids = try [record("a", by: "one"), record("b", by: "one")]
    _ = try home.store().removeLocationEvents([ids[0]], profile: "default")
    #expect(try home.store().stillWaiting(ids, profile: "default") == [ids[1]])
    #expect(try home.store().stillWaiting(ids, profile: "other") == [])
  }
}
