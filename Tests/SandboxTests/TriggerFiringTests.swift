import HTTP
import JSON
import Sandbox
import Testing

/// Triggers that a person fires.
@Suite struct TriggerFiringTests {
  private static let pressed = TriggerSelection(user: "u-1", connection: "C1", trigger: "lamps.pressed")
  private static let leaving = TriggerSelection(
    user: "u-5521", connection: "Kd7Rn2Qx", trigger: "location.exit_region_location")

  /// A session in which the connection is enabled.
  private func enabled(_ change: (inout RuntimeSession) -> Void = { _ in }) throws -> RuntimeSession {
    var session = try RuntimeSession()
    change(&session)
    session.ask(.post, "/v2/connections/C1/enable")
    session.forget()
    return session
  }

  private func error(
    _ selection: TriggerSelection, _ ingredients: [String: String] = [:], in emulator: Emulator
  ) -> InspectionError? {
    var copy = emulator
    let error = #expect(throws: InspectionError.self) {
      _ = try copy.fire(selection, ingredients: ingredients, at: EmulatorSession.now)
    }
    #expect(copy.state == emulator.state && copy.log.lastNumber == emulator.log.lastNumber)
    return error
  }

  @Test func aFiredTriggerRunsItsFeature() throws {
    var session = try enabled()
    let key = try session.emulator.fire(Self.pressed, ingredients: ["pressed_at": "noon {{x}}"], at: session.now)
    let event = try #require(session.emulator.log.entry(of: key))
    #expect(event.activity?.step == .found && event.activity?.cause == .fired && event.exchange == nil)
    #expect(event.activity?.endpoint == "triggers/pressed" && event.activity?.identity?.count == 40)
    #expect(event.activity?.connection == "C1" && event.activity?.user == "u-1" && event.activity?.event != nil)
    #expect(session.emulator.log.cause(of: event) == nil)
    session.settle()
    #expect(
      session.calls == ["POST webhooks/trigger_subscription/fired", "POST queries/forecast", "POST actions/show"])
    #expect(session.body("actions/show")?["actionFields"] == ["note": "noon {{x}}"])
    #expect(
      session.body("webhooks/trigger_subscription/fired")?["event_data"]?["ingredients"] == ["pressed_at": "noon {{x}}"]
    )
    let effects = session.emulator.log.effects(of: event).compactMap { session.emulator.log[$0]?.activity?.step }
    #expect(effects == [.webhookSent, .queried, .ran, .ran])
  }

  /// The same steps, requests and bodies follow as for an event that a poll found.
  @Test func itIsLikeAnEventOfAPoll() throws {
    var (polled, fired) = (try enabled(), try enabled())
    polled.events.insert("e-2", at: 0)
    polled.pass(.seconds(5))
    polled.settle()
    _ = try fired.emulator.fire(Self.pressed, ingredients: ["pressed_at": "at e-2"], at: fired.now)
    fired.settle()
    #expect(polled.calls.filter { $0 != "POST triggers/pressed" } == fired.calls)
    for endpoint in ["actions/show", "queries/forecast"] { #expect(polled.body(endpoint) == fired.body(endpoint)) }
  }

  @Test func eachEventHasItsOwnID() throws {
    var session = try enabled()
    let keys = try (0..<3).map { _ in try session.emulator.fire(Self.pressed, ingredients: [:], at: session.now) }
    let ids = keys.compactMap { session.emulator.log.entry(of: $0)?.activity?.event }
    #expect(Set(ids).count == 3)
  }

  /// The examples come from the newest event of the last poll.
  @Test func missingIngredientsHaveExamples() throws {
    var byID = Self.pressed
    byID.trigger = "uft-1"
    var session = try enabled()
    _ = try session.emulator.fire(byID, ingredients: [:], at: session.now)
    session.settle()
    #expect(session.body("actions/show")?["actionFields"] == ["note": "at e-1"])
    let error = error(Self.pressed, ["pressed_at": "x", "pressed at": "y"], in: session.emulator)
    #expect(error?.kind == .refused && error?.reason.hasSuffix("it has: pressed_at") == true)
  }

  /// Only the server knows the ingredients, so any name is accepted.
  @Test func withoutAnEventAnyIngredientIsAccepted() throws {
    var session = try enabled { $0.scripted["triggers/pressed"] = .response(status: 500, body: []) }
    _ = try session.emulator.fire(Self.pressed, ingredients: ["PressedAt": "one"], at: session.now)
    session.settle()
    #expect(session.body("actions/show")?["actionFields"] == ["note": "one"])
  }

  @Test func aRowOfTheSeedHasTheExamples() throws {
    let text = RuntimeSession.seed.text.replacing(
      #""slug":"pressed","#, with: #""slug":"pressed","rows":[{"at":"dawn","count":2,"meta":{"id":"1"}}],"#)
    var session = try RuntimeSession(seed: JSONValue(parsing: Array(text.utf8)))
    session.scripted["triggers/pressed"] = .response(status: 500, body: [])
    session.ask(.post, "/v2/connections/C1/enable")
    _ = try session.emulator.fire(Self.pressed, ingredients: ["at": "dusk"], at: session.now)
    session.settle()
    let body = session.body("webhooks/trigger_subscription/fired")
    #expect(body?["event_data"]?["ingredients"] == ["at": "dusk", "count": 2])
    let connections = try session.emulator.connections(of: "u-1", at: session.now)
    let trigger = connections.array?.first?["features"]?.array?.first?["steps"]?.array?.first
    #expect(
      trigger?["ingredients"] == [["name": "at", "example": "dawn"], ["name": "count", "example": "2"]]
        && trigger?["is_own"] == true)
  }

  @Test func whatDoesNotExistIsNotFound() throws {
    let session = try enabled()
    for selection in [
      TriggerSelection(user: "u-9", connection: "C1", trigger: "lamps.pressed"),
      TriggerSelection(user: "u-1", connection: "C2", trigger: "lamps.pressed"),
      TriggerSelection(user: "u-1", connection: "C1", trigger: "pressed"),
      TriggerSelection(user: "u-1", connection: "C1", trigger: ""),
      TriggerSelection(user: "u-1", connection: "C1", trigger: "lamps.show"),
      TriggerSelection(user: "u-1\n", connection: "C1/../C1", trigger: "\u{1b}[2J"),
    ] {
      let error = error(selection, in: session.emulator)
      #expect(error?.kind == .notFound && error?.reason.contains("\n") == false, "\(selection)")
    }
    let other = TriggerSelection(user: "90210", connection: "Kd7Rn2Qx", trigger: Self.leaving.trigger)
    #expect(error(other, in: Emulator(state: .seed))?.kind == .notFound, "another service owns the connection")
  }

  @Test func aTriggerThatIsOffIsRefused() throws {
    var session = try RuntimeSession()
    #expect(error(Self.pressed, in: session.emulator)?.reason == "The connection is disabled for this user")
    var never = Self.pressed
    never.user = "u-2"
    #expect(error(never, in: session.emulator)?.reason == "The user has never enabled this connection")
    session.ask(.post, "/v2/connections/C1/enable")
    session.ask(
      .put, "/v2/connections/C1/user_connection", [RuntimeSession.first], RuntimeSession.configuration(isOn: false))
    #expect(
      error(Self.pressed, in: session.emulator)?.reason == "The feature of this trigger is disabled for this user")
    let pending = TriggerSelection(user: "u-5521", connection: "Yb8Cz3Ve", trigger: "letterbox.new_mail_from")
    #expect(error(pending, in: Emulator(state: .seed))?.reason.hasPrefix("The connection is pending") == true)
    // Two features have this step. The first is enabled, the second is not.
    let arriving = TriggerSelection(user: "u-5521", connection: "Fq3Lw8Zt", trigger: "location.enter_region_location")
    var emulator = Emulator(state: .seed)
    #expect(throws: Never.self) { _ = try emulator.fire(arriving, ingredients: [:], at: EmulatorSession.now) }
    let disabled = TriggerSelection(
      user: "u-5521", connection: "Fq3Lw8Zt", trigger: "c3f7a1e4-65b8-4d09-97e2-8d4b0a6c5f12")
    #expect(error(disabled, in: emulator)?.kind == .refused)
  }

  @Test func withoutAServerTheWebhookIsRecorded() throws {
    var emulator = Emulator(state: .seed)
    let key = try emulator.fire(Self.leaving, ingredients: ["OccurredAt": "<b>today</b>"], at: EmulatorSession.now)
    let event = try #require(emulator.log.entry(of: key))
    #expect(event.activity?.step == .found && event.activity?.endpoint == "location.exit_region_location")
    let effects = emulator.log.effects(of: event).compactMap { emulator.log[$0]?.exchange }
    #expect(effects.map(\.target) == ["/ifttt/v1/webhooks/trigger_subscription/fired"])
    let body = try JSONValue(parsing: try #require(effects.first?.request.body))
    #expect(body["event_data"]?["ingredients"]?["OccurredAt"] == "<b>today</b>")
    #expect(
      body["event_data"]?["ingredients"]?.object?.members.map(\.key)
        == ["OccurredAt", "LocationMapUrl", "LocationMapImageUrl"])
    let error = error(Self.leaving, ["EnteredOrExited": "exited"], in: emulator)
    #expect(error?.reason.hasSuffix("it has: OccurredAt, LocationMapUrl, LocationMapImageUrl") == true)
  }

  /// A partner's server may send names with line breaks.
  @Test func aReasonIsOneLine() throws {
    var session = try RuntimeSession()
    session.scripted["triggers/pressed"] = .data([["good": "1", "ba\nd": "2", "meta": ["id": "1", "timestamp": 1]]])
    session.ask(.post, "/v2/connections/C1/enable")
    #expect(error(Self.pressed, ["x": ""], in: session.emulator)?.reason.hasSuffix("it has: good") == true)
  }
}
