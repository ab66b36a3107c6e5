import HTTP
import JSON
import Sandbox
import Testing

/// Replacing a user's configuration (docs/api/connect.md §7.6).
@Suite struct ConfigurationTests {
  private static let target = "/v2/connections/Kd7Rn2Qx/user_connection?user_id=u-5521"

  /// The example of docs/api/connect.md §7.6.
  private static func body(
    calendar: JSONValue = "cal_b", scene: JSONValue = "sc_04", location: JSONValue? = nil, feature: JSONObject = [:]
  ) -> JSONValue {
    let area: JSONValue = [
      "lat": .number(JSONNumber(38.7369)), "lng": .number(JSONNumber(-9.1427)), "radius": 220,
      "address": "Rua Invented 9, Lisboa", "description": "Home", "zoom": 15,
    ]
    var json: JSONObject = [
      "feature_id": "mw4tq9hzjc", "enabled": true, "user_fields": [["field_id": "scene", "value": scene]],
      "user_feature_triggers": [
        [
          "feature_trigger_id": "t8kd2vpyna",
          "user_fields": [["field_id": "location", "value": location ?? area]],
        ]
      ],
      "user_feature_queries": [["feature_query_id": "q5bn7xrwme", "user_fields": []]],
      "user_feature_actions": [
        ["feature_action_id": "a3ch6zlgus", "user_fields": [["field_id": "calendar", "value": calendar]]]
      ],
    ]
    for (key, value) in feature.members { json[key] = value }
    return ["user_features": [.object(json)]]
  }

  @Test func omittedValuesAreRemovedAndIDsStay() throws {
    var session = EmulatorSession()
    let before = try #require(session.userFeatures("Kd7Rn2Qx").first)
    let response = session.put(Self.target, [.key], body: Self.body(calendar: "cal_a"))
    #expect(response.status == 200 && response.assumptions == ["U2", "U15"])
    #expect(response.json == session.get("/v2/connections/Kd7Rn2Qx", [.token]).json)
    let after = try #require(session.userFeatures("Kd7Rn2Qx").first)
    #expect(after["id"] == before["id"])
    #expect(
      after["user_feature_actions"] == [
        [
          "id": "c91f3e57-24ab-4d08-b6d5-1f7a0c8e3b62", "feature_action_id": "a3ch6zlgus",
          "user_fields": [
            [
              "field_id": "calendar", "field_type": "COLLECTION_SELECT",
              "value": ["group": nil, "label": "Garden", "value": "cal_a"],
            ]
          ],
        ]
      ])
    #expect(session.put(Self.target, [.key], body: ["user_features": []]).status == 200)
    #expect(session.userFeatures("Kd7Rn2Qx") == [])
    let anew = session.put(Self.target, [.key], body: Self.body())
    let id = anew.json["user_connection"]?["user_features"]?.array?.first?["id"]?.string
    #expect(id?.utf8.count == 36 && id != before["id"]?.string)
    #expect(session.userFeatures("Kd7Rn2Qx", .secondToken) == [], "it is disabled for the second user")
  }

  @Test func acceptsOptionsAsObjectsAndNumbersAsStrings() {
    var session = EmulatorSession()
    let area: JSONValue = ["lat": "38.5", "lng": "-9", "radius": "300"]
    let response = session.put(
      Self.target, [.token],
      body: Self.body(scene: ["value": "sc_03", "label": "whatever", "group": nil], location: area))
    let feature = response.json["user_connection"]?["user_features"]?.array?.first
    #expect(feature?["user_fields"]?.array?.first?["value"] == ["group": nil, "label": "Low tide", "value": "sc_03"])
    let kept = feature?["user_feature_triggers"]?.array?.first?["user_fields"]?.array?.first?["value"]
    #expect(
      kept == [
        "lat": .number(JSONNumber(38.5)), "lng": -9, "radius": 300, "address": "", "description": "", "zoom": nil,
      ])
  }

  @Test(
    arguments: [
      (body(calendar: "Garden"), "/fields/calendar"), (body(calendar: 7), "/fields/calendar"),
      (body(scene: "sc_99"), "/fields/scene"), (body(scene: ""), "/fields/scene"), (body(scene: nil), "/fields/scene"),
      (body(location: "Lisboa"), "/fields/location"), (body(location: ["lat": 1, "lng": 2]), "/fields/location"),
      (body(location: ["lat": 91, "lng": 2, "radius": 5]), "/fields/location"),
      (body(feature: ["feature_id": "nosuch"]), "/user_features/0/feature_id"),
      (body(feature: ["enabled": "yes"]), "/user_features/0/enabled"),
      (body(feature: ["user_fields": []]), "/fields/scene"),
      (body(feature: ["user_fields": 7]), "/user_features/0/user_fields"),
      (
        body(feature: ["user_fields": [["field_id": "scene", "value": "sc_01"], ["field_id": "x", "value": "y"]]]),
        "/user_features/0/user_fields/1/field_id"
      ),
      (body(feature: ["user_feature_actions": []]), "/user_features/0/user_feature_actions"),
      (
        body(feature: ["user_feature_queries": [["feature_query_id": "t8kd2vpyna"]]]),
        "/user_features/0/user_feature_queries/0/feature_query_id"
      ),
      (["user_features": nil], "/user_features"), ([:], "/user_features"),
      (["user_features": [7]], "/user_features/0/feature_id"),
    ] as [(JSONValue, String)])
  func reportsErrorsAndChangesNothing(body: JSONValue, parameter: String) {
    var session = EmulatorSession()
    let before = session.userFeatures("Kd7Rn2Qx")
    let response = session.put(Self.target, [.key], body: body)
    #expect(response.status == 422 && response.code == "invalid_parameters" && response.assumptions == ["U27"])
    #expect(response.json["message"] == "The parameters of your request were invalid")
    #expect(response.faults.contains(parameter), "\(response.faults)")
    #expect(session.userFeatures("Kd7Rn2Qx") == before)
  }

  @Test func aDisabledFeatureMayBeIncomplete() {
    var session = EmulatorSession()
    let body: JSONValue = ["user_features": [["feature_id": "mw4tq9hzjc", "enabled": false]]]
    #expect(session.put(Self.target, [.key], body: body).status == 200)
    #expect(session.userFeatures("Kd7Rn2Qx").first?["enabled"] == false)
  }

  /// Instances are matched by id, or else by order (docs/api/connect.md U16).
  @Test func distinguishesTwoInstancesOfOneFeature() throws {
    var session = EmulatorSession()
    let target = "/v2/connections/Fq3Lw8Zt/user_connection?user_id=u-5521"
    let before = session.userFeatures("Fq3Lw8Zt")
    let (kitchen, hall) = (before[0], before[1])
    func instance(_ id: JSONValue?, label: JSONValue) -> JSONValue {
      var json: JSONObject = ["feature_id": "r2pzk8ydqn", "enabled": false]
      json["id"] = id
      json["user_fields"] = [["field_id": "label", "value": label]]
      return .object(json)
    }
    let swapped: JSONValue = ["user_features": [instance(hall["id"], label: "H"), instance(kitchen["id"], label: "K")]]
    #expect(session.put(target, [.key], body: swapped).assumptions == ["U2", "U15"])
    #expect(session.userFeatures("Fq3Lw8Zt").map { $0["id"] } == [hall["id"], kitchen["id"]])
    let ordered: JSONValue = [
      "user_features": [instance(nil, label: "1"), instance(nil, label: "2"), instance(nil, label: "3")]
    ]
    #expect(session.put(target, [.key], body: ordered).assumptions == ["U2", "U15", "U16"])
    let after = session.userFeatures("Fq3Lw8Zt")
    #expect(after.prefix(2).map { $0["id"] } == [hall["id"], kitchen["id"]])
    #expect(Set(after.compactMap { $0["id"]?.string }).count == 3)
    let twice: JSONValue = ["user_features": [instance(hall["id"], label: "1"), instance(hall["id"], label: "2")]]
    #expect(session.put(target, [.key], body: twice).faults == ["/user_features/1/id"])
  }

  /// Sending back the configuration that was read, with every field type, changes nothing.
  @Test func configurationsRoundTrip() {
    var session = EmulatorSession()
    let before = session.userFeatures("Fq3Lw8Zt")
    let response = session.put(
      "/v2/connections/Fq3Lw8Zt/user_connection", [.token], body: ["user_features": .array(before)])
    #expect(response.status == 200, "\(response.json.text)")
    let labelled = session.userFeatures("Fq3Lw8Zt")
    #expect(labelled.count == before.count && labelled[0] == before[0] && labelled[2] == before[2])
    #expect(labelled[1] != before[1], "its scene has a new label")
  }

  @Test func anEnabledFeatureEndsThePendingState() {
    var session = EmulatorSession()
    let target = "/v2/connections/Yb8Cz3Ve/user_connection"
    let off: JSONValue = ["user_features": [["feature_id": "c4xr8ofmiu", "enabled": false]]]
    #expect(session.put(target, [.token], body: off).assumptions == ["U4", "U2", "U15"])
    let on: JSONValue = [
      "user_features": [
        [
          "feature_id": "c4xr8ofmiu", "enabled": true,
          "user_feature_actions": [
            ["feature_action_id": "a2yh9pvten", "user_fields": [["field_id": "lamp", "value": "l_desk"]]]
          ],
        ]
      ]
    ]
    #expect(session.put(target, [.token], body: on).assumptions == ["U2", "U15"])
    #expect(session.post("/v2/connections/Yb8Cz3Ve/disable", [.token]).status200 == "disabled")
    #expect(session.post("/v2/connections/Yb8Cz3Ve/enable", [.token]).status200 == "enabled")
    #expect(session.userFeatures("Yb8Cz3Ve").count == 1)
  }
}
