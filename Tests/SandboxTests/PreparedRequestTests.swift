import HTTP
import JSON
import Sandbox
import Testing
import World

/// The requests that a person lets a user or the service send.
@Suite struct PreparedRequestTests {
  private static let leaving = TriggerSelection(
    user: "u-5521", connection: "Kd7Rn2Qx", trigger: "location.exit_region_location")

  /// The response to a request that passes over a server.
  private func respond(
    _ request: Request, _ emulator: inout Emulator, at now: Timestamp = EmulatorSession.now
  ) throws -> Response {
    let received = ReceivedRequest(request)
    let parsed = try #require(
      Request(
        receivedMethod: received.method, target: received.target,
        headers: received.fields.map { Header($0.name, $0.value) }, body: received.body))
    let reply = emulator.respond(to: parsed, target: received.target, at: now)
    let response = try #require(reply.response)
    emulator.record(
      LoggedExchange(received: received, response, duration: .zero), of: reply.key, at: now)
    return response
  }

  @Test func aConnectionIsEnabledAndDisabled() throws {
    var emulator = Emulator(state: .seed)
    for (isEnabled, status) in [(false, "disabled"), (true, "enabled")] as [(Bool, JSONValue)] {
      let request = try emulator.toggleRequest(enables: isEnabled, connection: "Kd7Rn2Qx", of: "u-5521")
      #expect(request.method == .post)
      let response = try respond(request, &emulator)
      #expect(response.status == 200 && response.json["user_status"] == status)
    }
  }

  /// The response says why it did not work.
  @Test(
    arguments: [
      ("u-5521", "Ud6Jn1Gs", "never_enabled"), ("u-5521", "Mh4Ts7Aq", "never_enabled"), ("90210", "Kd7Rn2Qx", nil),
      ("u-5521", "../me", nil), ("u-5521", "a b?c#%zz\n", nil), ("u-5521", "", nil),
    ] as [(String, String, String?)])
  func anErrorIsInTheResponse(_ user: String, _ connection: String, _ code: String?) throws {
    var emulator = Emulator(state: .seed)
    let response = try respond(
      try emulator.toggleRequest(enables: true, connection: connection, of: user), &emulator)
    #expect(response.status >= 400 && response.json["code"] != nil)
    if let code { #expect(response.code?.contains(code) == true, "\(response.json.text)") }
    #expect(throws: InspectionError.self) {
      try emulator.toggleRequest(enables: true, connection: connection, of: "u-0")
    }
  }

  @Test func aTransitionIsReported() throws {
    var emulator = Emulator(state: .seed)
    for _ in 0..<2 {
      let request = try emulator.transitionRequest(isEntry: false, of: Self.leaving, at: EmulatorSession.now)
      #expect(try respond(request, &emulator).status == 204)
    }
    let paths = emulator.log.all.compactMap(\.exchange?.target)
    #expect(paths.filter { $0 == "/v1/location_events" }.count == 2)
    #expect(paths.filter { $0.hasSuffix("/fired") }.count == 2, "each report is a new event")
    let found = try #require(emulator.log.all.first { $0.activity?.step == .found })
    #expect(emulator.log.cause(of: found) == emulator.log.all.first?.number)
  }

  @Test func onlyARegionHasTransitions() throws {
    var emulator = Emulator(state: .seed)
    func error(_ isEntry: Bool, _ selection: TriggerSelection) -> InspectionError? {
      #expect(throws: InspectionError.self) {
        _ = try emulator.transitionRequest(isEntry: isEntry, of: selection, at: EmulatorSession.now)
      }
    }
    #expect(error(true, Self.leaving)?.reason == "This trigger reports only exits")
    var sunset = Self.leaving
    (sunset.connection, sunset.trigger) = ("Rw9Ky4Hc", "skyglass.sunset")
    #expect(error(true, sunset)?.reason == "This trigger has no region")
    var both = Self.leaving
    (both.connection, both.trigger) = ("Fq3Lw8Zt", "location.enter_or_exit_region_location")
    for isEntry in [true, false] {
      let request = try emulator.transitionRequest(isEntry: isEntry, of: both, at: EmulatorSession.now)
      #expect(try respond(request, &emulator).status == 204)
    }
    _ = try respond(try emulator.toggleRequest(enables: false, connection: "Kd7Rn2Qx", of: "u-5521"), &emulator)
    #expect(error(false, Self.leaving)?.kind == .refused, "it would have no effect")
  }

  @Test func theServiceNotifies() throws {
    var session = try RuntimeSession()
    session.ask(.post, "/v2/connections/C1/enable")
    let identity = try #require(session.emulator.log.all.compactMap(\.activity?.identity).first)
    for subject in [PartnerNotification.user("u-1"), .trigger(identity), .user("unknown \"id\"")] {
      session.forget()
      let request = try session.emulator.notificationRequest(about: subject)
      let response = try respond(request, &session.emulator, at: session.now)
      session.settle()
      #expect(response.status == 200)
      let isKnown = subject != .user("unknown \"id\"")
      #expect(session.calls == (isKnown ? ["POST triggers/pressed"] : []))
    }
    #expect(session.steps.filter { $0 == "notified" }.count == 3)
    let empty = try session.emulator.notificationRequest(about: .user(""))
    #expect(try respond(empty, &session.emulator, at: session.now).status == 400)
  }

  @Test func aUserOfAnotherServiceHasItsKey() throws {
    var emulator = Emulator(state: .seed)
    let request = try emulator.notificationRequest(about: .user("90210"))
    #expect(request.header("IFTTT-Service-Key") == SandboxFixtures.otherServiceKey)
    #expect(try respond(request, &emulator).status == 200)
    let none = Emulator(state: .seed, seed: try SandboxSeed(parsing: Array(#"{"format":1}"#.utf8)))
    #expect(throws: InspectionError.self) { try none.notificationRequest(about: .user("u-1")) }
  }
}
