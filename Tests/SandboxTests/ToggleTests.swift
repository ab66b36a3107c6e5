import HTTP
import JSON
import Sandbox
import Testing

/// Enabling and disabling (docs/api/connect.md §7.5, and docs/api/activation.md §12).
@Suite struct ToggleTests {
  @Test func togglingChangesOnlyThatUser() {
    var conversation = EmulatorSession()
    let target = "/v2/connections/Kd7Rn2Qx"
    let before = conversation.get(target, [.token]).json
    let off = conversation.post("\(target)/disable", [.token])
    #expect(off.status200 == "disabled" && off.json["enabled_count"]?.int == 47 && off.assumptions.isEmpty)
    #expect(off.json["user_connection"] == nil)
    #expect(conversation.get(target, [.token]).json == off.json)
    #expect(conversation.get(target).json["enabled_count"]?.int == 47)

    let second = conversation.post("\(target)/enable", [.secondToken])
    #expect(second.status200 == "enabled" && second.json["enabled_count"]?.int == 48)
    #expect(second.json["user_connection"]?["user_features"]?.array?.count == 1)
    #expect(second.json["user_connection"] != before["user_connection"])

    let on = conversation.post("\(target)/enable", [.token])
    #expect(on.status200 == "enabled" && on.json["enabled_count"]?.int == 49)
    #expect(on.json["user_connection"] == before["user_connection"])
  }

  @Test(arguments: ["enable", "disable"])
  func repeatingAToggleChangesNothing(turn: String) {
    var conversation = EmulatorSession()
    let target = "/v2/connections/Rw9Ky4Hc/\(turn)"
    let first = conversation.post(target, [.token])
    let second = conversation.post(target, [.token])
    #expect(second.status == 200 && second.json == first.json && second.assumptions == ["U7"])
  }

  @Test(arguments: ["enable", "disable"])
  func rejectsConnectionsThatWereNeverEnabled(turn: String) {
    var conversation = EmulatorSession()
    let answer = conversation.post("/v2/connections/Ud6Jn1Gs/\(turn)", [.token])
    #expect(answer.status == 403 && answer.code == "emulator_never_enabled" && answer.assumptions == ["U7"])
    #expect(conversation.get("/v2/connections/Ud6Jn1Gs", [.token]).status200 == "never_enabled")
  }

  @Test(
    arguments: [
      [], [.key], [.bearer("Zq8v")], [.key, .bearer("")], [Header("IFTTT-Service-Key", "no")],
    ] as [[Header]], ["enable", "disable"])
  func anInvalidTokenReturnsTheObservedBody(headers: [Header], turn: String) {
    var conversation = EmulatorSession()
    let answer = conversation.post("/v2/connections/Kd7Rn2Qx/\(turn)?user_id=u-5521", headers)
    #expect(answer.status == 401 && answer.assumptions.first == "U1")
    #expect(
      answer.json == [
        "type": "error", "code": "unauthorized", "message": "Cannot uniquely identify user", "details": [],
      ])
    #expect(conversation.get("/v2/connections/Kd7Rn2Qx", [.token]).status200 == "enabled")
  }

  @Test func aPendingConnectionCannotBeEnabledAgain() {
    var conversation = EmulatorSession()
    let target = "/v2/connections/Yb8Cz3Ve"
    #expect(conversation.post("\(target)/enable", [.token]).assumptions == ["U4", "U7"])
    #expect(conversation.post("\(target)/disable", [.token]).status200 == "disabled")
    for _ in 1...3 {
      let answer = conversation.post("\(target)/enable", [.token])
      #expect(answer.status == 422 && answer.code == "emulator_pending" && answer.assumptions == ["U5"])
    }
    #expect(conversation.get(target, [.token]).status200 == "disabled")
  }

  @Test func rejectsUnknownForeignAndUnpublishedConnections() {
    var conversation = EmulatorSession()
    #expect(conversation.post("/v2/connections/nosuch/enable", [.token]).code == "not_found")
    #expect(conversation.post("/v2/connections/Mh4Ts7Aq/enable", [.token]).code == "not_found")
    #expect(conversation.post("/v2/connections/Mh4Ts7Aq/enable", [.token, .invite]).code == "emulator_never_enabled")
    #expect(
      conversation.post("/v2/connections/\(SandboxFixtures.foreignConnectionID)/disable", [.token]).code
        == "emulator_forbidden")
  }

  @Test func validatesUnneededBodies() {
    var conversation = EmulatorSession()
    let target = "/v2/connections/Kd7Rn2Qx/disable"
    #expect(conversation.post(target, [.token], body: "{").code == "emulator_bad_request")
    #expect(conversation.post(target, [.token], body: "").status == 200)
    #expect(conversation.post(target, [.token], body: "{}").status == 200)
  }
}
