import HTTP
import JSON
import Sandbox
import Testing

/// Field options and refreshes (docs/api/connect.md §7.8 and §7.9).
@Suite struct OptionTests {
  private static let base = "/v2/connections/Kd7Rn2Qx"

  @Test func oneRequestReturnsTheOptionsOfAllFields() {
    var session = EmulatorSession()
    let older = session.get("\(Self.base)/actions/tidebook.add_entry/field_options?user_id=u-5521", [.key])
    #expect(
      older.json == [
        "type": "field_options",
        "options": [
          "calendar": [
            ["label": "Garden", "value": "cal_a", "group": nil],
            ["label": "Boat", "value": "cal_b", "group": "Shared"],
          ]
        ],
      ])
    #expect(older.assumptions == [])
    let newer = session.get(
      "\(Self.base)/features/mw4tq9hzjc/actions/tidebook.add_entry/field_options", [.token])
    #expect(newer.json == older.json)
    let none = session.get("\(Self.base)/queries/tidebook.list_tides/field_options", [.token])
    #expect(none.json == ["type": "field_options", "options": [:]])
  }

  /// Every options URL in every connection's JSON works, and its options include the user's values and the defaults.
  @Test(arguments: SandboxFixtures.ownConnectionIDs)
  func everyOptionsURLWorks(_ id: String) throws {
    var session = EmulatorSession()
    let json = session.get("/v2/connections/\(id)", [.token, .invite]).json
    guard json["user_status"] == "enabled" else { return }
    let features = try #require(json["features"]?.array)
    #expect(!features.isEmpty)
    for feature in features {
      let steps = ["triggers", "queries", "actions"].flatMap { feature["feature_\($0)"]?.array ?? [] }
      for part in [feature] + steps {
        let address = try #require(part["field_options_url"]?.string)
        let response = session.get(String(address.dropFirst("https://connect.ifttt.com".count)), [.token])
        #expect(response.status == 200)
        for field in part["fields"]?.array ?? [] {
          let isChoice = ["SELECT", "CHECKBOX"].contains { field["type"]?.string?.contains($0) == true }
          let options = response.json["options"]?[field["id"]?.string ?? ""]?.array
          #expect((options?.isEmpty == false) == isChoice, "\(field.text)")
          guard let preset = field["default_value"]?["value"] else { continue }
          #expect(options?.contains { $0["value"] == preset } == true)
        }
      }
    }
  }

  @Test(arguments: [
    "features/nosuch", "actions/tidebook.nosuch", "actions/add_entry", "triggers/tidebook.add_entry",
    "features/nosuch/actions/tidebook.add_entry", "actions/",
  ])
  func unknownOwnersAreNotFound(_ owner: String) {
    var session = EmulatorSession()
    let response = session.get("\(Self.base)/\(owner)/field_options", [.token])
    #expect(response.status == 404 && response.code == "not_found" && response.assumptions == ["U27"])
  }

  @Test func aRefreshUpdatesTheLabels() throws {
    var session = EmulatorSession()
    func scene() -> JSONValue? {
      session.userFeatures("Fq3Lw8Zt")[1]["user_feature_actions"]?.array?.first?["user_fields"]?.array?.first?[
        "value"]
    }
    #expect(scene() == ["group": nil, "label": "Hall, dim", "value": "sc_07"])
    let response = session.post("/v2/connections/Fq3Lw8Zt/user_connection/refresh?user_id=u-5521", [.key])
    #expect(response.status == 204 && response.body.isEmpty)
    #expect(scene() == ["group": "Ground floor", "label": "Hall, dimmed", "value": "sc_07"])
    // An option that no longer exists stays unchanged.
    let before = session.userFeatures("Nb3Fw7Ls")
    #expect(session.post("/v2/connections/Nb3Fw7Ls/user_connection/refresh", [.token]).status == 204)
    #expect(session.userFeatures("Nb3Fw7Ls") == before)
    #expect(try SandboxState(parsing: session.emulator.state.bytes) == session.emulator.state)
  }
}
