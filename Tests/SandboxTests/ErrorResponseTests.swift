import HTTP
import JSON
import Sandbox
import Testing

/// Error responses (docs/api/connect.md §3 and §5), and the endpoints that must not exist (docs/api/README.md §8).
@Suite struct ErrorResponseTests {
  @Test(
    arguments: [
      "/", "", "/v2", "/v2/", "/v3/me", "/v2/me/", "/v2//me", "/V2/me", "/v2/ME", "/v2/connections", "/v2/connections/",
      "/v2/applets", "/v2/services", "/v2/user", "/v2/oauth/token", "/v2/connections/Kd7Rn2Qx/pause",
      "/v2/connections/Kd7Rn2Qx/enable/", "/v2/account", "/v2/account/find/x", "/v2/services/lampost/applets",
      "/v2/connections/Kd7Rn2Qx/queries/tidebook.list_tides/run", "/v2/connections/Kd7Rn2Qx/user_connection/",
      "/v2/connections/Kd7Rn2Qx/triggers/location.exit_region_location/run", "/v2/sdk", "/v2/location_events",
      "/v2/connections/Kd7Rn2Qx/actions/tidebook.add_entry/field_options/calendar",
      "/v2/connections/Kd7Rn2Qx/steps/tidebook.add_entry/field_options",
    ])
  func rejectsUnknownPaths(path: String) {
    var session = EmulatorSession()
    for headers in [[], [.token]] as [[Header]] {
      let response = session.get(path, headers)
      // The empty id is a nonexistent id.
      let code = path == "/v2/connections/" ? "not_found" : "emulator_unknown_path"
      #expect(response.status == 404 && response.code == code)
    }
  }

  @Test(
    arguments: [
      ("connect.ifttt.com", "/v1/me"), ("api.ifttt.com", "/v2/me"), ("api.ifttt.com", "/v2/connections/Kd7Rn2Qx"),
      ("api.ifttt.com", "/v1/location_events"), ("connectapi.ifttt.com", "/v1/me"), ("ifttt.com", "/v2/me"),
      ("realtime.ifttt.com", "/v1/me"), ("maker.ifttt.com", "/v2/me"), ("127.0.0.1", "/v4/me"),
    ])
  func everyHostServesOnlyItsOwnPaths(host: String, path: String) {
    var session = EmulatorSession()
    let response = session.ask(.get, path, host: host)
    #expect(response.status == 404 && response.code == "emulator_unknown_path" && response.assumptions == ["U1"])
  }

  @Test(arguments: ["127.0.0.1", "localhost", "[::1]", "proxy.lampost.test"])
  func otherHostsServeEveryPath(host: String) {
    var session = EmulatorSession()
    let older = session.ask(.get, "/v1/me", [.token], host: host)
    let newer = session.ask(.get, "/v2/me", [.token], host: host)
    #expect(older.json["user_login"] == "kai_lamps" && newer.json["user_login"] == "kai_lamps")
  }

  @Test(
    arguments: [
      (.post, "/v2/me", "GET, HEAD"), (.delete, "/v2/connections/Kd7Rn2Qx", "GET, HEAD, POST"),
      (.post, "/v2/connections/Kd7Rn2Qx/user_connection", "PUT"), (.put, "/v2/account/find", "GET, HEAD"),
      (.get, "/v2/connections/Kd7Rn2Qx/user_connection/refresh", "POST"), (.get, "/v2/sdk/events", "POST"),
      (.post, "/v2/connections/Kd7Rn2Qx/features/mw4tq9hzjc/field_options", "GET, HEAD"),
      (.get, "/v2/connections/Kd7Rn2Qx/enable", "POST"), (.get, "/v2/user_token", "POST"),
      (.patch, "/v2/connections/Kd7Rn2Qx/disable", "POST"),
    ] as [(HTTP.Method, String, String)])
  func reportsTheAllowedMethods(method: HTTP.Method, path: String, allowed: String) {
    var session = EmulatorSession()
    let response = session.ask(method, path, [.token])
    #expect(response.status == 405 && response.code == "emulator_wrong_method" && response.header("Allow") == allowed)
  }

  @Test(arguments: [
    ("/v2/connections/Kd7Rn2Qx", 405, "GET, HEAD, POST"), ("/v1/notifications", 405, "POST"),
    ("/connect/Kd7Rn2Qx?email=a", 405, "GET, HEAD, POST"), ("/terms", 405, "GET, HEAD"), ("/v2/nothing", 404, nil),
    ("/%zz", 404, nil),
  ]) func aMethodOfNoEndpointIsRejected(target: String, status: Int, allowed: String?) {
    var session = EmulatorSession()
    let response = session.emulator.rejection(ofMethodAt: target, at: EmulatorSession.now)
    #expect(
      response.status == status && response.header("Allow") == allowed,
      "\(String(decoding: response.body, as: UTF8.self))")
  }

  @Test(
    arguments: [
      Header("Authorization", ""), Header("Authorization", "Bearer"), Header("Authorization", "Bearer "),
      Header("Authorization", "bearer \(SandboxFixtures.userToken)"),
      Header("Authorization", "Bearer  \(SandboxFixtures.userToken)"),
      Header("Authorization", "Bearer\t\(SandboxFixtures.userToken)"),
      Header("Authorization", "Bearer \(SandboxFixtures.userToken) "),
      Header("Authorization", "Bearer \"\(SandboxFixtures.userToken)\""),
      Header("Authorization", "Basic \(SandboxFixtures.userToken)"), Header("Authorization", SandboxFixtures.userToken),
      Header("Authorization", "Bearer \u{301}\(SandboxFixtures.userToken)"),
      .bearer(String(SandboxFixtures.userToken.dropLast())), .bearer(SandboxFixtures.accessToken),
      .bearer(SandboxFixtures.serviceKey), Header("IFTTT-Service-Key", ""),
      Header("IFTTT-Service-Key", SandboxFixtures.userToken), Header("ifttt-service-key", "nonsense"),
    ])
  func rejectsMalformedCredentials(header: Header) {
    for target in ["/v2/me", "/v2/connections/Kd7Rn2Qx", "/v1/me", "/v1/services/lampost/applets"] {
      var session = EmulatorSession()
      let response = session.get(target, [header])
      #expect(response.status == 401)
      let code = target.hasPrefix("/v1") ? "emulator_unauthorized" : "unauthorized"
      #expect(response.code == code)
    }
  }

  @Test func headerNamesAreCaseInsensitive() {
    var session = EmulatorSession()
    let header = Header("authorization", "Bearer \(SandboxFixtures.userToken)")
    #expect(session.get("/v2/me", [header]).json["authentication_level"] == "user")
  }

  @Test(
    arguments: [
      (nil, "{}", false), ("text/plain", "{}", false), ("application/x-www-form-urlencoded", "a=b", false),
      ("", "{}", false), (";", "{}", false), ("application/json", "{}", true),
      ("Application/JSON; charset=utf-8", "{}", true), ("application/json ;charset=utf-8", "{}", true),
      ("application/json", "null", false), ("application/json", "\"x\"", false), (nil, "", true),
    ] as [(String?, String, Bool)])
  func requiresAJSONObjectWithItsContentType(type: String?, body: String, isGood: Bool) {
    var session = EmulatorSession()
    let headers = [.token] + (type.map { [Header("Content-Type", $0)] } ?? [])
    let response = session.ask(.post, "/v2/connections/Kd7Rn2Qx/disable", headers, body: body)
    #expect(response.status == (isGood ? 200 : 400))
    #expect(response.code == (isGood ? nil : "emulator_bad_request"))
  }
}
