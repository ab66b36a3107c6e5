import HTTP
import JSON
import Sandbox
import Testing

/// Provisional codes and usage events (docs/api/connect.md §7.13, and docs/api/events-and-privacy.md §1).
@Suite struct CodesAndEventsTests {
  @Test func convertsAnOAuthCodeToAProvisionalCode() throws {
    var session = EmulatorSession()
    let responses = (1...3).map { _ in
      session.post("/v2/provisional_access_code", [.key], json: ["oauth_code": "oc_91fz"])
    }
    for response in responses {
      #expect(response.status == 201 && response.json.object?.members.map(\.key) == ["provisional_access_code"])
    }
    #expect(Set(responses.compactMap { $0.json["provisional_access_code"]?.string }).count == 3)
    #expect(try SandboxState(parsing: session.emulator.state.bytes) == session.emulator.state)
  }

  @Test func onlyAServiceKeyCreatesCodes() {
    var session = EmulatorSession()
    let target = "/v2/provisional_access_code"
    #expect(session.post(target, [], json: ["oauth_code": "x"]).status == 401)
    #expect(session.post(target, [.token], json: ["oauth_code": "x"]).status == 403)
    for body in [[:], ["oauth_code": ""], ["oauth_code": 7]] as [JSONValue] {
      #expect(session.post(target, [.key], json: body).code == "emulator_bad_request")
    }
    #expect(session.post(target, [.key]).code == "emulator_bad_request")
  }

  private static func event(
    _ properties: JSONValue, name: JSONValue = "sdk.click", at moment: JSONValue = "1772646129000"
  ) -> JSONValue {
    ["name": name, "timestamp": moment, "properties": properties]
  }

  private static let example: JSONValue = [
    "object_type": "connection", "object_id": "Kd7Rn2Qx", "object_status": "never_enabled",
    "location_type": "connect_button", "location_id": "Kd7Rn2Qx",
  ]

  @Test(
    arguments: [
      [event(example)], [],
      [event(example, name: "sdk.impression"), event(["location_id": nil], name: "sdk.pageviewed")],
      [event(["state": "created"], name: "sdk.statechange")],
    ] as [[JSONValue]])
  func acceptsEventsWithoutCredentials(_ events: [JSONValue]) {
    var session = EmulatorSession()
    let response = session.post("/v2/sdk/events", json: ["events": .array(events)])
    #expect(response.status == 204 && response.body.isEmpty && response.assumptions == ["U10"])
  }

  @Test(
    arguments: [
      (event(example, name: "click"), "/events/1/name"), (event(example, at: 1_772_646_129_000), "/events/1/timestamp"),
      (event(example, at: "2026-03-04T17:42:09Z"), "/events/1/timestamp"),
      (event(example, at: ""), "/events/1/timestamp"), (event(["object_id": 7]), "/events/1/properties/object_id"),
      (event(["email": "kai@mail.test"]), "/events/1/properties/email"), (event([]), "/events/1/properties"),
      (["name": "sdk.click", "timestamp": "1"], "/events/1/properties"), ("x", "/events/1"),
    ] as [(JSONValue, String)])
  func rejectsInvalidEvents(_ event: JSONValue, parameter: String) {
    var session = EmulatorSession()
    let response = session.post("/v2/sdk/events", json: ["events": [Self.event(Self.example), event]])
    #expect(response.status == 422 && response.faults == [parameter])
    #expect(session.post("/v2/sdk/events", json: ["events": event]).status == 400)
  }
}
