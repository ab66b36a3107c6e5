import HTTP
import JSON
import Sandbox
import Testing

/// Enabling and disabling (docs/api/connect.md §7.5, and docs/api/activation.md §12).
@Suite struct ToggleTests {
  @Test func togglingChangesOnlyThatUser() {
    var session = EmulatorSession()
    let target = "/v2/connections/Kd7Rn2Qx"
    let before = session.get(target, [.token]).json
    let off = session.post("\(target)/disable", [.token])
    #expect(off.status200 == "disabled" && off.json["enabled_count"]?.int == 47 && off.assumptions.isEmpty)
    #expect(off.json["user_connection"] == nil)
    #expect(session.get(target, [.token]).json == off.json)
    #expect(session.get(target).json["enabled_count"]?.int == 47)

    let second = session.post("\(target)/enable", [.secondToken])
    #expect(second.status200 == "enabled" && second.json["enabled_count"]?.int == 48)
    #expect(second.json["user_connection"]?["user_features"]?.array?.count == 1)
    #expect(second.json["user_connection"] != before["user_connection"])

    let on = session.post("\(target)/enable", [.token])
    #expect(on.status200 == "enabled" && on.json["enabled_count"]?.int == 49)
    #expect(on.json["user_connection"] == before["user_connection"])
  }

  @Test(arguments: ["enable", "disable"])
  func repeatingAToggleChangesNothing(turn: String) {
    var session = EmulatorSession()
    let target = "/v2/connections/Rw9Ky4Hc/\(turn)"
    let first = session.post(target, [.token])
    let second = session.post(target, [.token])
    #expect(second.status == 200 && second.json == first.json && second.assumptions == ["U7"])
  }

  @Test(arguments: ["enable", "disable"])
  func rejectsConnectionsThatWereNeverEnabled(turn: String) {
    var session = EmulatorSession()
    let response = session.post("/v2/connections/Ud6Jn1Gs/\(turn)", [.token])
    #expect(response.status == 403 && response.code == "emulator_never_enabled" && response.assumptions == ["U7"])
    #expect(session.get("/v2/connections/Ud6Jn1Gs", [.token]).status200 == "never_enabled")
  }

  @Test(
    arguments: [
      [], [.key], [.bearer("Zq8v")], [.key, .bearer("")], [Header("IFTTT-Service-Key", "no")],
    ] as [[Header]], ["enable", "disable"])
  func anInvalidTokenReturnsTheObservedBody(headers: [Header], turn: String) {
    var session = EmulatorSession()
    let response = session.post("/v2/connections/Kd7Rn2Qx/\(turn)?user_id=u-5521", headers)
    #expect(response.status == 401 && response.assumptions.first == "U1")
    #expect(
      response.json == [
        "type": "error", "code": "unauthorized", "message": "Cannot uniquely identify user", "details": [],
      ])
    #expect(session.get("/v2/connections/Kd7Rn2Qx", [.token]).status200 == "enabled")
  }

  @Test func aPendingConnectionCannotBeEnabledAgain() {
    var session = EmulatorSession()
    let target = "/v2/connections/Yb8Cz3Ve"
    #expect(session.post("\(target)/enable", [.token]).assumptions == ["U4", "U7"])
    #expect(session.post("\(target)/disable", [.token]).status200 == "disabled")
    for _ in 1...3 {
      let response = session.post("\(target)/enable", [.token])
      #expect(response.status == 422 && response.code == "emulator_pending" && response.assumptions == ["U5"])
    }
    #expect(session.get(target, [.token]).status200 == "disabled")
  }

  @Test func rejectsUnknownForeignAndUnpublishedConnections() {
    var session = EmulatorSession()
    #expect(session.post("/v2/connections/nosuch/enable", [.token]).code == "not_found")
    #expect(session.post("/v2/connections/Mh4Ts7Aq/enable", [.token]).code == "not_found")
    #expect(session.post("/v2/connections/Mh4Ts7Aq/enable", [.token, .invite]).code == "emulator_never_enabled")
    #expect(
      session.post("/v2/connections/\(SandboxFixtures.foreignConnectionID)/disable", [.token]).code
        == "emulator_forbidden")
  }

  @Test func validatesUnneededBodies() {
    var session = EmulatorSession()
    let target = "/v2/connections/Kd7Rn2Qx/disable"
    #expect(session.post(target, [.token], body: "{").code == "emulator_bad_request")
    #expect(session.post(target, [.token], body: "").status == 200)
    #expect(session.post(target, [.token], body: "{}").status == 200)
  }
}
