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

  private static let area: JSONValue = [
    "address": "Rua Invented 9, Lisboa", "lat": "38.7369", "lng": "-9.1427", "radius": "220",
  ]

  @Test func acceptsALocationInStrings() {
    var session = EmulatorSession()
    let before = session.userFeatures("Kd7Rn2Qx")[0]
    let response = session.post("/v2/connections/Kd7Rn2Qx", [.key], json: Self.body(Self.area))
    #expect(response.status == 200 && response.assumptions == ["U3"])
    let after = session.userFeatures("Kd7Rn2Qx")[0]
    let trigger = after["user_feature_triggers"]?.array?.first
    #expect(trigger?["user_fields"]?.array?.first?["value"]?["radius"] == 220)
    #expect(trigger?["id"] == "d27e9a40-5b13-4c68-9f02-3e8a6b7c1d54")
    #expect(
      after["user_feature_actions"] == before["user_feature_actions"] && after["user_fields"] == before["user_fields"])
  }

  @Test(
    arguments: [
      (body(area, root: ["enabled": false]), "/enabled"), (body(area, root: ["services": 1]), "/services"),
      (body(area, root: ["services": [["service_id": "location", "features": []]]]), "/services/0/features"),
      (body(area, root: ["services": [7]]), "/services/0/service_id"),
      (body(area, service: "tidebook"), "/services/0/triggers/0/id"),
      (body(area, step: ["id": "nosuch"]), "/services/0/triggers/0/id"),
      (body(area, step: ["label": "x"]), "/services/0/triggers/0"),
      (body(area, step: ["user_triggers": [["id": "x", "fields": []]]]), "/services/0/triggers/0/user_triggers/0"),
      (body(area, step: ["user_triggers": [["fields": []], ["fields": []]]]), "/services/0/triggers/0/id"),
      (
        body(area, step: ["user_triggers": [["fields": [["id": "x", "value": "y"]]]]]),
        "/services/0/triggers/0/user_triggers/0/fields/0/id"
      ),
      (body("Lisboa"), "/fields/location"),
    ] as [(JSONValue, String)])
  func rejectsAnythingElse(body: JSONValue, parameter: String) {
    var session = EmulatorSession()
    let before = session.userFeatures("Kd7Rn2Qx")
    let response = session.post("/v2/connections/Kd7Rn2Qx", [.key], json: body)
    #expect(response.status == 422 && response.faults == [parameter], "\(response.json.text)")
    #expect(session.userFeatures("Kd7Rn2Qx") == before)
  }
}
