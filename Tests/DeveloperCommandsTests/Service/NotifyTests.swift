import HTTP
import JSON
import ProgramDriver
import Support
import Testing

@testable import Session

/// `service notify`: what is sent, in which batches, and what is reported.
@Suite struct NotifyTests {
  private let home = Home()

  init() {
    home.environment["IFTTT_SERVICE_KEY"] = "service-key-0123456789-abcdef"
    home.secrets.append("service-key-0123456789-abcdef")
  }

  private func bodies(_ server: Server) -> [String] {
    server.requests.map { String(decoding: $0.body ?? [], as: UTF8.self) }
  }

  private func lines(_ count: Int) -> ScriptedInput { .text((1...count).map { "id\($0)" }.joined(separator: "\n")) }

  @Test func oneBatchIsSentAndReported() {
    let server = Server().answering(202)
    let run = home.run(
      "service notify --user-id u-1 --trigger-identity 7d1f --user-id u-1 --json", answers: server)
    #expect(run.exit == .success && run.errors == "")
    #expect(server.asked == ["POST realtime.ifttt.com/v1/notifications"])
    #expect(bodies(server) == [#"{"data":[{"trigger_identity":"7d1f"},{"user_id":"u-1"}]}"#])
    let id = server.requests[0].header("X-Request-ID") ?? ""
    #expect(id.utf8.count == 32 && id.allSatisfy { $0.isHexDigit && !$0.isUppercase })
    #expect(
      run.output == """
        [
        {"batch":1,"items":2,"status":"accepted","error":null,"request_id":"\(id)"}
        ]

        """)
  }

  @Test func theEnvironmentsUserIsNotNotified() {
    home.environment["IFTTT_USER_ID"] = "u-9"
    let server = Server().answering(200, "{}")
    home.run("service notify --trigger-identity 7d1f", answers: server)
    #expect(bodies(server) == [#"{"data":[{"trigger_identity":"7d1f"}]}"#])
    #expect(home.run("service notify").exit == .usage)
  }

  @Test func inputIsSplitAtAThousand() throws {
    let server = Server().answering(200, "{}").answering(200).answering(200, "[]")
    let run = home.run(
      "service notify --stdin -o csv --no-header --fields batch,items,status", input: lines(2001),
      answers: server)
    #expect(run.lines == ["1,1000,accepted", "2,1000,accepted", "3,1,accepted"])
    let sent = try bodies(server).map { try JSONValue(parsing: Array($0.utf8))["data"]?.array ?? [] }
    #expect(sent.map(\.count) == [1000, 1000, 1])
    #expect(sent.joined().map { $0["trigger_identity"]?.string } == (1...2001).map { "id\($0)" })
    #expect(Set(server.requests.compactMap { $0.header("X-Request-ID") }).count == 3)
  }

  @Test func jobsLimitsTheRequestsInFlight() {
    let server = Server().answering(200).answering(200).answering(200)
    var most = 0
    server.whileWaiting = { [unowned server] in most = max(most, server.requests.count) }
    home.run("service notify --stdin --jobs 1 -q", input: lines(3000), answers: server)
    #expect(server.requests.count == 3 && server.hasAnsweredAll)
  }

  @Test func aFailedRequestIsRetriedWithTheSameID() {
    let server = Server().answering(503).failing(.broken, "reset", mayHaveArrived: true).answering(200)
    let run = home.run("service notify --user-id u-1 --fields status -o csv --no-header", answers: server)
    #expect(run.exit == .success && run.lines == ["accepted"])
    #expect(server.requests.count == 3)
    #expect(Set(server.requests.compactMap { $0.header("X-Request-ID") }).count == 1)
  }

  @Test func oneFailedBatchDoesNotStopTheOthers() throws {
    let server = Server().answering(200).answering(400, Server.error("bad", "No such thing")).answering(200)
    let run = home.run("service notify --stdin --json --retries 0", input: lines(2500), answers: server)
    #expect(run.exit == .partial)
    let rows = try #require(JSONValue(parsing: Array(run.output.utf8)).array)
    #expect(rows.map { $0["status"]?.string } == ["accepted", "failed", "accepted"])
    #expect(rows[1]["error"]?["status"] == 400)
    #expect(run.errors.contains(#""message":"1 of 3 failed""#) && run.errors.contains(#""parameter":"batch 2""#))
  }

  @Test func aRejectedKeyStopsTheRun() {
    let server = Server().answering(401, Server.error("unauthorized", "No"))
    let run = home.run(
      "service notify --stdin --jobs 1 -o csv --no-header --fields batch,status", input: lines(2500),
      answers: server)
    #expect(run.exit == .credentials)
    #expect(server.requests.count == 1)
    #expect(run.lines == ["1,failed", "2,failed", "3,failed"])
    #expect(run.errors.contains("IFTTT rejected the service key from IFTTT_SERVICE_KEY"))
    #expect(run.errors.contains("Compare it with the key on your service's page"))
  }

  @Test(arguments: [("{\"user_id\":\"\"}\nx", 1), ("x\n\n\"\"\n", 3), ("x\na b", 2)])
  func aBadLineIsReportedBeforeAnythingIsSent(_ input: String, _ line: Int) {
    let run = home.run("service notify --stdin", input: .text(input))
    #expect(run.exit == .usage)
    #expect(run.errors.contains("1 line of stdin cannot be read; nothing was sent\n"))
    #expect(run.errors.contains("  - line \(line): "))
  }

  @Test(arguments: ["", "\n", "# nothing\n\n"]) func emptyInputIsAUsageError(_ input: String) {
    let run = home.run("service notify --stdin", input: .text(input))
    #expect(run.exit == .usage)
    #expect(run.errors.hasPrefix("ifttt: stdin contains no notifications\n"))
  }

  @Test(arguments: [
    "", "--user-id ''", "--trigger-identity ''", "--stdin --user-id u-1", "--stdin --trigger-identity 7d1f",
  ])
  func invalidSelectionsAreUsageErrors(_ options: String) {
    #expect(home.run("service notify \(options)").exit == .usage)
  }

  @Test func manyBadLinesAreSummarized() {
    let input = String(repeating: "{}\n", count: 200_000)
    let run = home.run("service notify --stdin", input: .text(input))
    #expect(run.exit == .usage && run.notes.count == 23)
    #expect(run.errors.contains("  - and 199980 more\n"))
  }

  @Test func theKeyIsNeeded() {
    home.environment = [:]
    let run = home.run("service notify --user-id u-1")
    #expect(run.exit == .credentials)
    #expect(
      run.errors == """
        ifttt: 'service notify' needs a service key
          - service key: pass --service-key-file FILE or set IFTTT_SERVICE_KEY. IFTTT shows it on your service's page https://platform.ifttt.com/services/SLUG/api.
          To store it, run 'ifttt profile set default --service-key-file FILE'.

        """)
  }

  @Test func aDryRunShowsTheRequests() {
    let run = home.run("service notify --stdin --dry-run --fields method,url -o csv --no-header", input: lines(1001))
    #expect(run.exit == .success)
    #expect(run.lines == Array(repeating: "POST,https://realtime.ifttt.com/v1/notifications", count: 2))
    let body = home.run("service notify --user-id u-1 --dry-run --json --fields body")
    #expect(body.output.contains(#"{\"data\":[{\"user_id\":\"u-1\"}]}"#))
  }

  @Test func theBaseURLAndTheReportAreHonored() {
    home.environment["IFTTT_REALTIME_URL"] = "http://127.0.0.1:9/proxy"
    let server = Server().answering(200)
    let report = home.folder["report.xml"]
    home.run("service notify --user-id u-1 --report junit=\(report)", answers: server)
    #expect(server.requests.map(\.url.wire) == ["http://127.0.0.1:9/proxy/v1/notifications"])
    #expect(home.folder.text("report.xml")?.contains("batch 1") == true)
  }

  @Test func aReplayPrintsTheSame() {
    home.environment["TMPDIR"] = home.folder.path
    let words = "service notify --stdin --jobs 1 --json --retries 1"
    let recorded = home.run(
      "\(words) --record \(home.folder["r"])", input: lines(1500),
      answers: Server().answering(503).answering(200).answering(400))
    #expect(recorded.exit == .partial)
    let replayed = home.run("\(words) --replay \(home.folder["r"])", input: lines(1500))
    #expect(replayed.output == recorded.output && replayed.exit == .partial)
    for name in home.folder.names {
      #expect(home.folder.text(name)?.contains("0123456789") != true, "\(name)")
    }
  }

  @Test func theSandboxAcceptsNotifications() {
    home.environment = [:]
    let run = home.sandbox("service notify --stdin -o csv --no-header --fields items,status", input: lines(1500))
    #expect(run.exit == .success && run.lines == ["1000,accepted", "500,accepted"])
  }
}
