import HTTP
import JSON
import Sandbox
import Testing

/// Running, performing and testing steps (docs/api/connect.md §7.10 to §7.12).
@Suite struct StepRequestTests {
  private static let run = "/v2/connections/Kd7Rn2Qx/actions/tidebook.add_entry/run"
  private static let perform = "/v2/connections/Kd7Rn2Qx/queries/tidebook.list_tides/perform"
  private static let scene = "/v2/connections/Fq3Lw8Zt/actions/lampost.set_scene/run"

  @Test func aRunReturnsNoContent() {
    var session = EmulatorSession()
    let response = session.post(
      Self.run, [.key],
      json: [
        "user_id": "u-5521", "user_feature_id": "8f0b6c1e-2d57-4a93-b8e4-71c0d9a5f326",
        "fields": ["calendar": "cal_b", "note": "Lights on"],
      ])
    #expect(response.status == 204 && response.body.isEmpty && response.assumptions == [])
  }

  @Test func aLabelIsNotAnOption() {
    var session = EmulatorSession()
    let response = session.post(Self.run, [.token], json: ["fields": ["calendar": "Boat"]])
    #expect(response.status == 422 && response.assumptions == [])
    #expect(
      response.json == [
        "type": "error", "code": "invalid_parameters", "message": "The parameters of your request were invalid",
        "details": [
          [
            "parameter": "/fields/calendar",
            "message": "Not a valid option for this field. Use the field options request to get valid options.",
          ]
        ],
      ])
  }

  @Test(
    arguments: [
      (run, ["fields": ["note": 7]], "/fields/note"), (run, ["fields": ["nosuch": "x"]], "/fields/nosuch"),
      (run, ["fields": ["a/b~c": "x"]], "/fields/a~1b~0c"), (run, ["fields": "x"], "/fields"),
      (run, ["user_feature_id": "nosuch"], "/user_feature_id"),
      (scene, ["fields": ["lamps": ["l_1", 9]]], "/fields/lamps"),
      (scene, ["fields": ["lamps": "l_1"]], "/fields/lamps"),
      (perform, ["limit": 0], "/limit"), (perform, ["limit": 101], "/limit"), (perform, ["limit": "5"], "/limit"),
      (perform, ["cursor": "pg5-aaaa"], "/cursor"), (perform, ["cursor": ""], "/cursor"),
      (perform, ["cursor": 7], "/cursor"),
      (perform, ["includes": "heights"], "/includes"), (perform, ["includes": [1]], "/includes"),
    ] as [(String, JSONValue, String)])
  func reportsInvalidParameters(target: String, body: JSONValue, parameter: String) {
    var session = EmulatorSession()
    let response = session.post(target, [.token], json: body)
    #expect(response.status == 422 && response.faults == [parameter] && response.assumptions == ["U27"])
  }

  @Test(arguments: [
    "actions/tidebook.nosuch/run", "actions/add_entry/run", "actions/tidebook.list_tides/run",
    "queries/tidebook.add_entry/perform", "triggers/tidebook.list_tides/test",
  ])
  func stepsNeedTheirFullName(_ call: String) {
    var session = EmulatorSession()
    let response = session.post("/v2/connections/Kd7Rn2Qx/\(call)", [.token], json: [:])
    #expect(response.status == 404 && response.code == "not_found" && response.assumptions == ["U27"])
  }

  @Test func aDisabledFeatureDoesNotRun() {
    var session = EmulatorSession()
    let hall: JSONValue = ["user_feature_id": "a6d93c15-0e7b-4f82-8b4d-92c0f1e56a37"]
    #expect(session.post(Self.scene, [.token], json: hall).code == "emulator_not_enabled")
    #expect(session.post(Self.scene, [.token], json: [:]).status == 204, "the first enabled instance runs")
    let lamps: JSONValue = ["fields": ["lamps": ["l_1", ["label": "x", "value": "l_4"]], "scene": "sc_10"]]
    #expect(session.post(Self.scene, [.token], json: lamps).status == 204)
  }

  @Test func overridesLocationsWithPointsAndAreas() {
    var session = EmulatorSession()
    let test = "/v2/connections/Fq3Lw8Zt/triggers/skyglass.wind_at_point/test"
    #expect(session.post(test, [.key], json: ["user_id": "u-5521"]).status == 204)
    #expect(
      session.post(test, [.token], json: ["fields": ["place": "nowhere"]]).status == 204, "fields are ignored")
  }

  @Test func returnsEveryPageOnce() throws {
    var session = EmulatorSession()
    var body: JSONObject = [:]
    var ids: [String] = []
    for _ in 1...5 {
      let response = session.post(Self.perform, [.token], json: .object(body))
      #expect(response.status == 200 && response.json["type"] == "list")
      ids += (response.json["data"]?.array ?? []).compactMap { $0["id"]?.string }
      guard let next = response.json["next"] else { break }
      body["cursor"] = next["cursor"]
      body["fields"] = next["fields"]
    }
    #expect(ids.count == 23 && Set(ids).count == 23 && ids.first == "tide-01")
    let all = session.post(Self.perform, [.token], json: ["limit": 100]).json
    #expect(all["data"]?.array?.compactMap { $0["id"]?.string } == ids && all["next"] == nil)
  }

  @Test func aCursorIsValidOnlyForItsQuery() throws {
    var session = EmulatorSession()
    let forecast = "/v2/connections/Fq3Lw8Zt/queries/skyglass.forecast/perform"
    let first = session.post(forecast, [.token], json: ["fields": ["unit": "u_f"]])
    #expect(first.json["data"]?.array?.compactMap { $0["temperature"] } == ["48", "57"])
    let next = try #require(first.json["next"])
    #expect(next["fields"] == ["unit": "u_f"])
    let cursor = try #require(next["cursor"])
    let second = session.post(forecast, [.token], json: ["fields": ["unit": "u_f"], "cursor": cursor, "limit": 1])
    #expect(second.json["data"]?.array?.count == 1 && second.json["next"] == nil)
    #expect(session.post(forecast, [.token], json: ["cursor": cursor]).faults == ["/cursor"])
    #expect(session.post(Self.perform, [.token], json: ["cursor": cursor]).faults == ["/cursor"])
  }

  @Test func resolvesIncludedNestedQueries() throws {
    var session = EmulatorSession()
    let bare = session.post(Self.perform, [.token], json: ["limit": 1]).json["data"]?.array?.first
    #expect(bare?["notes"] == ["type": "query", "fields": ["tide_id": "td_01=="]])
    let row = session.post(Self.perform, [.token], json: ["limit": 1, "includes": ["heights"]])
      .json["data"]?.array?.first
    #expect(row?["heights"]?["type"] == "list" && row?["heights"]?["data"]?.array?.count == 3)
    #expect(row?["notes"] == bare?["notes"])
    let notes = session.post(Self.perform, [.token], json: ["fields": bare?["notes"]?["fields"] ?? nil]).json
    #expect(notes == ["type": "list", "data": [["text": "Seen from Peniche", "by": "kai_lamps"]]])
  }
}
