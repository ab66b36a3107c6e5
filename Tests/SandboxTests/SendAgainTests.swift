import HTTP
import JSON
import Sandbox
import Testing
import World

/// Requests to a partner's server that a person sends again.
@Suite struct SendAgainTests {
  private static let failure = PartnerResponse.errors(400, ["message": "No such scene."])

  /// A session in which an action failed, and the number of the failure's entry.
  private func failed() throws -> (session: RuntimeSession, entry: LogEntry) {
    var session = try RuntimeSession { $0.attempts = 1 }
    session.ask(.post, "/v2/connections/C1/enable")
    session.scripted["actions/show"] = Self.failure
    session.events.insert("e-2", at: 0)
    session.pass(.seconds(5))
    session.settle()
    session.forget()
    return (session, try #require(session.emulator.log.all.last { $0.activity?.step == .failed }))
  }

  private func sendAgain(
    _ entry: LogEntry, _ edit: RequestEdit = .init(), in session: inout RuntimeSession
  ) throws -> LogEntry {
    let ticket = try session.emulator.sendAgain(entry, edit, at: session.now)
    session.settle()
    let sent = session.emulator.takeSentAgain()
    #expect(sent.map(\.ticket) == [ticket] && session.emulator.takeSentAgain().isEmpty)
    return try #require(sent.first.flatMap { session.emulator.log.entry(of: $0.key) })
  }

  @Test func anUnchangedRequestIsRepeated() throws {
    var (session, entry) = try failed()
    session.scripted["actions/show"] = nil
    let again = try sendAgain(entry, in: &session)
    #expect(session.calls == ["POST actions/show"])
    #expect(session.body("actions/show")?["actionFields"] == ["note": "at e-2"])
    #expect(again.activity?.step == .ran && again.activity?.cause == .sentAgain)
    #expect(session.emulator.log.cause(of: again) == entry.number)
  }

  /// A failed action is usually corrected by its configuration, so that is what it is sent with.
  @Test func anActionHasTheValuesThatAreConfiguredNow() throws {
    var (session, entry) = try failed()
    session.ask(.put, "/v2/connections/C1/user_connection", [RuntimeSession.first], RuntimeSession.configuration())
    session.forget()
    let again = try sendAgain(entry, in: &session)
    #expect(session.body("actions/show")?["actionFields"] == ["note": "at e-2, rain, {{none}}"])
    #expect(again.activity?.step == .failed && again.activity?.detail == "No such scene.")
  }

  @Test func changesReplaceTheConfiguration() throws {
    var (session, entry) = try failed()
    var edit = RequestEdit()
    edit.body = Array(#"{"actionFields":{"note":"other"}}"#.utf8)
    edit.target = "/ifttt/v1/actions/show"
    edit.headers = [HeaderField("X-Note", "1")]
    _ = try sendAgain(entry, edit, in: &session)
    #expect(session.sent.last?.call.edit == edit && session.sent.last?.call.path == ["actions", "show"])
    for target in ["/v2/me", "/ifttt/v1/actions/show?a=b", "/ifttt/v1/%zz"] {
      edit.target = target
      #expect(throws: SendAgainError.self) { _ = try session.emulator.sendAgain(entry, edit, at: session.now) }
    }
  }

  @Test func everyKindOfRequestCanBeSentAgain() throws {
    var (session, _) = try failed()
    session.ask(.get, "/v2/connections/C1/triggers/lamps.pressed/field_options")
    for step in [ActivityRecord.Step.polled, .webhookSent, .options] {
      let entry = try #require(session.emulator.log.all.last { $0.activity?.step == step })
      let again = try sendAgain(entry, in: &session)
      #expect(again.activity?.step == step && again.activity?.cause == .sentAgain)
      #expect(session.emulator.log.cause(of: again) == entry.number)
    }
  }

  @Test func withoutAServerNothingIsSent() throws {
    var session = EmulatorSession()
    _ = session.post("/v2/connections/Kd7Rn2Qx/triggers/location.exit_region_location/test", [.token], json: [:])
    #expect(session.takeWebhooks().count == 1)
    let entry = try #require(session.emulator.log.all.first)
    #expect(throws: SendAgainError.self) { _ = try session.emulator.sendAgain(entry, .init(), at: EmulatorSession.now) }
  }
}
