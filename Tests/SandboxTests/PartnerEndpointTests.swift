import HTTP
import JSON
import Sandbox
import Testing

/// The Realtime API and the Webhooks service in the emulator (docs/api/service.md §9 and §11).
@Suite struct PartnerEndpointTests {
  private func notify(_ body: String?, _ headers: [Header] = [.key], host: String = "realtime.ifttt.com") -> Response {
    var session = EmulatorSession()
    return session.ask(
      .post, "/v1/notifications", headers + (body == nil ? [] : [.json]), body: body, host: host)
  }

  @Test(arguments: ["realtime.ifttt.com", "127.0.0.1"]) func notificationsAreAccepted(host: String) {
    let response = notify(#"{"data":[{"user_id":"u-5521"},{"trigger_identity":"7d1f"}]}"#, host: host)
    #expect(response.status == 200 && response.json == [:] && response.assumptions == ["U18"])
  }

  @Test(arguments: ["maker.ifttt.com", "connect.ifttt.com", "api.ifttt.com", "ifttt.com"])
  func otherHostsDoNotTakeNotifications(host: String) {
    #expect(notify(#"{"data":[{"user_id":"u-5521"}]}"#, host: host).status == 404)
  }

  @Test func notificationsRequireTheServiceKey() {
    let body = #"{"data":[{"user_id":"u-5521"}]}"#
    for headers in [[], [.token], [Header("IFTTT-Service-Key", "wrong")]] as [[Header]] {
      let response = notify(body, headers)
      #expect(response.status == 401 && response.code == "unauthorized" && response.assumptions == ["U18"])
    }
  }

  @Test(arguments: [
    nil, "", "x", "[]", "{}", #"{"data":[]}"#, #"{"data":{}}"#, #"{"data":[1]}"#, #"{"data":[{}]}"#,
    #"{"data":[{"user_id":""}]}"#, #"{"data":[{"user_id":7}]}"#, #"{"data":[{"user_id":"a","trigger_identity":"b"}]}"#,
  ])
  func invalidNotificationsAreRejected(_ body: String?) {
    let response = notify(body)
    #expect(response.status == 400 && response.code == "emulator_bad_request")
  }

  @Test func aRequestHasAtMostAThousandNotifications() {
    func body(_ count: Int) -> String {
      #"{"data":["# + Array(repeating: #"{"trigger_identity":"7d1f"}"#, count: count).joined(separator: ",") + "]}"
    }
    #expect(notify(body(1000)).status == 200)
    let response = notify(body(1001))
    #expect(response.status == 400 && response.code == "emulator_bad_request" && response.assumptions == ["U18"])
  }

  @Test func notificationsAreOnlyPosted() {
    var session = EmulatorSession()
    let response = session.ask(.get, "/v1/notifications", [.key], host: "realtime.ifttt.com")
    #expect(response.status == 405 && response.header("Allow") == "POST")
  }

  // MARK: Webhooks

  private func fire(
    _ path: String, _ headers: [Header] = [], method: HTTP.Method = .post, body: String? = nil,
    host: String = "maker.ifttt.com"
  ) -> Response {
    var session = EmulatorSession()
    return session.ask(
      method, path.replacing("KEY", with: SandboxFixtures.webhooksKey), headers, body: body, host: host)
  }

  @Test(arguments: [HTTP.Method.get, .post], ["maker.ifttt.com", "127.0.0.1"])
  func eventsAreAccepted(_ method: HTTP.Method, host: String) {
    let plain = fire("/trigger/door_1/with/key/KEY?value1=a", method: method, host: host)
    #expect(plain.status == 200 && plain.header("Content-Type") == "text/plain; charset=utf-8")
    #expect(String(decoding: plain.body, as: UTF8.self) == "Congratulations! You've fired the door_1 event")
    let json = fire("/trigger/door_1/json/with/key/KEY", method: method, host: host)
    #expect(String(decoding: json.body, as: UTF8.self) == "Congratulations! You've fired the door_1 JSON event")
  }

  @Test(arguments: ["/trigger/door/with/key/wrong", "/trigger/door/json/with/key/wrong", "/trigger/door/with/key/"])
  func aWrongKeyIsRejected(_ path: String) {
    let response = fire(path)
    #expect(response.status == 401)
    #expect(String(decoding: response.body, as: UTF8.self) == #"{"errors":[{"message":"You sent an invalid key."}]}"#)
  }

  @Test func theBodyMayHaveValuesAFormOrJSON() {
    #expect(fire("/trigger/a/with/key/KEY", [.json], body: #"{"value1":"x"}"#).status == 200)
    let form = Header("Content-Type", "application/x-www-form-urlencoded")
    #expect(fire("/trigger/a/with/key/KEY", [form], body: "value1=x").status == 200)
    #expect(fire("/trigger/a/json/with/key/KEY", [.json], body: "[1]").status == 200)
    #expect(fire("/trigger/a/with/key/KEY", [.json], body: "[1]").code == "emulator_bad_request")
    #expect(fire("/trigger/a/json/with/key/KEY", [.json], body: "{").code == "emulator_bad_request")
  }

  @Test func anEventHasLettersDigitsAndUnderscores() {
    #expect(fire("/trigger/a-b/with/key/KEY").code == "emulator_bad_request")
    #expect(fire("/trigger//with/key/KEY").code == "emulator_bad_request")
  }

  @Test func otherPathsAndHostsHaveNoEvents() {
    for path in ["/trigger/a/with/key", "/trigger/a/with/KEY", "/trigger/a/xml/with/key/KEY", "/use/KEY"] {
      #expect(fire(path).status == 404)
    }
    for host in ["realtime.ifttt.com", "connect.ifttt.com", "ifttt.com"] {
      #expect(fire("/trigger/a/with/key/KEY", host: host).status == 404)
    }
    #expect(fire("/trigger/a/with/key/KEY", method: .delete).header("Allow") == "GET, HEAD, POST")
  }

  @Test func aSeedMayHaveNoKey() throws {
    let text = #"{"format":1,"services":[],"users":[],"accounts":[],"connections":[],"applets":[]}"#
    var emulator = Emulator(state: .seed, seed: try SandboxSeed(parsing: Array(text.utf8)))
    let path = "/trigger/a/with/key/\(SandboxFixtures.webhooksKey)"
    #expect(emulator.response(to: request(.post, path, host: "maker.ifttt.com"), at: EmulatorSession.now).status == 401)
    let other = text.replacing("\"connections\"", with: "\"webhooks_key\":\"own\",\"connections\"")
    emulator = Emulator(state: .seed, seed: try SandboxSeed(parsing: Array(other.utf8)))
    let response = emulator.response(
      to: request(.post, "/trigger/a/with/key/own", host: "maker.ifttt.com"), at: EmulatorSession.now)
    #expect(response.status == 200)
  }
}
