import HTTP
import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// Resuming an unfinished batch.
@Suite struct ResumeTests {
  private static let rows = "-o csv --no-header --fields id,status,previous_status,changed"

  private func disabled(_ id: String) -> String { Server.connection(id, status: "disabled") }

  /// The responses to reading enabled connections.
  private func reading(_ ids: String...) -> Server {
    ids.reduce(Server()) { $0.answering(200, Server.connection($1)) }
  }

  /// Interrupts the run while the request with this path is in flight.
  private func interrupt(_ home: Home, _ server: Server, during path: String) {
    home.prepare = { world in
      server.whileWaiting = {
        if server.asked.last?.hasSuffix(path) == true { world.interruption.interrupt() }
      }
    }
  }

  /// `disable aa bb cc --jobs 1`, interrupted by Ctrl-C after the first change and while the second one is in flight.
  private func interrupted() -> Home {
    let home = Home.tracking("aa", "bb", "cc")
    let server = reading("aa", "bb", "cc").answering(200, disabled("aa")).answering(200, disabled("bb"))
    interrupt(home, server, during: "/bb/disable")
    let run = home.run("--jobs 1 connections disable aa bb cc \(Self.rows)", answers: server)
    #expect(run.output == "aa,disabled,enabled,true\nbb,disabled,enabled,true\n")
    #expect(run.errors == "ifttt: interrupted\n  Resume with 'ifttt connections disable --resume'.\n")
    #expect(run.exit == .interrupted)
    home.prepare = { _ in }
    return home
  }

  @Test func finishedChangesAreNotSentAgain() {
    let home = interrupted()
    let server = reading("cc").answering(200, disabled("cc"))
    let run = home.run("connections disable --resume \(Self.rows)", answers: server)
    #expect(run.output == "cc,disabled,enabled,true\n")
    #expect(
      server.asked == [
        "GET connect.ifttt.com/v2/connections/cc", "POST connect.ifttt.com/v2/connections/cc/disable",
      ])
    #expect(run.exit == .success)
    let again = home.run("connections disable --resume")
    #expect(again.exit == .notFound)
    #expect(again.notes.first == "ifttt: no run of 'connections disable' was interrupted")
  }

  @Test func anInterruptionWhileReadingLeavesNothingToResume() {
    let home = Home.tracking("aa", "bb", "cc")
    let server = reading("aa", "bb")
    interrupt(home, server, during: "/bb")
    let run = home.run("--jobs 1 connections disable aa bb cc \(Self.rows)", answers: server)
    #expect(run.output == "")
    #expect(run.errors == "ifttt: interrupted\n")
    #expect(run.exit == .interrupted)
    #expect(server.asked.allSatisfy { $0.hasPrefix("GET ") })
    home.prepare = { _ in }
    #expect(home.run("connections disable --resume").exit == .notFound)
  }

  /// The responses to the changes of `aa` and `bb` are lost, and reading them fails too.
  @Test func connectionsWithAnUnknownResultAreFetchedFirst() {
    let home = Home.tracking("aa", "bb", "cc")
    func losing(_ server: Server) -> Server { server.failing(.timeout, "Timeout", mayHaveArrived: true) }
    let server = losing(
      losing(losing(losing(reading("aa", "bb", "cc"))).answering(403, Server.error("forbidden", "No"))))
    let run = home.run("--retries 0 connections disable aa bb cc \(Self.rows)", answers: server)
    #expect(run.exit == .partial)
    #expect(run.output == "aa,unknown,enabled,false\nbb,unknown,enabled,false\ncc,enabled,enabled,false\n")
    #expect(
      run.errors.contains("Resume with 'ifttt connections disable --resume'; completed changes are not sent again."))
    let second = Server().answering(200, disabled("aa")).answering(200, Server.connection("bb"))
      .answering(200, Server.connection("cc")).answering(200, disabled("bb")).answering(200, disabled("cc"))
    let resumed = home.run("connections disable --resume \(Self.rows)", answers: second)
    #expect(
      second.asked == [
        "GET connect.ifttt.com/v2/connections/aa", "GET connect.ifttt.com/v2/connections/bb",
        "GET connect.ifttt.com/v2/connections/cc", "POST connect.ifttt.com/v2/connections/bb/disable",
        "POST connect.ifttt.com/v2/connections/cc/disable",
      ])
    #expect(
      resumed.output == "aa,disabled,enabled,true\nbb,disabled,enabled,true\ncc,disabled,enabled,true\n",
      "the first attempt succeeded")
    #expect(resumed.exit == .success)
  }

  @Test func aDryRunShowsTheRemainingChanges() {
    let home = interrupted()
    let fields = "id,before.status,after.status,requests.0.url"
    let plan = home.run(
      "connections disable --resume --dry-run -o csv --no-header --fields \(fields)", answers: reading("cc"))
    #expect(plan.output == "cc,enabled,disabled,https://connect.ifttt.com/v2/connections/cc/disable\n")
    let server = reading("cc").answering(200, disabled("cc"))
    #expect(home.run("connections disable --resume", answers: server).exit == .success)
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
    let server = reading("cc").answering(200, disabled("cc"))
    #expect(home.run("connections disable --resume -o csv --no-header --fields id", answers: server).output == "cc\n")
    // The newer run changed one of the same connections.
    let refused = home.run("connections undo 1")
    #expect(refused.exit == .failure)
    #expect(refused.notes.first?.hasPrefix("ifttt: run 2 changed the same connections after run 1") == true)
    let newer = home.run("connections undo \(Self.rows)", answers: reading("bb").answering(200, disabled("bb")))
    #expect(newer.output == "bb,disabled,enabled,true\n")
    // The resumed run is undone with all of its changes.
    let undone = ["aa", "bb", "cc"].reduce(Server()) { $0.answering(200, disabled($1)) }
    for id in ["aa", "bb", "cc"] { _ = undone.answering(200, Server.connection(id)) }
    let undo = home.run("connections undo \(Self.rows)", answers: undone)
    #expect(undo.output == "aa,enabled,disabled,true\nbb,enabled,disabled,true\ncc,enabled,disabled,true\n")
  }

  @Test func aRunningBatchIsNotResumed() {
    let home = Home.tracking("aa", "bb")
    let server = reading("aa", "bb").answering(200, disabled("aa")).answering(200, disabled("bb"))
    var others: [Home.Outcome] = []
    server.whileWaiting = {
      guard others.isEmpty, server.asked.last?.hasPrefix("POST ") == true else { return }
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
    let server = reading("aa")
    let run = home.run("connections disable aa", answers: server)
    #expect(run.exit == .failure)
    #expect(run.output == "")
    #expect(server.asked == ["GET connect.ifttt.com/v2/connections/aa"])
  }
}
