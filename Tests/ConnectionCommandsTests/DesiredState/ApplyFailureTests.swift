import HTTP
import ProgramDriver
import Support
import Testing

@testable import Session

/// Applying a file while responses are wrong, incomplete or missing.
@Suite struct ApplyFailureTests {
  private let home = Home.tracking("aa", "bb")
  private func file(_ connections: String) -> String {
    home.folder.write("c.json", #"{"version":1,"connections":[\#(connections)]}"#)
  }

  private func apply(_ connections: String, _ server: Server, options: String = "--yes") -> Home.Outcome {
    home.run(
      "connections apply \(file(connections)) --jobs 1 --retries 0 -o csv --no-header --fields id,status,changed \(options)",
      answers: server)
  }

  private func resume(_ server: Server) -> Home.Outcome {
    home.run("connections apply --resume --jobs 1 -o csv --no-header --fields id,status,changed", answers: server)
  }

  private static let both = #"{"id":"aa","status":"disabled"},{"id":"bb","status":"disabled"}"#
  private func shown(_ id: String, _ status: String) -> String { Server.connection(id, status: status) }

  @Test func aFailureIsResumed() {
    let server = Server().answering(200, shown("aa", "enabled")).answering(200, shown("bb", "enabled"))
      .answering(500, Server.error("server_error", "no")).answering(200, shown("aa", "enabled"))
      .answering(200, shown("bb", "disabled"))
    let first = apply(Self.both, server)
    #expect(first.output == "aa,enabled,false\nbb,disabled,true\n" && first.exit == .partial)
    #expect(
      server.asked.suffix(3) == [
        "POST connect.ifttt.com/v2/connections/aa/disable", "GET connect.ifttt.com/v2/connections/aa",
        "POST connect.ifttt.com/v2/connections/bb/disable",
      ])
    #expect(first.errors.contains("Resume with 'ifttt connections apply --resume'"))
    let again = Server().answering(200, shown("aa", "enabled")).answering(200, shown("aa", "disabled"))
    #expect(resume(again).output == "aa,disabled,true\n")
    #expect(
      again.asked == ["GET connect.ifttt.com/v2/connections/aa", "POST connect.ifttt.com/v2/connections/aa/disable"])
    #expect(home.run("connections apply --resume").exit == .notFound)
  }

  /// A request whose response was lost took effect, which the state shows at once.
  @Test func aLostResponseIsRead() {
    let server = Server().answering(200, shown("aa", "enabled")).failing(.broken, "reset", mayHaveArrived: true)
      .answering(200, shown("aa", "disabled"))
    let outcome = apply(#"{"id":"aa","status":"disabled"}"#, server)
    #expect(outcome.output == "aa,disabled,true\n" && outcome.exit == .success, "\(outcome.errors)")
    #expect(resume(Server()).exit == .notFound)
  }

  /// The response was lost, and the state could not be read: it is read before anything is sent again.
  @Test func aLostResponseIsNotSentAgain() {
    let server = Server().answering(200, shown("aa", "enabled")).failing(.broken, "reset", mayHaveArrived: true)
      .failing(.broken, "reset", mayHaveArrived: true)
    let first = apply(#"{"id":"aa","status":"disabled"}"#, server)
    #expect(first.output == "aa,unknown,false\n" && first.exit == .unavailable)
    let again = Server().answering(200, shown("aa", "disabled"))
    #expect(resume(again).output == "aa,disabled,true\n", "the first part of the run changed it")
    #expect(again.asked == ["GET connect.ifttt.com/v2/connections/aa"])
    // It changed the connection, so an undo reverts it.
    let undone = Server().answering(200, shown("aa", "disabled")).answering(200, shown("aa", "enabled"))
    #expect(home.run("connections undo --fields status -o csv --no-header", answers: undone).output == "enabled\n")
  }

  @Test(arguments: ["", "[]", #"{"type":"connection","id":"aa","features":[]}"#])
  func anIncompleteResponseIsFollowedByAFetch(_ body: String) {
    let server = Server().answering(200, shown("aa", "enabled")).answering(200, body)
      .answering(200, shown("aa", "disabled"))
    #expect(apply(#"{"id":"aa","status":"disabled"}"#, server).output == "aa,disabled,true\n")
  }

  @Test func aChangeWithoutEffectFails() {
    let server = Server().answering(200, shown("aa", "enabled")).answering(200, shown("aa", "enabled"))
      .answering(200, shown("aa", "enabled"))
    let outcome = apply(#"{"id":"aa","status":"disabled"}"#, server)
    #expect(outcome.exit == .failure && outcome.errors.contains("is still enabled"))
  }

  /// Rejected credentials end the run, and every connection that was not reached has a result: the state as read.
  @Test func rejectedCredentialsEndTheRun() {
    let server = Server().answering(200, shown("aa", "enabled")).answering(200, shown("bb", "enabled"))
      .answering(401, Server.error("unauthorized", "no"))
    let outcome = apply(Self.both, server)
    #expect(outcome.output == "aa,enabled,false\nbb,enabled,false\n" && outcome.exit == .credentials)
    #expect(server.asked.count == 3)
  }

  @Test func anUnreadableConnectionIsNotChanged() {
    let server = Server().answering(404, Server.error("not_found", "no")).answering(200, shown("bb", "enabled"))
      .answering(200, shown("bb", "disabled"))
    let outcome = apply(Self.both, server)
    #expect(outcome.output == "aa,unknown,false\nbb,disabled,true\n" && outcome.exit == .partial)
  }

  @Test func changingAStatusNeedsAUserToken() {
    let home = Home()
    home.environment = ["IFTTT_SERVICE_KEY": "key-of-the-tests-0123456789", "IFTTT_USER_ID": "u"]
    let file = home.folder.write("c.json", #"{"version":1,"connections":[{"id":"aa","status":"disabled"}]}"#)
    let server = Server().answering(200, shown("aa", "enabled"))
    let outcome = home.run("connections apply \(file) --yes", answers: server)
    #expect(outcome.exit == .credentials && server.asked.count == 1)
  }
}
