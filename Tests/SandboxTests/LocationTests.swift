import HTTP
import JSON
import Sandbox
import Testing
import World

/// Location events (docs/api/location.md §3 and §9) and their webhook (docs/api/service.md §10).
@Suite struct LocationTests {
  private let exit: JSONValue = [
    "record_id": "5A0D3C7E-91B2-4E68-8F14-2C7B6D9E0A35", "region_type": "geo",
    "occurred_at": "2026-03-04T17:42:09Z", "event_type": "exit", "channel_id": "941030000",
    "trigger_subscription_id": "d27e9a40-5b13-4c68-9f02-3e8a6b7c1d54",
    "installation_id": "b7c1e6f0-4a2d-4d8b-9e53-0f6a7c8d9b21",
  ]

  private func with(_ key: String, _ value: JSONValue?) -> JSONValue {
    var object = exit.object ?? [:]
    object[key] = value
    return .object(object)
  }

  private func send(
    _ events: [JSONValue], _ headers: [Header] = [.token], in session: inout EmulatorSession
  ) -> Response {
    session.ask(
      .post, "/v1/location_events", headers + [.json], body: JSONValue.array(events).text, host: "connectapi.ifttt.com")
  }

  @Test func anEventFiresTheTriggerItNames() throws {
    var session = EmulatorSession()
    let response = send([exit], in: &session)
    #expect(response.status == 204 && response.body.isEmpty)
    let hooks = session.takeWebhooks()
    #expect(hooks.map(\.target) == ["/ifttt/v1/webhooks/trigger_subscription/fired"])
    let hook = try #require(hooks.first)
    let body = try JSONValue(parsing: hook.request.body)
    #expect(body["sent_at"]?.int == Int(EmulatorSession.now.milliseconds))
    #expect(
      body["data"] == [
        "user_id": "u-5521", "user_timezone": "Pacific Time (US & Canada)", "connection_id": "Kd7Rn2Qx",
        "trigger_id": "location.exit_region_location", "feature_id": "mw4tq9hzjc",
        "user_feature_id": "8f0b6c1e-2d57-4a93-b8e4-71c0d9a5f326",
        "user_feature_trigger_id": "d27e9a40-5b13-4c68-9f02-3e8a6b7c1d54",
      ])
    #expect(body["event_data"]?["ingredients"]?["OccurredAt"] == "March 04, 2026 at 05:42PM")
    #expect(body["event_data"]?["ingredients"]?["EnteredOrExited"] == nil)
    #expect(hook.request.headers.first { $0.name == "IFTTT-Service-Key" }?.value == SandboxFixtures.serviceKey)
    #expect(session.takeWebhooks().isEmpty, "each webhook is returned once")
  }

  @Test func aRepeatedEventFiresNothing() throws {
    var session = EmulatorSession()
    let lower = with("record_id", "5a0d3c7e-91b2-4e68-8f14-2c7b6d9e0a35")
    #expect(send([exit, exit], in: &session).status == 204)
    #expect(send([lower], in: &session).status == 204)
    #expect(session.takeWebhooks().count == 1)
    // The id is still known after the state is restored from a file.
    session.emulator = Emulator(state: try SandboxState(parsing: session.emulator.state.bytes))
    _ = send([exit], in: &session)
    #expect(session.takeWebhooks().isEmpty)
  }

  @Test func onlyTheRequestedDirectionFires() {
    var session = EmulatorSession()
    #expect(send([with("event_type", "entry")], in: &session).status == 204)
    #expect(session.takeWebhooks().isEmpty)
  }

  @Test(
    arguments: [
      "2026-03-04T17:42:09+0000", "2026-03-04T18:42:09+01:00", "2026-03-04T12:42:09-0500", "2026-03-04T23:12:09+05:30",
      "2026-03-04T08:12:09-0930",
    ])
  func acceptsTimesOfBothPhones(time: String) throws {
    var session = EmulatorSession()
    #expect(send([with("occurred_at", .string(time))], in: &session).status == 204)
    let body = try JSONValue(parsing: session.takeWebhooks().first?.request.body ?? [])
    #expect(body["event_data"]?["ingredients"]?["OccurredAt"] == "March 04, 2026 at 05:42PM")
  }

  @Test(arguments: [
    "2026-03-04T17:42:09+5:30", "2026-03-04T17:42:09+05:60", "2026-03-04T17:42:09 0530", "2026-03-04T17:42:09+05300",
    "2026-03-04T17:42:09+1500", "2026-03-04T17:42:09+0a:30", "2026-03-04T17:42:09+053", "2026-03-04T17:42:09+0:530",
  ])
  func rejectsInvalidTimes(time: String) {
    var session = EmulatorSession()
    #expect(send([with("occurred_at", .string(time))], in: &session).status == 422)
  }

  @Test(arguments: [("entry", "entered"), ("exit", "exited")])
  func aTriggerForBothReportsTheDirection(kind: String, word: String) throws {
    let world = SandboxSeed(.unusual).json.text.replacing("exit_region_location", with: "enter_or_exit_region_location")
      .replacing("enter_or_enter_or_exit", with: "enter_or_exit").replacing(
        "LOCATION_EXIT", with: "LOCATION_ENTER_OR_EXIT")
    var session = EmulatorSession()
    session.emulator = Emulator(state: .seed, seed: try SandboxSeed(parsing: Array(world.utf8)))
    #expect(send([with("event_type", .string(kind))], in: &session).status == 204)
    let hook = try JSONValue(parsing: try #require(session.takeWebhooks().first).request.body)
    #expect(hook["data"]?["trigger_id"] == "location.enter_or_exit_region_location")
    #expect(hook["event_data"]?["ingredients"]?["EnteredOrExited"]?.string == word)
  }

  @Test func anUnknownTriggerIsAcceptedAndFiresNothing() {
    var session = EmulatorSession()
    #expect(send([with("trigger_subscription_id", "nobody")], in: &session).status == 204)
    #expect(send([exit], [.secondToken], in: &session).status == 204, "the trigger belongs to another user")
    #expect(session.takeWebhooks().isEmpty)
    #expect(send([], in: &session).status == 204)
  }

  @Test(arguments: [[], [.key], [.bearer("wrong")]] as [[Header]]) func requiresAUserToken(headers: [Header]) {
    var session = EmulatorSession()
    #expect(send([exit], headers, in: &session).status == 401)
  }

  @Test func validatesEveryKey() {
    var session = EmulatorSession()
    let wrong: [(String, JSONValue?)] = [
      ("record_id", "1"), ("record_id", nil), ("region_type", "beacon"), ("region_type", nil),
      ("occurred_at", "2026-03-04"), ("occurred_at", 1_772_646_129), ("occurred_at", "2026-02-30T00:00:00Z"),
      ("event_type", "enter"), ("event_type", nil), ("channel_id", 941_030_000), ("channel_id", "1"),
      ("trigger_subscription_id", ""), ("trigger_subscription_id", 7), ("installation_id", nil),
    ]
    for (key, value) in wrong {
      let response = send([exit, with(key, value)], in: &session)
      #expect(response.status == 422, "\(key)")
      #expect(response.text.contains("/1/\(key)"), "\(response.text)")
    }
    #expect(session.takeWebhooks().isEmpty, "a batch is accepted as a whole or not at all")
    #expect(send(["text"], in: &session).status == 422)
  }

  @Test func requiresAnArrayAndTheLocationHost() {
    var session = EmulatorSession()
    func ask(_ body: String?, host: String = "connectapi.ifttt.com", _ method: HTTP.Method = .post) -> Int {
      session.ask(method, "/v1/location_events", [.token, .json], body: body, host: host).status
    }
    #expect(ask(exit.text) == 400)
    #expect(ask(nil) == 400)
    #expect(ask("[") == 400)
    #expect(ask("[]", host: "api.ifttt.com") == 404)
    #expect(ask("[]", host: "connect.ifttt.com") == 404)
    #expect(ask(nil, .get) == 405)
    #expect(session.ask(.get, "/v1/me", [.token], host: "connectapi.ifttt.com").status == 404)
    #expect(ask("[]", host: "127.0.0.1") == 204)
  }
}

extension Response {
  fileprivate var text: String { String(decoding: body, as: UTF8.self) }
}
