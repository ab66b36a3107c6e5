import HTTP
import ProgramDriver
import Support
import Testing
import World

@testable import CommandContext

/// Resuming an unfinished batch.
@Suite struct ResumeTests {
  private static let rows = "-o csv --no-header --fields id,status,previous_status,changed"

  private func disabled(_ id: String) -> String { Server.connection(id, status: "disabled") }

  /// `disable aa bb cc --jobs 1`, interrupted by Ctrl-C after the first response and while the second request is in
  /// flight.
  private func interrupted() -> Home {
    let home = Home.tracking("aa", "bb", "cc")
    let server = Server().answering(200, disabled("aa")).answering(200, disabled("bb"))
    var waits = 0
    home.prepare = { world in
      server.whileWaiting = {
        waits += 1
        if waits == 2 { world.interruption.interrupt() }
      }
    }
    let run = home.run("--jobs 1 connections disable aa bb cc \(Self.rows)", answers: server)
    #expect(run.output == "aa,disabled,enabled,true\nbb,disabled,enabled,true\n")
    #expect(run.errors == "ifttt: interrupted\n  Resume with 'ifttt connections disable --resume'.\n")
    #expect(run.exit == .interrupted)
    home.prepare = { _ in }
    return home
  }

  @Test func finishedChangesAreNotSentAgain() {
    let home = interrupted()
    let server = Server().answering(200, disabled("cc"))
    let run = home.run("connections disable --resume \(Self.rows)", answers: server)
    #expect(run.output == "cc,disabled,enabled,true\n")
    #expect(server.asked == ["POST connect.ifttt.com/v2/connections/cc/disable"])
    #expect(run.exit == .success)
    let again = home.run("connections disable --resume")
    #expect(again.exit == .notFound)
    #expect(again.notes.first == "ifttt: no run of 'connections disable' was interrupted")
  }

  @Test func connectionsWithAnUnknownResultAreFetchedFirst() {
    let home = Home.tracking("aa", "bb", "cc")
    let server = Server().failing(.timeout, "Timeout", mayHaveArrived: true).failing(
      .timeout, "Timeout", mayHaveArrived: true
    ).answering(403, Server.error("forbidden", "No"))
    let run = home.run("--retries 0 connections disable aa bb cc \(Self.rows)", answers: server)
    #expect(run.exit == .partial)
    #expect(
      run.errors.contains("Resume with 'ifttt connections disable --resume'; completed changes are not sent again."))
    let second = Server().answering(200, disabled("aa")).answering(200, Server.connection("bb")).answering(
      200, disabled("bb")
    ).answering(200, disabled("cc"))
    let resumed = home.run("connections disable --resume \(Self.rows)", answers: second)
    #expect(
      second.asked == [
        "GET connect.ifttt.com/v2/connections/aa", "GET connect.ifttt.com/v2/connections/bb",
        "POST connect.ifttt.com/v2/connections/bb/disable", "POST connect.ifttt.com/v2/connections/cc/disable",
      ])
    #expect(
      resumed.output == "aa,disabled,enabled,true\nbb,disabled,enabled,true\ncc,disabled,enabled,true\n",
      "the first attempt succeeded")
    #expect(resumed.exit == .success)
  }

  @Test func aDryRunShowsTheRemainingChanges() {
    let home = interrupted()
    let plan = home.run("connections disable --resume --dry-run -o csv --no-header --fields url")
    #expect(plan.output == "https://connect.ifttt.com/v2/connections/cc/disable\n")
    #expect(home.run("connections disable --resume", answers: Server().answering(200, disabled("cc"))).exit == .success)
  }

  @Test func batchesBelongToOneCommandAndProfile() {
    let home = interrupted()
    #expect(home.run("connections enable --resume").exit == .notFound)
    #expect(home.sandbox("connections disable --resume").exit == .notFound)
  }

  @Test func anOlderBatchCanBeResumedAfterAFinishedOne() {
    let home = interrupted()
    #expect(
      home.run("connections enable bb", answers: Server().answering(200, Server.connection("bb"))).exit == .success)
    let server = Server().answering(200, disabled("cc"))
    #expect(home.run("connections disable --resume -o csv --no-header --fields id", answers: server).output == "cc\n")
    // The last unfinished batch is the resumed one, including all of its changes.
    let undone = Server().answering(200, disabled("aa")).answering(200, Server.connection("bb")).answering(
      200, disabled("cc")
    ).answering(200, Server.connection("aa")).answering(200, Server.connection("cc"))
    let undo = home.run("connections undo \(Self.rows)", answers: undone)
    #expect(undo.output == "aa,enabled,disabled,true\nbb,enabled,enabled,false\ncc,enabled,disabled,true\n")
  }

  @Test func aRunningBatchIsNotResumed() {
    let home = Home.tracking("aa", "bb")
    let server = Server().answering(200, disabled("aa")).answering(200, disabled("bb"))
    var others: [Home.Outcome] = []
    server.whileWaiting = {
      guard others.isEmpty else { return }
      // Another process's view of the same folder.
      let other = Home(home.folder)
      (other.environment, other.now) = (home.environment, home.now)
      others = [other.run("connections disable --resume"), other.run("connections undo")]
    }
    #expect(home.run("--jobs 1 connections disable aa bb", answers: server).exit == .success)
    #expect(others.map(\.exit) == [.failure, .failure])
    #expect(others.allSatisfy { $0.errors.contains("is still in progress") })
  }

  @Test func rejectedChangesAreNotRetried() {
    let home = Home()
    let run = home.sandbox("connections enable Ud6Jn1Gs Xe2Gf9Ln")
    #expect(run.exit == .partial)
    #expect(!run.errors.contains("--resume"))
    #expect(home.sandbox("connections enable --resume").exit == .notFound)
  }

  @Test func nothingIsSentIfTheJournalIsUnwritable() {
    let home = Home.tracking("aa")
    home.prepare = { world in
      world.files.failure = { call, _ in call == "lockedAtOnce" ? SystemError(number: 30, call: call) : nil }
    }
    let run = home.run("connections disable aa")
    #expect(run.exit == .failure)
    #expect(run.output == "")
  }
}
