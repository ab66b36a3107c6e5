import HTTP
import JSON
import Sandbox
import Testing

/// The user of a request, and when a request is rejected (docs/api/connect.md §3 and §7.14).
@Suite struct RequestSubjectTests {
  private static let calls: [(HTTP.Method, String, JSONObject?)] = [
    (.put, "user_connection", ["user_features": []]), (.post, "user_connection/refresh", nil),
    (.get, "features/mw4tq9hzjc/field_options", nil), (.post, "actions/tidebook.add_entry/run", [:]),
    (.post, "queries/tidebook.list_tides/perform", [:]), (.post, "triggers/location.exit_region_location/test", [:]),
    (.post, "", ["services": []]),
  ]

  private func ask(
    _ call: (HTTP.Method, String, JSONObject?), _ id: String, query: String, _ headers: [Header],
    _ session: inout EmulatorSession
  ) -> Response {
    let path = "/v2/connections/\(id)" + (call.1.isEmpty ? "" : "/\(call.1)")
    return session.ask(
      call.0, query.isEmpty ? path : "\(path)?\(query)", headers + (call.2 == nil ? [] : [.json]),
      body: call.2.map { JSONValue.object($0).text })
  }

  @Test(arguments: calls.indices)
  func acceptsOnlyTheRightCredentials(_ index: Int) {
    let call = Self.calls[index]
    var session = EmulatorSession()
    func status(_ id: String, _ query: String, _ headers: [Header]) -> String {
      let response = ask(call, id, query: query, headers, &session)
      return "\(response.status) \(response.code ?? "") \(response.assumptions.joined())"
    }
    #expect(status("Kd7Rn2Qx", "user_id=u-5521", []) == "401 unauthorized U1")
    #expect(status("Kd7Rn2Qx", "", [.key]) == "400 emulator_bad_request U1")
    #expect(status("Kd7Rn2Qx", "user_id=", [.key]) == "400 emulator_bad_request U1")
    #expect(status("nosuch", "user_id=u-5521", [.key]) == "404 not_found ")
    #expect(status("Or4Ch7Dz", "user_id=u-5521", [.key]) == "403 emulator_forbidden U1")
    #expect(status("Kd7Rn2Qx", "user_id=u-7304", [.token]) == "403 emulator_forbidden U1")
    #expect(status("Kd7Rn2Qx", "user_id=unknown", [.key]) == "403 emulator_never_enabled U6")
    #expect(status("Ud6Jn1Gs", "user_id=u-5521", [.key]) == "403 emulator_never_enabled U6")
    #expect(status("Kd7Rn2Qx", "user_id=u-7304", [.key]) == "403 emulator_not_enabled U6")
    #expect(status("Kd7Rn2Qx", "user_id=u-7304", [.secondToken]) == "403 emulator_not_enabled U6")
    for (query, header) in [("user_id=u-5521", Header.key), ("user_id=u-5521", .token), ("", .token)] {
      #expect(status("Kd7Rn2Qx", query, [header]).hasPrefix("20"), "\(query)")
      session = EmulatorSession()
    }
  }

  /// The query or the body may name the user, as text or as a number (docs/api/connect.md C3 and C4).
  @Test(arguments: ["actions/tidebook.add_entry/run", "queries/tidebook.list_tides/perform"])
  func acceptsTheUserInBodyOrQuery(_ call: String) {
    var session = EmulatorSession()
    let path = "/v2/connections/Kd7Rn2Qx/\(call)"
    #expect(session.post(path, [.key], json: ["user_id": "u-5521"]).status < 300)
    #expect(session.post("\(path)?user_id=u-5521", [.key], json: ["user_id": "u-5521"]).status < 300)
    #expect(session.post("\(path)?user_id=u-5521", [.key]).status < 300)
    let differing = session.post("\(path)?user_id=u-5521", [.key], json: ["user_id": "u-7304"])
    #expect(differing.status == 422 && differing.faults == ["/user_id"])
    #expect(session.post(path, [.key], json: ["user_id": 5521]).code == "emulator_never_enabled")
    #expect(session.post(path, [.key], json: ["user_id": true]).code == "emulator_bad_request")
  }

  @Test(arguments: ["actions/lampost.blink/run", "triggers/letterbox.new_mail_from/test"])
  func rejectsStepsWhilePending(_ call: String) {
    var session = EmulatorSession()
    let response = session.post("/v2/connections/Yb8Cz3Ve/\(call)", [.key], json: ["user_id": "u-5521"])
    #expect(response.status == 422 && response.code == "emulator_pending" && response.assumptions == ["U5"])
  }
}
