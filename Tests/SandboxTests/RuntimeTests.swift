import HTTP
import JSON
import Sandbox
import Testing

/// The emulator as a client of a partner's server (docs/api/service.md §3 to §10): webhooks, polls, runs of events.
@Suite struct RuntimeTests {
  private let identity = "POST triggers/pressed"

  /// An enabled connection whose first poll is done.
  private func enabled(_ change: (inout ConnectionRuntime.Rules) -> Void = { _ in }) throws -> RuntimeSession {
    var session = try RuntimeSession(change)
    #expect(session.ask(.post, "/v2/connections/C1/enable")?.status200 == "enabled")
    return session
  }

  @Test func enablingSendsTheWebhookAndPollsOnce() throws {
    let session = try enabled()
    #expect(session.calls == ["POST webhooks/connection/enabled", "POST triggers/pressed"])
    #expect(session.sent.map(\.accessToken) == [nil, "a-1"])
    #expect(session.body("webhooks/connection/enabled")?["data"]?["connection_id"] == "C1")
    #expect(session.body("webhooks/connection/enabled")?["event_data"]?["enabled_at"] == "1772601000000")
    let body = session.body("triggers/pressed")
    #expect(body?["triggerFields"] == ["lamp": "hall"] && body?["limit"] == 50)
    #expect(body?["trigger_identity"]?.string?.utf8.count == 40)
    #expect(session.steps == ["webhook_sent", "polled"], "the events before it run nothing")
    #expect(session.activity.map(\.cause) == [.enabled, .enabled])
  }

  @Test func aConnectionThatIsEnabledAtTheStartIsPolled() throws {
    var session = try enabled()
    let seed = try SandboxSeed(
      parsing: Array(RuntimeSession.seed.text.replacing("\"disabled\"", with: "\"enabled\"").utf8))
    session.emulator = Emulator(state: .seed, seed: seed)
    session.emulator.startRuntime(at: session.now)
    session.forget()
    session.settle()
    #expect(session.calls == ["POST triggers/pressed"])
    #expect(session.activity.map(\.cause) == [.start])
  }

  @Test func aNewEventRunsTheQueriesAndActions() throws {
    var session = try enabled()
    session.forget()
    session.events.insert("e-2", at: 0)
    session.pass(.seconds(4))
    session.settle()
    #expect(session.calls == [], "it is not due yet")
    session.pass(.seconds(1))
    session.settle()
    #expect(
      session.calls == [
        "POST triggers/pressed", "POST webhooks/trigger_subscription/fired", "POST queries/forecast",
        "POST actions/show",
      ])
    #expect(session.body("actions/show")?["actionFields"] == ["note": "at e-2"])
    let fired = session.body("webhooks/trigger_subscription/fired")
    #expect(fired?["event_data"]?["ingredients"] == ["pressed_at": "at e-2"])
    #expect(fired?["data"]?["trigger_id"] == "lamps.pressed" && fired?["data"]?["user_feature_trigger_id"] == "uft-1")
    let news = session.activity.dropFirst(2)
    #expect(news.map(\.step) == [.polled, .found, .webhookSent, .queried, .ran, .ran])
    #expect(news.dropFirst().map(\.event) == Array(repeating: "e-2", count: 5))
    #expect(news.last?.endpoint == "mail.send" && news.last?.detail?.hasPrefix("simulated") == true)
    session.forget()
    session.pass(.seconds(5))
    session.settle()
    #expect(session.calls == ["POST triggers/pressed"], "an event runs once")
    #expect(session.activity.count == 8, "a poll that finds nothing is not listed")
  }

  @Test func severalEventsRunFromTheOldest() throws {
    var session = try enabled()
    session.events = ["e-3", "e-2"] + session.events
    session.pass(.seconds(5))
    session.settle()
    #expect(session.activity.filter { $0.step == .found }.map(\.event) == ["e-2", "e-3"])
    let ran = session.sent.filter { $0.call.path == ["actions", "show"] }.map { $0.call.body?["actionFields"]?["note"] }
    #expect(ran == ["at e-2", "at e-3"])
  }

  @Test func skipEndsTheActionAndOtherFailuresAreRetried() throws {
    var session = try enabled()
    session.events.insert("e-2", at: 0)
    session.scripted["actions/show"] = .errors(400, ["status": "SKIP", "message": "Out of reach."])
    session.pass(.seconds(5))
    session.settle()
    #expect(session.activity.first { $0.step == .skipped }?.detail == "Out of reach.")
    #expect(session.calls.filter { $0 == "POST actions/show" }.count == 1)

    session.forget()
    session.events.insert("e-3", at: 0)
    session.scripted["actions/show"] = .errors(503, ["message": "Busy."])
    for _ in 0..<6 {
      session.pass(.seconds(5))
      session.settle()
    }
    #expect(session.calls.filter { $0 == "POST actions/show" }.count == 3)
    let own = session.activity.filter { $0.event == "e-3" && $0.endpoint == "actions/show" }
    #expect(own.map(\.step) == [.failed, .failed, .failed, .givenUp])
    #expect(own.first?.detail == "Busy." && own.first?.status == 503)
    #expect(session.activity.last?.endpoint == "mail.send", "the next action runs anyway")
  }

  @Test(arguments: [
    PartnerResponse.errors(400, ["status": "skip", "message": "x"]), .errors(500, ["status": "SKIP"]),
    .failure("no response"), .data([]), .response(status: 200, body: []),
  ]) func onlySKIPWith400Skips(_ response: PartnerResponse) throws {
    var session = try enabled { $0.attempts = 1 }
    session.events.insert("e-2", at: 0)
    session.scripted["actions/show"] = response
    session.pass(.seconds(5))
    session.settle()
    #expect(session.activity.filter { $0.endpoint == "actions/show" }.map(\.step) == [.failed, .givenUp])
  }

  @Test func aFailedQueryRunsNoActions() throws {
    var session = try enabled { $0.attempts = 2 }
    session.events.insert("e-2", at: 0)
    session.scripted["queries/forecast"] = .failure("refused")
    for _ in 0..<3 {
      session.pass(.seconds(5))
      session.settle()
    }
    #expect(session.calls.filter { $0 == "POST queries/forecast" }.count == 2)
    #expect(!session.calls.contains("POST actions/show"))
  }

  @Test func disablingSendsTheWebhookAndDeletesTheIdentity() throws {
    var session = try enabled()
    let identity = session.body("triggers/pressed")?["trigger_identity"]?.string ?? ""
    session.forget()
    session.ask(.post, "/v2/connections/C1/disable")
    #expect(
      session.calls == [
        "POST webhooks/connection/disabled", "DELETE triggers/pressed/trigger_identity/\(identity)",
      ])
    #expect(session.sent.map(\.accessToken) == [nil, "a-1"])
    #expect(session.activity.last?.step == .identityDeleted && session.activity.last?.identity == identity)
    session.forget()
    session.pass(.seconds(60))
    session.settle()
    session.ask(.post, "/v2/connections/C1/disable")
    #expect(session.calls == [], "it is no longer polled, and nothing changes")
    session.ask(.post, "/v2/connections/C1/enable")
    #expect(session.body("triggers/pressed")?["trigger_identity"]?.string == identity, "it stays the same")
  }

  @Test func changedFieldsChangeTheIdentity() throws {
    var session = try enabled()
    let path = "/v2/connections/C1/user_connection?user_id=u-1"
    let first = session.body("triggers/pressed")?["trigger_identity"]?.string ?? ""
    session.forget()
    #expect(session.ask(.put, path, [RuntimeSession.key], RuntimeSession.configuration())?.status == 200)
    // The action's text differs, but the trigger does not.
    #expect(
      session.calls == [
        "POST triggers/pressed/fields/lamp/options", "POST triggers/pressed/fields/lamp/validate",
        "POST webhooks/connection/updated",
      ])
    session.forget()
    #expect(session.ask(.put, path, [RuntimeSession.key], RuntimeSession.configuration())?.status == 200)
    #expect(session.calls == ["POST triggers/pressed/fields/lamp/options"], "nothing changed")

    session.scripted["triggers/pressed/fields/lamp/options"] = .data([["label": "Attic", "value": "attic"]])
    session.forget()
    #expect(
      session.ask(.put, path, [RuntimeSession.key], RuntimeSession.configuration(lamp: "attic"))?.status == 200)
    #expect(session.calls.contains("DELETE triggers/pressed/trigger_identity/\(first)"))
    let second = session.body("triggers/pressed")?["trigger_identity"]?.string
    #expect(second != nil && second != first)
    session.events.insert("e-2", at: 0)
    session.pass(.seconds(5))
    session.settle()
    #expect(session.body("actions/show")?["actionFields"]?["note"] == "at e-2, rain, {{none}}")
  }

  /// The details of the warnings.
  private func warnings(_ session: RuntimeSession) -> [String] {
    session.activity.filter { $0.step == .warning }.map { $0.detail ?? "" }
  }

  @Test func anUnknownIngredientIsNotedOnceAndSentAsItIs() throws {
    var session = try enabled()
    let path = "/v2/connections/C1/user_connection?user_id=u-1"
    session.ask(.put, path, [RuntimeSession.key], RuntimeSession.configuration())
    session.scripted["actions/show"] = .errors(503, ["message": "Busy."])
    session.events.insert("e-2", at: 0)
    for _ in 0..<4 {
      session.pass(.seconds(5))
      session.settle()
    }
    #expect(session.body("actions/show")?["actionFields"]?["note"] == "at e-2, rain, {{none}}")
    #expect(warnings(session) == ["sent as it is, because no step has this ingredient: {{none}}"])
    #expect(session.activity.first { $0.step == .warning }?.endpoint == "actions/show")
  }

  @Test func fiftyNewEventsMayHaveLostOthers() throws {
    var session = try enabled()
    session.events = (0..<49).map { "n-\($0)" } + session.events
    session.pass(.seconds(5))
    session.settle()
    #expect(warnings(session) == [])
    session.events = (0..<50).map { "m-\($0)" }
    session.pass(.seconds(5))
    session.settle()
    #expect(warnings(session).count == 1 && warnings(session)[0].hasPrefix("all 50 events are new"))
    #expect(session.activity.contains { $0.step == .ran && $0.event == "m-49" }, "they run all the same")
  }

  /// A service whose events have other ids in each response, though nothing happens.
  @Test(arguments: [3, 50]) func idsThatAreNewInEachPollRunNothing(_ count: Int) throws {
    var session = try RuntimeSession()
    func list(_ poll: Int) -> PartnerResponse {
      let rows = (0..<count).map { row -> JSONValue in
        ["lamp": .string("l-\(row)"), "meta": ["id": .string("\(poll)-\(row)"), "timestamp": 1_772_600_000]]
      }
      return .data(.array(rows))
    }
    session.scripted["triggers/pressed"] = list(0)
    session.ask(.post, "/v2/connections/C1/enable")
    for poll in 1...4 {
      session.scripted["triggers/pressed"] = list(poll)
      session.pass(.seconds(5))
      session.settle()
    }
    #expect(!session.steps.contains("found") && !session.calls.contains("POST actions/show"))
    #expect(warnings(session).count == 1 && warnings(session)[0].contains("meta.id"))
  }

  /// A service that makes both the ids and the times for each response.
  @Test func fullPollsOfNewEventsRunOnlyOnce() throws {
    var session = try enabled()
    for poll in 0..<6 {
      session.events = (0..<50).map { "p\(poll)-\($0)" }
      session.pass(.seconds(5))
      session.settle()
    }
    // The first poll had two events, so only two of the following show a pattern.
    #expect(session.activity.filter { $0.step == .found }.map(\.event).contains("p0-0"))
    #expect(!session.sent.contains { $0.call.body?["actionFields"]?["note"] == "at p4-0" })
    #expect(warnings(session).filter { $0.contains("meta.id") }.count == 1)
    session.events.insert("real", at: 0)
    session.pass(.seconds(5))
    session.settle()
    #expect(session.activity.contains { $0.step == .ran && $0.event == "real" }, "the ids are stable again")
  }

  /// A few events that follow one another are new, even if the service forgets the earlier ones.
  @Test func eventsWithOtherContentsRun() throws {
    var session = try enabled()
    for poll in 0..<5 {
      session.events = ["q\(poll)"]
      session.pass(.seconds(5))
      session.settle()
    }
    #expect(session.activity.filter { $0.step == .found }.map(\.event) == (0..<5).map { "q\($0)" })
    #expect(warnings(session) == [])
  }

  @Test func aWebhookWithoutAnEndpointIsListedOnce() throws {
    var session = try RuntimeSession()
    for endpoint in ["connection/enabled", "connection/disabled"] {
      session.scripted["webhooks/\(endpoint)"] = .response(status: 404, body: [])
    }
    for _ in 0..<3 {
      session.ask(.post, "/v2/connections/C1/enable")
      session.ask(.post, "/v2/connections/C1/disable")
    }
    let failed = session.activity.filter { $0.step == .failed }
    #expect(failed.map(\.endpoint) == ["webhooks/connection/enabled", "webhooks/connection/disabled"])
    #expect(failed.allSatisfy { $0.detail?.contains("no endpoint") == true })
    #expect(session.calls.filter { $0 == "POST webhooks/connection/enabled" }.count == 3, "it is sent all the same")
    session.scripted = [:]
    session.ask(.post, "/v2/connections/C1/enable")
    #expect(session.activity.contains { $0.step == .webhookSent })
  }

  @Test func aFeatureThatIsOffIsNotPolled() throws {
    var session = try enabled()
    let path = "/v2/connections/C1/user_connection?user_id=u-1"
    session.ask(.put, path, [RuntimeSession.key], RuntimeSession.configuration(isOn: false))
    #expect(session.steps.contains("identity_deleted"))
    session.forget()
    session.pass(.seconds(60))
    session.settle()
    #expect(session.calls == [])
  }

  @Test func aNotificationPollsAtOnce() throws {
    var session = try enabled()
    let identity = session.body("triggers/pressed")?["trigger_identity"]?.string ?? ""
    for item: JSONValue in [["trigger_identity": .string(identity)], ["user_id": "u-1"]] {
      session.forget()
      session.events.insert("n-\(session.events.count)", at: 0)
      #expect(session.ask(.post, "/v1/notifications", [RuntimeSession.key], ["data": [item]])?.status == 200)
      #expect(session.calls.first == "POST triggers/pressed" && session.sent.first?.call.isRealtime == true)
      #expect(session.calls.contains("POST actions/show"))
    }
    #expect(session.activity.filter { $0.step == .found }.map(\.cause) == [.notification, .notification])
    session.forget()
    for item: JSONValue in [["trigger_identity": "unknown"], ["user_id": "u-2"]] {
      #expect(session.ask(.post, "/v1/notifications", [RuntimeSession.key], ["data": [item]])?.status == 200)
    }
    #expect(session.calls == [])
    #expect(session.activity.last?.detail == "no enabled connection uses it")
    #expect(session.ask(.post, "/v1/notifications", [], ["data": [["user_id": "u-1"]]])?.status == 401)
  }

  /// The event may be newer than the response that is on its way.
  @Test func aNotificationDuringAPollLeadsToAnotherPoll() throws {
    var session = try enabled()
    session.pass(.seconds(5))
    let due = session.emulator.takeRequests(at: session.now)
    #expect(due.count == 1)
    session.ask(.post, "/v1/notifications", [RuntimeSession.key], ["data": [["user_id": "u-1"]]])
    #expect(session.emulator.takeRequests(at: session.now).isEmpty)
    _ = session.emulator.receive(.data([]), for: due[0].id, at: session.now)
    #expect(session.emulator.takeRequests(at: session.now).map(\.call.isRealtime) == [true])
  }

  @Test func failedPollsAreListedOnceAndContinue() throws {
    var session = try enabled()
    session.scripted["triggers/pressed"] = .errors(401, ["message": "No such token."])
    for _ in 0..<3 {
      session.pass(.seconds(5))
      session.settle()
    }
    #expect(session.activity.filter { $0.step == .failed }.map(\.detail) == ["No such token."])
    session.scripted["triggers/pressed"] = nil
    session.events.insert("e-2", at: 0)
    session.pass(.seconds(5))
    session.settle()
    #expect(session.activity.contains { $0.event == "e-2" && $0.step == .ran })
  }

  @Test func aLocationEventRunsTheActions() throws {
    var emulator = Emulator(state: .seed)
    emulator.startRuntime(at: EmulatorSession.now)
    #expect(emulator.takeRequests(at: EmulatorSession.now).isEmpty, "no fixture has a trigger of its own service")
    let event: JSONValue = [
      "record_id": "0b5d7c22-9e61-4f3a-8a17-6d4c2e9f8b10", "region_type": "geo", "occurred_at": "2026-03-04T17:42:09Z",
      "event_type": "exit", "channel_id": "941030000",
      "trigger_subscription_id": "d27e9a40-5b13-4c68-9f02-3e8a6b7c1d54", "installation_id": "i",
    ]
    _ = emulator.recorded(
      .post, "/v1/location_events", [.token, .json], body: JSONValue.array([event]).text, at: EmulatorSession.now)
    let sent = emulator.takeRequests(at: EmulatorSession.now)
    #expect(sent.map { $0.call.path.joined(separator: "/") } == ["webhooks/trigger_subscription/fired"])
    #expect(emulator.log.all.compactMap(\.activity?.step) == [.found, .queried, .ran])
  }

  @Test func lateResponsesAfterAResetAreIgnored() throws {
    var session = try enabled()
    session.pass(.seconds(5))
    let due = session.emulator.takeRequests(at: session.now)
    var fresh = try RuntimeSession().emulator
    fresh.replace(session.emulator)
    session.emulator = fresh
    #expect(session.emulator.receive(.data([]), for: due[0].id, at: session.now).isEmpty)
    #expect(session.activity.isEmpty)
  }
}
