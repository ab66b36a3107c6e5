import HTTP
import JSON
import ProgramDriver
import Support
import Testing
import World

@testable import Commands
@testable import Session

/// The sender of usage events: the events it sends, those it keeps, and when it sends nothing.
@Suite struct UsageSendTests {
  private let home = Home()

  init() {
    home.environment["IFTTT_USER_TOKEN"] = "token-of-the-tests-0123456789"
    home.secrets.append("token-of-the-tests-0123456789")
    home.run("privacy on")
    home.prepare = { $0.processes.again = .success(()) }
  }

  /// Queues one event per connection.
  private func queue(_ count: Int) {
    let ids = (0..<count).map { "id\($0 + 10)" }
    let server = Server()
    for id in ids { _ = server.answering(200, Server.connection(id)) }
    for id in ids { _ = server.answering(200, Server.connection(id, status: "disabled")) }
    home.run("connections disable \(ids.joined(separator: " ")) --max-age 0 --jobs 1", answers: server)
  }

  private func send(_ server: Server?, more: String = "") -> Home.Outcome {
    home.run("\(UsageEvents.senderArguments.joined(separator: " ")) \(more)", answers: server)
  }

  private func shown() throws -> JSONValue {
    try JSONValue(parsing: Array(home.run("privacy show --json").output.utf8))
  }

  @Test func sendsBatchesOfTenUntilTheQueueIsEmpty() throws {
    queue(23)
    let server = Server().answering(204).answering(200, "{}").answering(201)
    let run = send(server)
    #expect(run.exit == .success)
    #expect(run.output == "" && run.errors == "")
    #expect(server.asked == Array(repeating: "POST connect.ifttt.com/v2/sdk/events", count: 3))
    let counts = server.requests.map { request in
      try? JSONValue(parsing: request.body ?? [])["events"]?.array?.count
    }
    #expect(counts == [10, 10, 3])
    for request in server.requests {
      #expect(request.header("Authorization") == nil)
      #expect(request.header("IFTTT-SDK-Anonymous-Id") != nil)
    }
    let shown = try shown()
    #expect(shown["waiting"] == 0)
    #expect(shown["last_problem"]?.isNull == true)
    #expect(shown["last_try_at"]?.isNull == false)
  }

  @Test(arguments: [(503, "30", 60), (503, "600", 600), (400, "", 60), (404, "", 60), (401, "", 60)])
  func rejectedEventsStayQueuedAndDelayTheNextAttempt(status: Int, retryAfter: String, pause: Int) throws {
    queue(7)
    let before = try shown()["next"]
    let headers = retryAfter.isEmpty ? [] : [Server.field("Retry-After", retryAfter)]
    #expect(send(Server().answering(status, headers: headers)).exit == .success)
    let shown = try shown()
    #expect(shown["waiting"] == 7)
    #expect(shown["next"] == before)
    #expect(shown["last_problem"]?.string == "IFTTT responded with \(status)")
    #expect(shown["not_before"]?.isNull == false)
    // Later commands start no sender before the pause is over.
    home.wait(.seconds(pause - 1))
    queue(1)
    #expect(home.last?.processes.startedAgain == [])
    home.wait(.seconds(2))
    queue(1)
    #expect(home.last?.processes.startedAgain.count == 1)
  }

  @Test func aNetworkFailureKeepsTheQueue() throws {
    queue(5)
    #expect(send(Server().failing(.connect, "refused")).exit == .success)
    #expect(try shown()["last_problem"]?.string?.contains("refused") == true)
    #expect(try shown()["waiting"] == 5)
  }

  @Test func requestsShareATimeoutOfFiveSeconds() throws {
    queue(30)
    let server = Server().answering(204).answering(204).answering(204)
    server.whileWaiting = { [home] in home.last?.clock.advance(by: .seconds(2)) }
    #expect(send(server).exit == .success)
    #expect(server.limits == [.seconds(5), .seconds(3), .seconds(1)])
    queue(30)
    let slow = Server().answering(204)
    slow.whileWaiting = { [home] in home.last?.clock.advance(by: .seconds(5)) }
    #expect(send(slow).exit == .success)
    #expect(try shown()["waiting"] == 20, "the rest is left to the next sender")
  }

  @Test func onlyOneSenderRunsAtATime() throws {
    queue(5)
    let files = LiveFiles(interruption: TestInterruption())
    let run = try files.lockedAtOnce(home.folder["usage.lock"]) { send(nil) }
    #expect(run?.exit == .success)
    #expect(try shown()["waiting"] == 5)
  }

  @Test(arguments: ["--offline", "--dry-run"]) func offlineAndDryRunSendNothing(option: String) throws {
    queue(5)
    #expect(send(nil, more: option).exit == .success)
    #expect(try shown()["waiting"] == 5)
  }

  @Test(arguments: ["DO_NOT_TRACK", "CI"]) func doNotTrackAndCISendNothing(variable: String) throws {
    queue(5)
    home.environment[variable] = "1"
    #expect(send(nil).exit == .success)
  }

  @Test func turningTelemetryOffEmptiesTheQueue() throws {
    queue(5)
    home.run("privacy off")
    #expect(send(nil).exit == .success)
    home.run("privacy on")
    #expect(try shown()["waiting"] == 0)
    #expect(send(nil).exit == .success)
  }

  /// Events that were recorded for another server, such as a test server, are never sent to IFTTT.
  @Test func eventsAreSentToTheServerTheyWereRecordedFor() throws {
    home.environment["IFTTT_CONNECT_URL"] = "http://127.0.0.1:8080/proxy"
    queue(5)
    home.environment["IFTTT_CONNECT_URL"] = nil
    let server = Server().answering(204)
    #expect(send(server).exit == .success)
    #expect(server.requests.map(\.url.wire) == ["http://127.0.0.1:8080/proxy/v2/sdk/events"])
  }

  /// Otherwise the emulator would receive events meant for IFTTT.
  @Test func eventsAreNeverSentToTheSandbox() throws {
    queue(5)
    home.run("profile use sandbox")
    home.environment["IFTTT_PROFILE"] = "sandbox"
    #expect(send(Server().answering(204)).exit == .success)
    #expect(try shown()["waiting"] == 0)
  }
}
