import HTTP
import JSON
import Sandbox
import Testing

/// Provisional codes and usage events (docs/api/connect.md §7.13, and docs/api/events-and-privacy.md §1).
@Suite struct CodesAndEventsTests {
  @Test func convertsAnOAuthCodeToAProvisionalCode() throws {
    var conversation = EmulatorSession()
    let answers = (1...3).map { _ in
      conversation.post("/v2/provisional_access_code", [.key], json: ["oauth_code": "oc_91fz"])
    }
    for answer in answers {
      #expect(answer.status == 201 && answer.json.object?.members.map(\.key) == ["provisional_access_code"])
    }
    #expect(Set(answers.compactMap { $0.json["provisional_access_code"]?.string }).count == 3)
    #expect(try SandboxState(parsing: conversation.emulator.state.bytes) == conversation.emulator.state)
  }

  @Test func onlyAServiceKeyCreatesCodes() {
    var conversation = EmulatorSession()
    let target = "/v2/provisional_access_code"
    #expect(conversation.post(target, [], json: ["oauth_code": "x"]).status == 401)
    #expect(conversation.post(target, [.token], json: ["oauth_code": "x"]).status == 403)
    for body in [[:], ["oauth_code": ""], ["oauth_code": 7]] as [JSONValue] {
      #expect(conversation.post(target, [.key], json: body).code == "emulator_bad_request")
    }
    #expect(conversation.post(target, [.key]).code == "emulator_bad_request")
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
    var conversation = EmulatorSession()
    let answer = conversation.post("/v2/sdk/events", json: ["events": .array(events)])
    #expect(answer.status == 204 && answer.body.isEmpty && answer.assumptions == ["U10"])
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
    var conversation = EmulatorSession()
    let answer = conversation.post("/v2/sdk/events", json: ["events": [Self.event(Self.example), event]])
    #expect(answer.status == 422 && answer.faults == [parameter])
    #expect(conversation.post("/v2/sdk/events", json: ["events": event]).status == 400)
  }
}
