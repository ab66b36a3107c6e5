import HTTP
import IFTTT
import JSON
import Sandbox
import Support
import Testing
import World

@testable import DeveloperCommands

/// The server while it waits for a partner's server: deferred replies, injected faults, reset and stop.
@Suite struct SandboxResponderTests {
  private static let definition =
    #"{"service":{"id":"lamps"},"triggers":[{"id":"pressed","fields":[{"id":"lamp","options":true}]}]}"#
  private static let path = "/connect/lamps-1?email=user-1%40mail.test&emulator_outcome=complete"
  private static let options = PartnerResponse.response(
    status: 200, body: Array(#"{"data":[{"label":"Hall","value":"hall"}]}"#.utf8))

  private func responder(_ faults: String...) throws -> SandboxResponder {
    let definition = try ServiceDefinition(parsing: Array(Self.definition.utf8))
    let seed = try SandboxSeed(parsing: DefinedSeed(definition).json.bytes)
    var emulator = Emulator(state: .seed, seed: seed)
    let now = Timestamp(milliseconds: 1_772_601_007_250)
    emulator.startRuntime(at: now)
    let plan = FaultPlan(try faults.map { try FaultRule(parsing: $0) })
    return SandboxResponder(
      .init(emulator: emulator, faults: plan), key: "k", clock: TestWorld(now: now).world.clock, accessLog: nil)
  }

  private func ask(_ responder: SandboxResponder, _ method: String = "GET", _ target: String = path) -> Reply {
    responder.respond(
      to: ReceivedRequest(method: method, target: target, fields: [HeaderField("Authorization", "Bearer k")]))
  }

  @Test func aPageWaitsForTheOptions() throws {
    let responder = try responder()
    let deferred = try #require(ask(responder).deferred)
    #expect(deferred.current == nil)
    let due = responder.takeRequests().requests
    #expect(due.map { $0.call.path.last } == ["options"])
    responder.receive(Self.options, for: due[0].id)
    #expect(deferred.current?.status == 200)
    let next = responder.takeRequests().requests.map { $0.call.path.joined(separator: "/") }
    #expect(next == ["webhooks/connection/enabled", "triggers/pressed"])
    #expect(responder.takeRequests().pause > .zero)
    let activity = ask(responder, "GET", "/.sandbox/activity").body
    #expect(try JSONValue(parsing: activity).array?.map { $0["step"] } == ["options"])
  }

  @Test func injectedFaultsApplyToALateReply() throws {
    let responder = try responder("reset-in-body", "latency=2s")
    let deferred = try #require(ask(responder).deferred)
    responder.receive(Self.options, for: responder.takeRequests().requests[0].id)
    #expect(deferred.current?.delivery.delay == .seconds(2))
    if case .reset(let after)? = deferred.current?.delivery.completion {
      #expect(after != nil)
    } else {
      Issue.record("no reset")
    }
  }

  @Test func aFaultThatNeedsNoResponseSendsNothing() throws {
    let responder = try responder("status=503")
    #expect(ask(responder).status == 503 && ask(responder).deferred == nil)
    #expect(responder.takeRequests().requests.isEmpty)
  }

  @Test(arguments: [true, false]) func aResetAndTheEndRespondToWaitingClients(_ isReset: Bool) throws {
    let responder = try responder()
    let deferred = try #require(ask(responder).deferred)
    let due = responder.takeRequests().requests
    if isReset {
      #expect(ask(responder, "POST", "/.sandbox/reset").status == 200)
    } else {
      responder.stop()
    }
    #expect(deferred.current?.status == 504)
    responder.receive(Self.options, for: due[0].id)
    #expect(deferred.current?.status == 504, "a late response changes nothing")
    #expect(responder.takeRequests().requests.isEmpty == isReset)
  }
}
