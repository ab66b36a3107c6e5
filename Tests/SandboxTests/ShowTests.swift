import HTTP
import JSON
import Sandbox
import Testing

/// Showing a connection (docs/api/connect.md §7.4).
@Suite struct ShowTests {
  @Test func returnsTheReferenceExample() throws {
    var session = EmulatorSession()
    let response = session.get("/v2/connections/Kd7Rn2Qx", [.token])
    #expect(response.status == 200)
    #expect(response.json.sorted == (try example("connection.json")).sorted)
  }

  @Test(
    arguments: [
      ("Kd7Rn2Qx", "enabled", "disabled"), ("Fq3Lw8Zt", "enabled", "never_enabled"),
      ("pT5vXb2M", "disabled", "enabled"), ("Rw9Ky4Hc", "enabled", "never_enabled"),
      ("Wd5Po8Rk", "enabled", "never_enabled"), ("Xe2Gf9Ln", "disabled", "never_enabled"),
      ("Ud6Jn1Gs", "never_enabled", "never_enabled"), ("Yb8Cz3Ve", "enabled", "disabled"),
      ("Mh4Ts7Aq", "never_enabled", "never_enabled"),
    ])
  func eachUserHasTheirOwnStatus(id: String, first: String, second: String) {
    var session = EmulatorSession()
    let target = "/v2/connections/\(id)"
    #expect(session.get(target, [.token, .invite]).status200 == first)
    #expect(session.get(target, [.secondToken, .invite]).status200 == second)
    #expect(session.get("\(target)?user_id=u-5521", [.key]).status200 == first)
    #expect(session.get("\(target)?user_id=u-7304", [.key]).status200 == second)
    for anonymous in [session.get(target, [.invite]), session.get(target, [.key])] {
      #expect(anonymous.status == 200 && anonymous.json["user_status"] == JSONValue.null)
      #expect(anonymous.json["user_connection"] == nil)
    }
  }

  @Test func statusWithoutCredentialsIsNullEvenWithAUserID() {
    var session = EmulatorSession()
    let response = session.get("/v2/connections/Kd7Rn2Qx?user_id=u-5521")
    #expect(response.status == 200 && response.json["user_status"] == JSONValue.null)
  }

  @Test func anUnknownUserHasNeverEnabledIt() {
    var session = EmulatorSession()
    let response = session.get("/v2/connections/Kd7Rn2Qx?user_id=u-1", [.key])
    #expect(response.status200 == "never_enabled" && response.assumptions == ["U9"])
  }

  @Test func anUnpublishedConnectionNeedsItsKeyOrInviteCode() {
    var session = EmulatorSession()
    let target = "/v2/connections/Mh4Ts7Aq"
    for headers in [[], [.token], [.otherKey], [Header("IFTTT-Invite-Code", "lantern-0000")]] as [[Header]] {
      let response = session.get(target, headers)
      #expect(response.status == 404 && response.json["message"] == "Unknown connection id")
    }
    for headers in [[.key], [.invite], [.token, .invite]] as [[Header]] {
      #expect(session.get(target, headers).status == 200)
    }
    #expect(session.get("\(target)?user_id=u-7304", [.key]).status200 == "never_enabled")
  }

  @Test func anotherServicesConnectionRejectsOurCredentials() {
    var session = EmulatorSession()
    let target = "/v2/connections/\(SandboxFixtures.foreignConnectionID)"
    #expect(session.get(target).status == 200)
    #expect(session.get(target, [.otherToken]).status200 == "enabled")
    for headers in [[.key], [.token]] as [[Header]] {
      let response = session.get(target, headers)
      #expect(response.status == 403 && response.code == "emulator_forbidden" && response.assumptions == ["U1"])
    }
  }

  @Test func aTokenIsValidOnlyForItsUser() {
    var session = EmulatorSession()
    #expect(session.get("/v2/connections/Kd7Rn2Qx?user_id=u-5521", [.token]).status200 == "enabled")
    #expect(session.get("/v2/connections/Kd7Rn2Qx?user_id=u-7304", [.token]).code == "emulator_forbidden")
  }

  @Test func aTokenTakesPrecedenceOverAKey() {
    var session = EmulatorSession()
    let response = session.get("/v2/connections/Kd7Rn2Qx", [.key, .secondToken])
    #expect(response.status200 == "disabled" && response.assumptions == ["U28"])
    let refused = session.get("/v2/connections/Kd7Rn2Qx", [.key, .bearer("x")])
    #expect(refused.status == 401 && refused.assumptions == ["U1", "U28"])
  }

  @Test func anUnknownIDReturnsTheDocumentedError() {
    var session = EmulatorSession()
    let response = session.get("/v2/connections/kd7rn2qx", [.token])
    #expect(response.status == 404 && response.assumptions.isEmpty)
    #expect(
      response.json == [
        "type": "error", "code": "not_found", "message": "Unknown connection id", "details": [],
      ])
  }

  @Test func acceptsPercentEncodedIDs() {
    var session = EmulatorSession()
    #expect(session.get("/v2/connections/%4bd7Rn2%51x", [.token]).status200 == "enabled")
    #expect(session.get("/v2/connections/Kd7Rn2Qx%2Fenable", [.token]).status == 404)
    #expect(session.get("/v2/connections/Kd7Rn2Q%7", [.token]).code == "emulator_bad_request")
    #expect(session.get("/v2/connections/%FF%00", [.token]).status == 404)
  }

  @Test func aPendingConnectionIsEnabledWithoutFeatures() {
    var session = EmulatorSession()
    let response = session.get("/v2/connections/Yb8Cz3Ve", [.token])
    #expect(response.status200 == "enabled" && response.assumptions == ["U4"])
    #expect(response.json["user_connection"] == ["user_features": []])
  }
}
