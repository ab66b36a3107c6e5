import HTTP
import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// `connections watch` run as a command, on a clock that moves only while it sleeps.
@Suite struct WatchTests {
  private static func home() -> Home {
    let home = Home()
    home.environment["IFTTT_USER_TOKEN"] = "token-of-the-tests-0123456789"
    home.secrets.append("token-of-the-tests-0123456789")
    return home
  }

  /// A server that returns one connection with these statuses, one per round.
  private static func server(_ statuses: String...) -> Server {
    statuses.reduce(Server()) { $0.answering(200, Server.connection("aa", name: "Lamp", status: $1)) }
  }

  @Test(arguments: ["-o jsonl", ""]) func printsOneLinePerChange(_ format: String) {
    let home = Self.home()
    let run = home.run(
      "connections watch aa --count 2 --fields id,kind,before.status,after.status \(format)",
      answers: Self.server("enabled", "enabled", "disabled", "enabled"))
    #expect(
      run.lines == [
        #"{"id":"aa","kind":"status","before.status":"enabled","after.status":"disabled"}"#,
        #"{"id":"aa","kind":"status","before.status":"disabled","after.status":"enabled"}"#,
      ])
    #expect(run.errors == "")
    #expect(run.exit == .success)
  }

  /// JSON is one document, whenever and however the watch ends.
  @Test func jsonIsOneArray() throws {
    let options = "--fields after.status --json"
    let run = Self.home().run(
      "connections watch aa --count 2 \(options)", answers: Self.server("enabled", "disabled", "enabled"))
    #expect(run.output == "[\n{\"after.status\":\"disabled\"},\n{\"after.status\":\"enabled\"}\n]\n")
    #expect(
      Self.home().run("connections watch aa --timeout 0 \(options)", answers: Self.server("enabled")).output == "[]\n")
    var outputs: Set<String> = []
    for checks in 1..<16 {
      let home = Home()
      home.prepare = { test in test.interruption.interrupt(afterChecks: checks) }
      let run = home.sandbox("connections watch Kd7Rn2Qx --initial \(options)")
      #expect(run.exit == .interrupted)
      // Nothing is printed before the first request.
      if run.output != "" { outputs.insert(run.output) }
    }
    let one = "[\n{\"after.status\":\"enabled\"}\n]\n"
    #expect(outputs.contains(one) && outputs.isSubset(of: ["[]\n", one]))
  }

  @Test func printsEachLineImmediately() {
    for format in ["csv", "jsonl"] {
      let home = Self.home()
      let server = Self.server("enabled", "disabled", "enabled")
      var seen: [Int] = []
      home.prepare = { world in
        server.whileWaiting = { seen.append(world.output.text.split(separator: "\n").count) }
      }
      home.run("connections watch aa --count 2 --no-header -o \(format)", answers: server)
      #expect(seen == [0, 0, 1])
    }
  }

  @Test func tooFewChangesBeforeTheTimeoutFail() {
    let home = Self.home()
    let run = home.run(
      "connections watch aa --count 2 --timeout 8 --fields after.status -o jsonl",
      answers: Self.server("enabled", "disabled", "disabled"))
    #expect(run.lines == [#"{"after.status":"disabled"}"#])
    #expect(run.exit == .notYet && run.errors.contains(#""code":"not_yet""#))
    let none = Self.home().run("connections watch aa --count 1 --timeout 0", answers: Self.server("enabled"))
    #expect(none.exit == .notYet && none.notes.first == "ifttt: timed out after 0 of 1 change")
    #expect(Self.home().run("connections watch aa --timeout 0", answers: Self.server("enabled")).exit == .success)
  }

  /// Equivalent spellings of the same JSON value.
  @Test func anotherSpellingIsNotAChange() {
    func connection(_ radius: String) -> String {
      #"""
      {"type":"connection","id":"aa","name":"Lamp","user_status":"enabled","user_connection":{"user_features":[
      {"id":"u","feature_id":"f","user_fields":[{"field_id":"x","value":{"lat":1,"lng":2,"radius":\#(radius)}}]}]}}
      """#
    }
    let server = Server().answering(200, connection("300")).answering(200, connection("300.0"))
      .answering(200, connection(#""3e2""#)).answering(200, connection("301"))
    let run = Self.home().run("connections watch aa --count 1 --fields kind -o jsonl", answers: server)
    #expect(run.lines == [#"{"kind":"configuration"}"#] && server.requests.count == 4)
  }

  @Test func initialPrintsTheInitialState() {
    let run = Home().sandbox("connections watch --initial --timeout 0 -o csv --no-header --fields id,kind,after.status")
    #expect(run.lines.contains("Kd7Rn2Qx,present,enabled"))
    #expect(run.lines.count == 9)
    let whole = Home().sandbox("connections watch --initial --timeout 0 -o tsv")
    #expect(whole.lines.first?.hasSuffix("before.pending\tafter.pending") == true)
    #expect(whole.lines.contains { $0.contains("\tYb8Cz3Ve\t") && $0.hasSuffix("\ttrue") }, "\(whole.output)")
    #expect(Home().sandbox("connections watch --timeout 0").output == "")
  }

  @Test func notesFailuresAndRecovers() {
    let home = Self.home()
    let server = Self.server("enabled").answering(500).answering(502)
      .answering(200, Server.connection("aa", status: "disabled")).answering(200, Server.connection("aa"))
    let run = home.run("connections watch aa --count 2 --fields after.status -o jsonl", answers: server)
    #expect(run.lines == [#"{"after.status":"disabled"}"#, #"{"after.status":"enabled"}"#])
    #expect(
      run.notes == [
        "Polling failed; retrying: IFTTT failed: IFTTT responded with 500", "IFTTT responds again.",
      ])
    #expect(run.exit == .success)
  }

  @Test func cachesTheChangesOfATrackedConnection() {
    let home = Home.tracking("aa")
    let server = Server().answering(200, Server.connection("aa")).answering(404)
      .answering(200, Server.connection("aa", status: "disabled"))
    let run = home.run("connections watch --count 2 --fields id,kind -o jsonl", answers: server)
    #expect(run.lines == [#"{"id":"aa","kind":"gone"}"#, #"{"id":"aa","kind":"appeared"}"#])
    #expect(
      home.run("connections list --fields status --no-header --offline").output == "disabled\n", "the cache is updated")
  }

  @Test func anUnknownIDOrRejectedCredentialsEndTheWatch() {
    #expect(Self.home().run("connections watch aa", answers: Server().answering(404)).exit == .notFound)
    #expect(Self.home().run("connections watch aa", answers: Server().answering(401)).exit == .credentials)
    let late = Self.home().run("connections watch aa", answers: Self.server("enabled").answering(401))
    #expect(late.exit == .credentials)
    let nothing = Self.home().run("connections watch aa --timeout 0 -q", answers: Server().answering(500))
    #expect(nothing.exit == .unavailable)
  }

  @Test func ctrlCEndsTheWatch() {
    let home = Self.home()
    let server = Self.server("enabled")
    home.prepare = { world in world.interruption.interrupt(afterChecks: 2) }
    let run = home.run("connections watch aa", answers: server)
    #expect(run.exit == .interrupted)
    #expect(run.output == "")
  }

  @Test func aClosedPipeEndsTheWatch() {
    let home = Self.home()
    home.prepare = { $0.output.failure = (after: 0, error: SystemError(number: 32, call: "write")) }
    let run = home.run("connections watch aa --initial", answers: Self.server("enabled"))
    #expect(run.exit == .success)
    #expect(run.errors == "")
  }

  @Test func aDryRunShowsTheRequests() {
    let run = Self.home().run("connections watch aa --dry-run -o csv --fields method,url --no-header")
    #expect(run.output == "GET,https://connect.ifttt.com/v2/connections/aa\n")
  }

  @Test func anEmptyTrackedListIsReported() {
    let run = Self.home().run("connections watch --timeout 0")
    #expect(run.errors.hasPrefix("No connections are tracked yet. Add one with 'ifttt connections add ID', or"))
    #expect(run.notes.count == 1)
    #expect(run.exit == .success)
  }
}
