import HTTP
import JSON
import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// Events that stay queued, and the requests that send them later.
@Suite struct LocationHoldingTests {
  private let home = GeofenceTracks.home()

  private var waiting: [String] {
    home.run("location events --fields region,status -o tsv --no-header").lines
  }

  private func replay(_ meters: [Double], _ options: String = "", answers: Server? = nil) -> Home.Outcome {
    home.run(
      "location replay '\(home.folder.write("walk.jsonl", GeofenceTracks.lines(meters)))' \(options)", answers: answers)
  }

  @Test func eventsOfADisabledConnectionAreNotSent() {
    home.run("location report out exit --offline")
    home.run("location off gg")
    let note = "1 location event is not sent: location is off for connection gg."
    let flush = home.run("location events flush --json")
    #expect(flush.exit == .success && flush.output == "[]\n" && flush.notes == [note])
    #expect(home.run("location events").notes == [note])
    home.run("location on gg")
    #expect(home.run("location events flush", answers: Server().answering(204)).exit == .success)
    #expect(waiting == [])
  }

  /// A scheduled replay may have an event only once a day; queued events are sent sooner.
  @Test func queuedEventsAreSentByAReplayWithoutEvents() {
    home.run("location report out exit --offline")
    let server = Server().answering(204)
    #expect(replay([0, 1], answers: server).exit == .success)
    #expect(server.requests.count == 1 && waiting == [])
    #expect(replay([0, 1]).exit == .success, "the queue is empty now")
  }

  @Test(arguments: ["location report out exit", "location events flush", "location replay -"])
  func sendingNeedsAUserToken(_ line: String) {
    home.environment = [:]
    let run = home.run(line)
    #expect(run.exit == .credentials)
    #expect(run.notes.first == "ifttt: sending location events needs a user token")
    #expect(waiting == [])
  }

  @Test func theTokenIsPromptedForOnce() {
    let home = Home()
    home.secrets = ["a-token-of-the-tests-0123456789"]
    home.terminal = Terminal(
      inputIsTerminal: true, outputIsTerminal: false, errorIsTerminal: true, columns: 80)
    home.environment = ["IFTTT_USER_TOKEN": "a-token-of-the-tests-0123456789"]
    home.run("connections add gg", answers: Server().answering(200, GeofenceTracks.connection))
    home.run("location on gg")
    home.environment = [:]
    let server = Server().answering(200, GeofenceTracks.connection).answering(204)
    let run = home.run(
      "location report out exit --json --max-age 0", input: .typed(secrets: ["a-token-of-the-tests-0123456789"]),
      answers: server)
    #expect(run.exit == .success)
    #expect(server.requests.allSatisfy { $0.header("Authorization") == "Bearer a-token-of-the-tests-0123456789" })
  }

  @Test func aDryRunSetsTheExitCodeByItsEvents() {
    #expect(replay([0, 150], "--dry-run --exit-code --json").exit.rawValue == 8)
    #expect(replay([0, 1], "--dry-run --exit-code --json").exit == .success)
    #expect(replay([0, 150], "--dry-run --json").exit == .success)
  }

  @Test func anEmptyQueueIsNotedOnATerminal() {
    home.terminal = Terminal(inputIsTerminal: true, outputIsTerminal: true, errorIsTerminal: true, columns: 80)
    #expect(home.run("location events flush").notes == ["No location events are queued."])
    #expect(home.run("location events clear").notes == ["No location events are queued."])
    #expect(home.run("location events").notes == ["No location events are queued."])
  }

  /// A 2xx response is a success, whatever its body.
  @Test func theBodyOfASuccessIsIgnored() {
    let server = Server().answering(200, Server.error("refused", "No"))
    #expect(home.run("location report out exit --json", answers: server).exit == .success)
    #expect(waiting == [])
  }

  @Test func acceptanceClearsTheProblem() throws {
    home.run("location report out exit --retries 0", answers: Server().answering(503))
    let run = home.run("location events flush --json", answers: Server().answering(204))
    let row = try #require(try JSONValue(parsing: Array(run.output.utf8)).array?.first)
    #expect(row["status"] == "accepted" && row["problem"] == .null && row["tries"] == 2)
  }

  @Test func aRequestTimeoutKeepsTheEventQueued() {
    let run = home.run("location report out exit --json", answers: Server().answering(408))
    #expect(run.exit == .unavailable && run.errors.contains(#""code":"timeout""#))
    #expect(waiting == ["out\twaiting"])
  }

  /// Whatever prevents sending, the replay continues and records all events.
  @Test func aReplayContinuesAfterAFailedUpload() {
    let ways = (0..<46).map { $0.isMultiple(of: 2) ? 300.0 : 150.0 }
    home.prepare = { test in
      test.files.failure = { operation, path in
        operation == "lock" && path.hasSuffix("location.lock") ? SystemError(number: 13, call: "open") : nil
      }
    }
    #expect(replay(ways).exit == .failure)
    home.prepare = { _ in }
    #expect(waiting.count == 45)
  }

  @Test func clearsEventsOlderThanAnAge() {
    home.run("location report out exit --offline --at 2026-01-01T00:00:00Z")
    home.run("location report both exit --offline")
    #expect(home.run("location events clear id --older-than 1d").exit == .usage)
    #expect(
      home.run("location events clear --older-than 1d --dry-run").notes == [
        "Would discard 1 location event."
      ])
    #expect(home.run("location events clear --older-than 1d --yes --json --fields region").output.contains("out"))
    #expect(waiting == ["both\twaiting"])
  }

  @Test func aFlushShowsItsProgress() {
    _ = replay((0..<46).map { $0.isMultiple(of: 2) ? 300.0 : 150.0 }, "--offline")
    home.terminal = .interactive()
    home.environment["NO_COLOR"] = "1"
    var server = Server().answering(204).answering(204).answering(422)
    // Each event of the last request is retried alone.
    for _ in 0..<5 { server = server.answering(422) }
    server.whileWaiting = { [home] in home.last?.clock.advance(by: .seconds(1)) }
    let run = home.run("location events flush", answers: server)
    #expect(run.errors.contains("Sending events"))
    #expect(run.errors.contains("45/45  5 failed"))
    #expect(run.errors.contains("\r\u{1b}[Kifttt: IFTTT rejected the parameters"))
  }

  @Test(arguments: [
    [Server.field("Retry-After", "100")],
    [
      Server.field("Date", "Sun, 22 Nov 2026 01:00:00 GMT"),
      Server.field("Retry-After", "Sun, 22 Nov 2026 01:02:00 GMT"),
    ],
  ])
  func retryAfterAppliesAtTheEndOfTheTrackToo(headers: [HeaderField]) {
    let server = Server().answering(429, headers: headers)
    let run = replay((0..<46).map { $0.isMultiple(of: 2) ? 300.0 : 150.0 }, answers: server)
    #expect(run.exit == .unavailable && server.requests.count == 1)
    #expect(waiting.count == 45)
  }

  @Test func anInterruptionNotesTheQueuedEvents() {
    _ = replay((0..<46).map { $0.isMultiple(of: 2) ? 300.0 : 150.0 }, "--offline")
    let server = Server().answering(204)
    server.whileWaiting = { [home] in home.last?.interruption.interrupt() }
    let run = home.run("location events flush", answers: server)
    #expect(run.exit == .interrupted)
    #expect(run.notes == ["ifttt: interrupted", "  25 location events stay queued. Run: ifttt location events flush"])
    let last = Server().answering(204)
    last.whileWaiting = { [home] in home.last?.interruption.interrupt() }
    home.run("location events clear --yes")
    #expect(home.run("location report out exit", answers: last).exit == .success, "nothing is left to interrupt")
  }
}
