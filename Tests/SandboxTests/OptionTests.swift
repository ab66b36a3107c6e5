import HTTP
import JSON
import Sandbox
import Testing

/// Field options and refreshes (docs/api/connect.md §7.8 and §7.9).
@Suite struct OptionTests {
  private static let base = "/v2/connections/Kd7Rn2Qx"

  @Test func oneRequestReturnsTheOptionsOfAllFields() {
    var conversation = EmulatorSession()
    let older = conversation.get("\(Self.base)/actions/tidebook.add_entry/field_options?user_id=u-5521", [.key])
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
    let newer = conversation.get(
      "\(Self.base)/features/mw4tq9hzjc/actions/tidebook.add_entry/field_options", [.token])
    #expect(newer.json == older.json)
    let none = conversation.get("\(Self.base)/queries/tidebook.list_tides/field_options", [.token])
    #expect(none.json == ["type": "field_options", "options": [:]])
  }

  /// Every options URL in every connection's JSON works, and its options include the user's values and the defaults.
  @Test(arguments: SandboxFixtures.connectionIDs + SandboxFixtures.untrackedConnectionIDs)
  func everyOptionsURLWorks(_ id: String) throws {
    var conversation = EmulatorSession()
    let json = conversation.get("/v2/connections/\(id)", [.token, .invite]).json
    guard json["user_status"] == "enabled" else { return }
    for feature in json["features"]?.array ?? [] {
      let steps = ["triggers", "queries", "actions"].flatMap { feature["feature_\($0)"]?.array ?? [] }
      for part in [feature] + steps {
        let address = try #require(part["field_options_url"]?.string)
        let answer = conversation.get(String(address.dropFirst("https://connect.ifttt.com".count)), [.token])
        #expect(answer.status == 200)
        for field in part["fields"]?.array ?? [] {
          let isChoice = ["SELECT", "CHECKBOX"].contains { field["type"]?.string?.contains($0) == true }
          let options = answer.json["options"]?[field["id"]?.string ?? ""]?.array
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
  func unknownPlacesAreNotFound(_ place: String) {
    var conversation = EmulatorSession()
    let answer = conversation.get("\(Self.base)/\(place)/field_options", [.token])
    #expect(answer.status == 404 && answer.code == "not_found" && answer.assumptions == ["U27"])
  }

  @Test func aRefreshUpdatesTheLabels() throws {
    var conversation = EmulatorSession()
    func scene() -> JSONValue? {
      conversation.userFeatures("Fq3Lw8Zt")[1]["user_feature_actions"]?.array?.first?["user_fields"]?.array?.first?[
        "value"]
    }
    #expect(scene() == ["group": nil, "label": "Hall, dim", "value": "sc_07"])
    let answer = conversation.post("/v2/connections/Fq3Lw8Zt/user_connection/refresh?user_id=u-5521", [.key])
    #expect(answer.status == 204 && answer.body.isEmpty)
    #expect(scene() == ["group": "Ground floor", "label": "Hall, dimmed", "value": "sc_07"])
    // An option that no longer exists stays unchanged.
    let before = conversation.userFeatures("Nb3Fw7Ls")
    #expect(conversation.post("/v2/connections/Nb3Fw7Ls/user_connection/refresh", [.token]).status == 204)
    #expect(conversation.userFeatures("Nb3Fw7Ls") == before)
    #expect(try SandboxState(parsing: conversation.emulator.state.bytes) == conversation.emulator.state)
  }
}
