import HTTP
import JSON
import Sandbox
import Testing

/// The deprecated update (docs/api/connect.md §7.7), which changes fields of steps and nothing else.
@Suite struct LegacyUpdateTests {
  private static func body(
    _ value: JSONValue, service: JSONValue = "location", step: JSONObject = [:], root: JSONObject = [:]
  ) -> JSONValue {
    var trigger: JSONObject = [
      "id": "exit_region_location", "user_triggers": [["fields": [["id": "location", "value": value]]]],
    ]
    for (key, value) in step.members { trigger[key] = value }
    var body: JSONObject = [
      "user_id": "u-5521", "services": [["service_id": service, "triggers": [.object(trigger)]]],
    ]
    for (key, value) in root.members { body[key] = value }
    return .object(body)
  }

  private static let place: JSONValue = [
    "address": "Rua Invented 9, Lisboa", "lat": "38.7369", "lng": "-9.1427", "radius": "220",
  ]

  @Test func acceptsAPlaceInStrings() {
    var conversation = EmulatorSession()
    let before = conversation.userFeatures("Kd7Rn2Qx")[0]
    let answer = conversation.post("/v2/connections/Kd7Rn2Qx", [.key], json: Self.body(Self.place))
    #expect(answer.status == 200 && answer.assumptions == ["U3"])
    let after = conversation.userFeatures("Kd7Rn2Qx")[0]
    let trigger = after["user_feature_triggers"]?.array?.first
    #expect(trigger?["user_fields"]?.array?.first?["value"]?["radius"] == 220)
    #expect(trigger?["id"] == "d27e9a40-5b13-4c68-9f02-3e8a6b7c1d54")
    #expect(
      after["user_feature_actions"] == before["user_feature_actions"] && after["user_fields"] == before["user_fields"])
  }

  @Test(
    arguments: [
      (body(place, root: ["enabled": false]), "/enabled"), (body(place, root: ["services": 1]), "/services"),
      (body(place, root: ["services": [["service_id": "location", "features": []]]]), "/services/0/features"),
      (body(place, root: ["services": [7]]), "/services/0/service_id"),
      (body(place, service: "tidebook"), "/services/0/triggers/0/id"),
      (body(place, step: ["id": "nosuch"]), "/services/0/triggers/0/id"),
      (body(place, step: ["label": "x"]), "/services/0/triggers/0"),
      (body(place, step: ["user_triggers": [["id": "x", "fields": []]]]), "/services/0/triggers/0/user_triggers/0"),
      (body(place, step: ["user_triggers": [["fields": []], ["fields": []]]]), "/services/0/triggers/0/id"),
      (
        body(place, step: ["user_triggers": [["fields": [["id": "x", "value": "y"]]]]]),
        "/services/0/triggers/0/user_triggers/0/fields/0/id"
      ),
      (body("Lisboa"), "/fields/location"),
    ] as [(JSONValue, String)])
  func rejectsAnythingElse(body: JSONValue, parameter: String) {
    var conversation = EmulatorSession()
    let before = conversation.userFeatures("Kd7Rn2Qx")
    let answer = conversation.post("/v2/connections/Kd7Rn2Qx", [.key], json: body)
    #expect(answer.status == 422 && answer.faults == [parameter], "\(answer.json.text)")
    #expect(conversation.userFeatures("Kd7Rn2Qx") == before)
  }
}
