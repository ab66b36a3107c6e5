import IFTTT
import JSON
import Testing
import World

/// The report of each event, in the terms of docs/api/events-and-privacy.md §2, and the data that is never reported.
@Suite struct UsageEventTests {
  private let id: ConnectionID
  private let now = Timestamp(milliseconds: 1_772_646_129_000)

  init() throws { id = try #require(ConnectionID(parsing: "Kd7Rn2Qx")) }

  private func texts(_ moment: UsageMoment) -> [String] { moment.events.map { $0.json(at: now).text } }

  private func event(_ name: String, _ properties: String) -> String {
    #"{"name":"\#(name)","timestamp":"1772646129000","properties":{\#(properties)}}"#
  }

  private let connection = #""object_type":"connection","object_id":"Kd7Rn2Qx""#
  private let email = #""object_type":"connection_email","object_id":"Kd7Rn2Qx""#
  private let button = #""location_type":"connect_button","location_id":"Kd7Rn2Qx""#

  /// The example of docs/api/events-and-privacy.md §1.
  @Test func openingBrowserIsAClick() {
    #expect(
      texts(.connecting(id, .neverEnabled))
        == [event("sdk.click", #"\#(connection),"object_status":"never_enabled",\#(button)"#)])
  }

  @Test func buttonIsAnImpression() {
    #expect(
      texts(.buttonShown(id, .disabled))
        == [event("sdk.impression", #"\#(connection),"object_status":"disabled",\#(button)"#)])
  }

  @Test func emailEventsDoNotContainAddress() {
    #expect(texts(.emailRequested(id)) == [event("sdk.impression", "\(email),\(button)")])
    #expect(texts(.emailConfirmed(id)) == [event("sdk.click", "\(email),\(button)")])
  }

  @Test func disconnectingIsAClick() {
    #expect(
      texts(.disconnecting(id, .enabled))
        == [event("sdk.click", #"\#(connection),"object_status":"enabled",\#(button)"#)])
  }

  @Test(arguments: [
    (Connection.Status.neverEnabled, "created"), (.disabled, "enabled"), (.enabled, "enabled"), (.unknown, "enabled"),
  ])
  func connectingIsAStateChangeAndAPageView(before: Connection.Status, state: String) {
    #expect(
      texts(.connected(id, before: before)) == [
        event("sdk.statechange", #"\#(connection),"object_status":"enabled",\#(button),"state":"\#(state)""#),
        event("sdk.pageviewed", button),
      ])
  }

  @Test func unknownStatusIsOmitted() {
    #expect(texts(.disconnecting(id, .unknown)) == [event("sdk.click", "\(connection),\(button)")])
  }

  /// Anything that might be in place of an id: an address, a token, a place, a host, a user, markup, a line of a log.
  @Test(arguments: [
    "kai@mail.test", "Zq8v_T2mLr-5YpWc0NdXs7KhGb3JtE9uFa6RiOxQ1lDyVwBk", "48.2082,16.3738", "connect.ifttt.com",
    "127.0.0.1", "u-5521", "kai_lamps", "kai lamps", "<b>x", #"a","user":"kai"#, "Ünï", "a%40b",
    "aaaaaaaaaaaaaaaaa",
  ])
  func invalidIDIsNotReported(text: String) throws {
    let id = try #require(ConnectionID(parsing: text))
    let moments: [UsageMoment] = [
      .buttonShown(id, .enabled), .emailRequested(id), .emailConfirmed(id), .connecting(id, .enabled),
      .connected(id, before: .enabled), .disconnecting(id, .enabled),
    ]
    for moment in moments { #expect(moment.events == []) }
  }
}
