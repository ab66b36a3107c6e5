import HTTP
import ProgramDriver
import Support
import Testing

@testable import Session

/// `connections wait` run as a command, on a clock that moves only while it sleeps.
@Suite struct WaitTests {
  private static func home() -> Home {
    let home = Home()
    home.environment["IFTTT_USER_TOKEN"] = "token-of-the-tests-0123456789"
    home.secrets.append("token-of-the-tests-0123456789")
    return home
  }

  @Test func pollsUntilTheConditionHolds() {
    let home = Self.home()
    let server = Server().answering(200, Server.connection("aa", status: "disabled"))
      .answering(503).failing(.connect, "connection refused").answering(200, "<html>")
      .answering(200, Server.connection("aa"))
    let run = home.run("connections wait aa --for status=enabled --json --fields id,status", answers: server)
    #expect(run.output == "[\n" + #"{"id":"aa","status":"enabled"}"# + "\n]\n")
    #expect(run.exit == .success)
    #expect(run.errors == "")
    let sleeps = home.last?.clock.sleeps ?? []
    #expect(sleeps.count == 4)
    #expect(zip(sleeps, [5, 10, 20, 40]).allSatisfy { abs($0 / .seconds($1) - 1) <= 0.1 }, "\(sleeps)")
  }

  @Test(
    arguments: [
      (429, "100", 100.0), (503, "Sat, 21 Nov 2026 12:01:40 GMT", 100.0), (503, "0", 10.0), (500, "soon", 10.0),
    ])
  func honorsRetryAfter(_ status: Int, _ wish: String, _ seconds: Double) {
    let home = Self.home()
    let headers = [
      Server.field("Retry-After", wish), Server.field("Date", "Sat, 21 Nov 2026 12:00:00 GMT"),
    ]
    let server = Server().answering(status, "", headers: headers).answering(200, Server.connection("aa"))
    let run = home.run("connections wait aa --for status=enabled -o csv --fields id --no-header", answers: server)
    #expect(run.output == "aa\n")
    let slept = home.last?.clock.sleeps.first ?? .zero
    #expect(slept >= .seconds(seconds * 0.9) && slept <= .seconds(seconds * 1.1), "\(slept)")
  }

  @Test func printsTheCurrentStatusesAtTheTimeout() {
    let home = Self.home()
    let server = Server().answering(200, Server.connection("aa", status: "disabled")).answering(
      200, Server.connection("bb")
    ).answering(200, Server.connection("aa", status: "disabled")).answering(
      200, Server.connection("aa", status: "disabled"))
    let run = home.run(
      "connections wait aa bb --for status=enabled --timeout 8s -o csv --fields id,status --no-header",
      answers: server)
    #expect(run.output == "aa,disabled\nbb,enabled\n")
    #expect(run.exit == .notYet)
    #expect(
      run.errors == """
        ifttt: timed out waiting for 1 of 2 connections
          - aa: status is disabled, expected status=enabled
          Allow more time with --timeout, or check: 'ifttt connections show aa'.

        """)
    #expect(home.last?.clock.sleeps.reduce(.zero, +) == .seconds(7), "the last poll is one second before the timeout")
  }

  /// In the reports, the connections that did not reach the state failed.
  @Test func reportsWhatWasNotReached() {
    let home = Self.home()
    home.environment["GITHUB_ACTIONS"] = "true"
    home.environment["GITHUB_STEP_SUMMARY"] = home.folder["summary.md"]
    home.environment["GITHUB_OUTPUT"] = home.folder["output.txt"]
    let server = Server().answering(200, Server.connection("aa", status: "disabled")).answering(503)
      .answering(200, Server.connection("cc"))
    let run = home.run(
      "connections wait aa bb cc --for status=enabled --timeout 0 --jobs 1 -o csv --fields id --no-header "
        + "--report junit=\(home.folder["report.xml"]) --report summary=\(home.folder["summary.json"])",
      answers: server)
    #expect(run.output == "aa\ncc\n" && run.exit == .notYet, "\(run.errors)")
    let summary = home.folder.text("summary.md") ?? ""
    #expect(summary.contains("1 of 3 done, 2 failed.\n"), "\(summary)")
    #expect(
      summary.contains(
        "| <code>aa</code> | failed&#58; not&#95;yet | <code>status is disabled, expected status&#61;enabled</code> |"),
      "\(summary)")
    #expect(home.folder.text("output.txt") == "total=3\nsucceeded=1\nfailed=2\nskipped=0\nerrors=not_yet\n")
    let report = home.folder.text("report.xml") ?? ""
    #expect(
      report.contains(#"name="ifttt connections wait" tests="3" failures="2" errors="0" skipped="0""#), "\(report)")
    #expect(
      home.folder.text("summary.json")?.contains(#""total":3,"succeeded":1,"failed":2"#) == true)
  }

  @Test func reportsWhatEndsTheWait() {
    let home = Self.home()
    let server = Server().answering(200, Server.connection("aa", status: "disabled")).answering(404)
    let run = home.run(
      "connections wait aa bb --for status=enabled --jobs 1 --report junit=\(home.folder["report.xml"])",
      answers: server)
    #expect(run.exit == .notFound, "\(run.errors)")
    let report = home.folder.text("report.xml") ?? ""
    #expect(
      report.contains(#"failures="1" errors="0" skipped="1""#) && report.contains(#"type="not_found""#), "\(report)")
  }

  /// A short timeout is used in full, not ended after the first poll.
  @Test(arguments: [("1s", 800), ("500ms", 300), ("2", 1600)]) func usesAllOfAShortTimeout(timeout: String, last: Int) {
    let home = Self.home()
    let server = Server().answering(200, Server.connection("aa", status: "disabled"))
      .answering(200, Server.connection("aa"))
    let found = home.run(
      "connections wait aa --for status=Enabled --timeout \(timeout) -o csv --fields status --no-header",
      answers: server)
    #expect(found.output == "enabled\n" && found.exit == .success)
    #expect(home.last?.clock.sleeps == [.milliseconds(last)])
  }

  @Test func anUnknownIDEndsTheWaitImmediately() {
    let home = Self.home()
    let server = Server().answering(200, Server.connection("aa", status: "disabled")).answering(404)
    let run = home.run("connections wait aa bb --for status=enabled --json", answers: server)
    #expect(run.exit == .notFound)
    #expect(home.last?.clock.sleeps == [])
  }

  @Test func rejectedCredentialsEndTheWait() {
    let home = Self.home()
    let run = home.run("connections wait aa --for status=enabled", answers: Server().answering(401))
    #expect(run.exit == .credentials)
    #expect(home.last?.clock.sleeps == [])
  }

  @Test func offlineEndsTheWaitImmediately() {
    let run = Self.home().run("connections wait aa --for status=enabled --offline")
    #expect(run.exit == .unavailable)
    #expect(run.notes.last == "  Omit --offline to use the network.")
  }

  @Test func ctrlCEndsAPause() {
    let home = Self.home()
    let server = Server().answering(200, Server.connection("aa", status: "disabled"))
    home.prepare = { world in world.interruption.interrupt(afterChecks: 3) }
    let run = home.run("connections wait aa --for status=enabled", answers: server)
    #expect(run.exit == .interrupted)
    #expect(run.errors == "ifttt: interrupted\n")
  }

  @Test func printsEachLineAsItsConnectionIsReady() {
    let home = Self.home()
    let server = Server().answering(200, Server.connection("aa", status: "disabled")).answering(
      200, Server.connection("bb")
    ).answering(200, Server.connection("aa"))
    let run = home.run("connections wait aa bb --for status=enabled -o jsonl --fields id", answers: server)
    #expect(run.output == "{\"id\":\"bb\"}\n{\"id\":\"aa\"}\n")
  }

  @Test func aDryRunShowsTheRequests() {
    let run = Self.home().run(
      "connections wait aa aa bb --for status=enabled --dry-run -o csv --fields url --no-header")
    #expect(run.lines == ["aa", "bb"].map { "https://connect.ifttt.com/v2/connections/\($0)" })
    #expect(run.exit == .success)
  }

  @Test func worksOnTheSandbox() {
    let home = Home()
    #expect(home.sandbox("connections wait Kd7Rn2Qx --for status=enabled").lines[1] == "ID:           Kd7Rn2Qx")
    let notYet = home.sandbox("connections wait Xe2Gf9Ln --for status=enabled --timeout 20s -o csv --fields id")
    #expect(notYet.exit == .notYet)
    #expect(home.sandbox("connections wait Nope1234 --for status=enabled").exit == .notFound)
    #expect(home.sandbox("connections wait Kd7Rn2Qx").exit == .usage)
    #expect(home.sandbox("connections wait Kd7Rn2Qx --for status=enabled --interval 10ms").exit == .usage)
  }
}
