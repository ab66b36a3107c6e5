import HTTP
import ProgramDriver
import Support
import Testing

@testable import Session

/// Which changes are sent, skipped or rejected, and the result of each connection in a batch.
@Suite struct EnableDisableTests {
  @Test func rejectsANeverEnabledConnectionBeforeAnyRequest() {
    let home = Home()
    home.environment["IFTTT_USER_TOKEN"] = "token-of-the-tests-0123456789"
    home.run("connections add aa", answers: Server().answering(200, Server.connection("aa", status: "never_enabled")))
    let refused = home.run("connections enable aa")
    #expect(refused.output.contains("never_enabled"))
    #expect(
      refused.errors == """
        ifttt: connection 'aa' was never enabled
          the user must enable it in a browser the first time; IFTTT has no endpoint for this
          Run 'ifttt connections activate aa'.

        """)
    #expect(refused.exit == .failure)
    let forced = home.run("connections enable aa --force --json")
    #expect(forced.exit == .failure, "no request can succeed")
    #expect(forced.errors.hasPrefix(#"{"error":{"code":"never_enabled","#))
  }

  @Test func anEnabledConnectionNeedsNoRequest() {
    let home = Home.tracking("aa")
    let enabled = home.run("connections enable aa --json")
    #expect(
      enabled.output
        == "[\n{\"id\":\"aa\",\"status\":\"enabled\",\"previous_status\":\"enabled\",\"changed\":false,\"error\":null}\n]\n"
    )
    #expect(enabled.errors == "")
    #expect(enabled.exit == .success)
    let server = Server().answering(200, Server.connection("aa"))
    #expect(home.run("connections enable aa --force", answers: server).exit == .success)
    #expect(server.asked == ["POST connect.ifttt.com/v2/connections/aa/enable"])
  }

  @Test func fetchesAnUnknownStatusFirst() {
    let home = Home.tracking("aa")
    home.wait(.seconds(61))
    let server = Server().answering(200, Server.connection("aa")).answering(
      200, Server.connection("aa", status: "disabled"))
    let disabled = home.run(
      "connections disable aa -o csv --no-header --fields id,status,previous_status,changed", answers: server)
    #expect(
      server.asked == ["GET connect.ifttt.com/v2/connections/aa", "POST connect.ifttt.com/v2/connections/aa/disable"])
    #expect(disabled.output == "aa,disabled,enabled,true\n")
    #expect(home.run("connections list --fields status --no-header").output == "disabled\n", "the cache is updated")
  }

  @Test(arguments: ["", "[]", "{}", "ok", #"{"type":"connection","id":"aa","services":[],"features":[]}"#])
  func fetchesAgainAfterAnIncompleteResponse(_ body: String) {
    let home = Home.tracking("aa")
    let server = Server().answering(200, Server.connection("aa")).answering(200, body).answering(
      200, Server.connection("aa", status: "disabled"))
    let disabled = home.run("connections disable aa -o csv --no-header --fields status,changed,error", answers: server)
    #expect(
      server.asked == [
        "GET connect.ifttt.com/v2/connections/aa", "POST connect.ifttt.com/v2/connections/aa/disable",
        "GET connect.ifttt.com/v2/connections/aa",
      ])
    #expect(disabled.output == "disabled,true,\n")
    #expect(disabled.exit == .success)
  }

  @Test func fetchesAgainAfterEachIncompleteResponse() {
    let home = Home.tracking("aa", "bb", "cc")
    let server = Server.fetching("aa", "bb", "cc").answering(204)
      .answering(200, Server.connection("bb", status: "disabled")).answering(204)
      .answering(200, Server.connection("aa", status: "disabled")).answering(
        200, Server.connection("cc", status: "disabled"))
    let disabled = home.run("connections disable aa bb cc -o csv --no-header --fields id,status", answers: server)
    #expect(disabled.output == "aa,disabled\nbb,disabled\ncc,disabled\n")
    let changes = server.asked.filter { $0.hasPrefix("POST") }
    #expect(changes == ["aa", "bb", "cc"].map { "POST connect.ifttt.com/v2/connections/\($0)/disable" })
    let reads = ["aa", "bb", "cc", "aa", "cc"].map { "GET connect.ifttt.com/v2/connections/\($0)" }
    #expect(server.asked.filter { $0.hasPrefix("GET") } == reads)
    #expect(disabled.exit == .success)
  }

  /// A response that shows no effect is followed by one GET, because it may be older than the change.
  @Test func aChangeWithoutEffectFails() {
    let home = Home.tracking("aa")
    let server = Server.fetching("aa", "aa", "aa")
    let disabled = home.run("connections disable aa -o csv --no-header --fields status,changed", answers: server)
    #expect(
      server.asked == [
        "GET connect.ifttt.com/v2/connections/aa", "POST connect.ifttt.com/v2/connections/aa/disable",
        "GET connect.ifttt.com/v2/connections/aa",
      ])
    #expect(disabled.output == "enabled,false\n")
    #expect(disabled.exit == .failure)
    #expect(disabled.notes.first == "ifttt: connection 'aa' is still enabled")
  }

  @Test func reportsAnUnknownResultIfTheFetchFails() {
    let home = Home.tracking("aa")
    let server = Server.fetching("aa").answering(204).answering(500)
    let disabled = home.run(
      "connections disable aa -o csv --no-header --fields status,previous_status", answers: server)
    #expect(disabled.output == "unknown,enabled\n")
    #expect(disabled.notes.first == "ifttt: IFTTT accepted the change, but its effect is unknown: IFTTT failed")
    #expect(disabled.exit == .unavailable)
  }

  @Test func oneFailureDoesNotStopTheRest() {
    let home = Home()
    let run = home.sandbox("connections disable nope Kd7Rn2Qx Xe2Gf9Ln --json --fields id,status,changed,error.code")
    #expect(
      run.lines == [
        "[", #"{"id":"nope","status":"unknown","changed":false,"error.code":"not_found"},"#,
        #"{"id":"Kd7Rn2Qx","status":"disabled","changed":true,"error.code":null},"#,
        #"{"id":"Xe2Gf9Ln","status":"disabled","changed":false,"error.code":null}"#, "]",
      ])
    #expect(run.exit == .partial)
    #expect(run.errors.hasPrefix(#"{"error":{"code":"partial","message":"1 of 3 failed","#))
    #expect(home.sandbox("connections list --status disabled --fields id --no-header").lines.contains("Kd7Rn2Qx"))
  }

  @Test func aSingleFailureHasARowAndItsOwnExitCode() {
    let run = Home().sandbox("connections enable nope -o csv --no-header --fields id,status,error.code")
    #expect(run.output == "nope,unknown,not_found\n")
    #expect(run.exit == .notFound)
    #expect(run.notes.first == "ifttt: no connection 'nope', or these credentials cannot access it")
  }

  @Test func jsonlPrintsEachResultImmediately() {
    let home = Home.tracking("aa", "bb")
    let server = Server.fetching("aa", "bb").answering(200, Server.connection("aa", status: "disabled")).answering(
      200, Server.connection("bb", status: "disabled"))
    var seen: [String] = []
    home.prepare = { world in server.whileWaiting = { seen.append(world.output.text) } }
    let run = home.run("connections disable aa bb -o jsonl --fields id", answers: server)
    #expect(seen == ["", "", "", "{\"id\":\"aa\"}\n"], "both are read before anything is sent")
    #expect(run.output == "{\"id\":\"aa\"}\n{\"id\":\"bb\"}\n")
  }

  @Test(arguments: ["json", "jsonl", "csv"])
  func anInterruptedRunPrintsItsResults(_ format: String) {
    let home = Home.tracking("aa", "bb", "cc")
    let server = Server.fetching("aa", "bb", "cc").answering(200, Server.connection("aa", status: "disabled"))
      .answering(200)
    var isInterrupted = false
    home.prepare = { world in
      server.whileWaiting = {
        guard !isInterrupted, server.requests.contains(where: { $0.method == .post }) else { return }
        isInterrupted = true
        world.interruption.interrupt()
      }
    }
    let run = home.run(
      "--jobs 2 connections disable aa bb cc --no-header --fields id,status -o \(format)", answers: server)
    // The request for 'bb' was sent, and may have arrived.
    let (known, sent) = (#"{"id":"aa","status":"disabled"}"#, #"{"id":"bb","status":"unknown"}"#)
    #expect(
      run.output
        == [
          "json": "[\n\(known),\n\(sent)\n]\n", "jsonl": "\(known)\n\(sent)\n", "csv": "aa,disabled\nbb,unknown\n",
        ][format])
    #expect(server.asked.count == 5, "no further request is sent")
    #expect(run.exit == .interrupted)
    #expect(
      run.errors
        == (format == "csv"
          ? "ifttt: interrupted\n  Resume with 'ifttt connections disable --resume'.\n"
          : #"{"error":{"code":"interrupted","message":"interrupted","hint":"Resume with 'ifttt connections disable "#
            + #"--resume'.","status":null,"details":[],"exit_code":130,"request_id":null,"attempts":null,"#
            + #""retry_after":null}}"# + "\n"))
  }

  /// Nothing was sent, so there are no rows and nothing to resume.
  @Test(arguments: ["json", "jsonl", "csv"])
  func anInterruptionWhileReadingSendsNothing(_ format: String) {
    let home = Home.tracking("aa", "bb")
    let server = Server.fetching("aa", "bb")
    var isInterrupted = false
    home.prepare = { world in
      server.whileWaiting = {
        guard !isInterrupted else { return }
        isInterrupted = true
        world.interruption.interrupt()
      }
    }
    let run = home.run("connections disable aa bb --no-header --fields id,status -o \(format)", answers: server)
    #expect(run.output == "")
    #expect(!run.errors.contains("--resume"))
    #expect(run.exit == .interrupted)
    #expect(server.requests.allSatisfy { $0.method == .get })
    home.prepare = { _ in }
    #expect(home.run("connections disable --resume").exit == .notFound)
  }

  @Test func aDryRunShowsTheRequests() {
    let home = Home()
    home.sandbox("connections list")
    let line = "connections disable Kd7Rn2Qx Xe2Gf9Ln --dry-run --exit-code --json"
    let plan = home.sandbox("\(line) --fields id,provider,user_id,before.status,after.status,requests")
    #expect(
      plan.lines == [
        "[",
        #"{"id":"Kd7Rn2Qx","provider":null,"user_id":null,"before.status":"enabled","after.status":"disabled","#
          + #""requests":[{"method":"POST","url":"https://connect.ifttt.com/v2/connections/Kd7Rn2Qx/disable","#
          + #""headers":{"Accept":"application/json","Authorization":"Bearer Zq8v…VwBk","IFTTT-Invite-Code":"…"},"#
          + #""body":null}]},"#,
        #"{"id":"Xe2Gf9Ln","provider":null,"user_id":null,"before.status":"disabled","after.status":"disabled","#
          + #""requests":[]}"#,
        "]",
      ])
    #expect(plan.exit == .notYet)
    let whole = home.sandbox(line).output
    for (key, status) in [("before", "enabled"), ("after", "disabled")] {
      #expect(whole.contains(#""\#(key)":{"status":"\#(status)","fields":{"mw4tq9hzjc.scene":"Night","#))
    }
    #expect(home.sandbox("connections disable Kd7Rn2Qx --dry-run").exit == .success)
    let none = home.sandbox("connections disable Xe2Gf9Ln --dry-run --exit-code")
    #expect(none.exit == .success)
    #expect(none.errors == "Nothing would be sent.\n")
    let never = home.sandbox(
      "connections enable Ud6Jn1Gs Xe2Gf9Ln --dry-run --fields requests.0.url -o csv --no-header")
    #expect(never.output == "https://connect.ifttt.com/v2/connections/Xe2Gf9Ln/enable\n")
    #expect(never.exit == .partial)
    #expect(home.sandbox("connections enable Ud6Jn1Gs --dry-run").exit == .failure)
    #expect(
      home.sandbox("connections list --status disabled --fields id --no-header").lines == ["Xe2Gf9Ln", "pT5vXb2M"])
  }

  /// The table has the status before and after, and stderr the differences.
  @Test func aDryRunShowsTheStatusBeforeAndAfter() {
    let home = Home()
    home.environment["IFTTT_USER_TOKEN"] = "token-of-the-tests-0123456789"
    let server = Server().answering(200, Server.connection("aa", name: "Rain")).answering(
      200, Server.connection("bb", status: "disabled"))
    let plan = home.run("connections disable aa bb --dry-run --exit-code", answers: server)
    #expect(
      plan.lines == ["ID  BEFORE    AFTER", "aa  enabled   disabled", "bb  disabled  disabled"],
      "an unchanged connection has a row too")
    #expect(plan.notes == ["aa  Rain", "  ~ status: enabled → disabled", "ifttt: something would change"])
    #expect(plan.exit == .notYet)
    #expect(server.requests.allSatisfy { $0.method == .get })
    #expect(home.folder.names == [], "fetched data is not stored")
    let none = home.run(
      "connections enable aa --dry-run --exit-code", answers: Server().answering(200, Server.connection("aa")))
    #expect(none.lines.last == "aa  enabled  enabled")
    #expect(none.errors == "Nothing would be sent.\n")
    #expect(none.exit == .success)
    let unseen = home.run("connections enable aa --dry-run --offline")
    #expect(unseen.notes == ["aa", "  ~ status: unknown → enabled"])
    #expect(unseen.lines == ["ID  BEFORE   AFTER", "aa  unknown  enabled"])
    #expect(unseen.exit == .success)
    let gone = home.run(
      "connections enable aa --dry-run", answers: Server().answering(404, Server.error("not_found", "gone")))
    #expect(gone.exit == .notFound)
  }

  @Test func requiresAUserToken() {
    let home = Home()
    let missing = home.run("connections enable aa")
    #expect(
      missing.errors == """
        ifttt: 'connections enable' needs a user token
          - user token: pass --user-token-file FILE or set IFTTT_USER_TOKEN. IFTTT issues it for one user; no IFTTT page shows it.
          Get and store a user token with 'ifttt token exchange', or store one that you have with 'ifttt token set'.

        """)
    #expect(missing.exit == .credentials)
    #expect(home.run("connections enable aa --as service").exit == .credentials)
  }

  @Test func theSandboxKeepsTheStatusBetweenRuns() {
    let home = Home()
    #expect(home.sandbox("connections enable Xe2Gf9Ln --fields status --no-header").output == "enabled\n")
    #expect(home.sandbox("connections show Xe2Gf9Ln -o csv --no-header --fields status").output == "enabled\n")
    #expect(
      home.sandbox("connections disable Xe2Gf9Ln -o csv --no-header --fields status,previous_status").output
        == "disabled,enabled\n")
  }
}

extension Server {
  /// The responses to reading these connections, which are enabled.
  fileprivate static func fetching(_ ids: String...) -> Server {
    ids.reduce(Server()) { $0.answering(200, Server.connection($1)) }
  }
}
