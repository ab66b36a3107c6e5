import ProgramDriver
import Support
import Testing

@testable import Session
@testable import Store

/// Which connections are fetched, which are shown as stale, and when the command fails.
@Suite struct ConnectionsListTests {
  @Test func doesNotFetchFreshConnections() {
    let home = Home.tracking("aa", "bb")
    home.wait(.seconds(60))
    let list = home.run("connections list -o csv --fields id,status,stale")
    #expect(list.output == "id,status,stale\naa,enabled,false\nbb,enabled,false\n")
    #expect(list.errors == "")
    #expect(list.exit == .success)
  }

  @Test(arguments: ["csv", "tsv"]) func dataSaysWhichConnectionsArePending(_ format: String) {
    let rows = Home().sandbox("connections list -o \(format)").lines
    let separator = format == "csv" ? "," : "\t"
    #expect(rows.first == ["id", "name", "status", "services.short_name", "pending"].joined(separator: separator))
    #expect(rows.filter { $0.hasSuffix("\(separator)true") }.map { $0.prefix(8) } == ["Yb8Cz3Ve"])
  }

  @Test func fetchesAndCachesStaleConnections() {
    let home = Home.tracking("aa", "bb")
    home.wait(.seconds(61))
    let server = Server().answering(200, Server.connection("aa", status: "disabled"))
      .answering(200, Server.connection("bb", name: "Aardvark"))
    let list = home.run("connections list -o csv --fields name,id,status", answers: server)
    #expect(server.asked == ["GET connect.ifttt.com/v2/connections/aa", "GET connect.ifttt.com/v2/connections/bb"])
    #expect(list.output == "name,id,status\naa,aa,disabled\nAardvark,bb,enabled\n")
    #expect(home.run("connections list -o csv --fields name,id,status").output == list.output)
  }

  @Test(arguments: ["--max-age 0", "--refresh"])
  func fetchesEverythingOnRequest(_ how: String) {
    let home = Home.tracking("aa")
    let server = Server().answering(200, Server.connection("aa", status: "disabled"))
    let list = home.run("connections list \(how) -o csv --fields status,stale --no-header", answers: server)
    #expect(list.output == "disabled,false\n")
    #expect(list.exit == .success)
  }

  @Test func anUnchangedResponseConfirmsTheCachedConnection() {
    let home = Home.tracking("aa", "bb")
    let fields = "-o csv --no-header --fields id,status,stale,fetched_at"
    home.wait(.seconds(120))
    let server = Server().answering(200, Server.connection("aa")).answering(
      200, Server.connection("bb", status: "disabled"))
    let list = home.run("connections list \(fields)", answers: server)
    #expect(server.asked.count == 2)
    #expect(
      list.lines.map { $0.split(separator: ",").dropLast().joined(separator: ",") } == [
        "aa,enabled,false", "bb,disabled,false",
      ])
    #expect(Set(list.lines.compactMap { $0.split(separator: ",").last }).count == 1, "both were fetched now")
    home.wait(.seconds(50))
    #expect(home.run("connections list \(fields)").output == list.output, "neither is stale")
  }

  /// These fields have columns of their own in the cache, so the documents are not read.
  @Test(arguments: [("jsonl", #","url":"#), ("csv", ","), ("tsv", "\t")])
  func fieldsInColumnsHaveTheValuesOfTheDocuments(format: String, lastSeparator: String) {
    let home = Home.tracking("aa", "bb", "cc")
    let names = [#"A \"quoted\\ name"#, #"B \u001b[31mred\u009b\u007f caf\u00e9 名 \ud83d\udca1"#, "C"]
    let server = zip(["aa", "bb", "cc"], names).reduce(Server()) { server, connection in
      server.answering(200, Server.connection(connection.0, name: connection.1, status: "disabled"))
    }
    #expect(home.run("connections list --refresh --quiet", answers: server).exit == .success)
    let all = ["id", "name", "status", "provider", "tracked", "stale", "fetched_at"]
    for fields in [all, all.reversed(), ["name"], ["id", "stale"]] {
      let list = "connections list --offline -o \(format) --no-header --fields \(fields.joined(separator: ","))"
      // The URL is only in the documents. It contains neither separator.
      let documents = home.run("\(list),url").lines.map { line in
        line.prefix(beforeLast: lastSeparator) + (format == "jsonl" ? "}" : "")
      }
      #expect(home.run(list).lines == documents)
      #expect(documents.count == 3)
    }
  }

  /// The document of an unchanged response is not written again. If this test fails, add a migration of the cache that
  /// deletes the documents: otherwise they would keep the old format until IFTTT's response changes.
  @Test func theFormatOfCachedDocumentsBelongsToTheCachesVersion() throws {
    let home = Home.tracking("aa")
    #expect(
      home.run("connections list --offline --json").output == """
        [
        {"id":"aa","name":"aa","description":null,"status":"enabled","pending":false,"provider":"connect","url":null,\
        "enabled_count":null,"primary_service":null,"services":[],"features":[],"configuration":null,\
        "cover_images":null,"tracked":true,"stale":false,"fetched_at":"2026-09-21T14:13:20Z"}
        ]

        """)
  }

  @Test func aLongerMaxAgeAvoidsAFetch() {
    let home = Home.tracking("aa")
    home.wait(.seconds(3600))
    #expect(home.run("connections list --max-age 1h --fields id --no-header").output == "aa\n")
  }

  @Test func showsTheCachedConnectionIfAFetchFails() {
    let home = Home.tracking("aa", "bb")
    home.wait(.seconds(100))
    let server = Server().answering(200, Server.connection("aa")).answering(500, "")
    let list = home.run("connections list -o csv --fields id,stale --no-header", answers: server)
    #expect(list.output == "aa,false\nbb,true\n")
    #expect(list.errors == "'bb' could not be fetched and may be out of date: IFTTT failed: IFTTT responded with 500\n")
    #expect(list.exit == .success)
  }

  @Test func showsDeletedConnectionsFromTheCacheWithOneNote() {
    let home = Home.tracking("aa", "bb", "cc")
    home.wait(.seconds(100))
    let gone = Server.error("not_found", "Connection not found")
    let server = Server().answering(404, gone).answering(200, Server.connection("bb")).answering(404, gone)
    let list = home.run("connections list --json --fields id,stale", answers: server)
    #expect(
      list.output
        == "[\n{\"id\":\"aa\",\"stale\":true},\n{\"id\":\"bb\",\"stale\":false},\n{\"id\":\"cc\",\"stale\":true}\n]\n")
    #expect(
      list.errors == """
        'aa' and 1 more could not be fetched and may be out of date: no connection 'aa', or these credentials cannot access \
        it: IFTTT responded with 404 not_found: Connection not found

        """)
    #expect(list.exit == .success)
    #expect(home.run("-q connections list --offline --json --fields id").errors == "")
  }

  @Test func aFailedFetchIsAFailureWithMaxAgeZero() {
    let home = Home.tracking("aa", "bb")
    home.wait(.seconds(1))
    let server = Server().answering(200, Server.connection("aa")).answering(500, "")
    let list = home.run("connections list --max-age 0 -o csv --fields id,stale --no-header", answers: server)
    #expect(list.output == "aa,false\nbb,true\n")
    #expect(
      list.errors.hasPrefix("ifttt: 1 of 2 failed\n"))
    #expect(list.exit == .partial)
    let dead = Server().answering(500, "").answering(500, "")
    #expect(home.run("connections list --max-age 0", answers: dead).exit == .unavailable)
  }

  @Test(arguments: [401, 403, 404])
  func someFailuresAreAPartialFailure(_ status: Int) {
    for how in ["--max-age 0", "--refresh"] {
      let home = Home.tracking("aa", "bb")
      let server = Server().answering(200, Server.connection("aa")).answering(status, "")
      #expect(home.run("connections list \(how)", answers: server).exit == .partial)
    }
  }

  @Test func aPartlyFailedRefreshIsReported() {
    let home = Home.tracking("aa", "bb")
    let server = Server().answering(200, Server.connection("aa")).answering(500, "")
    let list = home.run("connections list --refresh --fields id --no-header", answers: server)
    #expect(list.output == "aa\nbb\n")
    #expect(
      list.errors == """
        ifttt: 1 of 2 failed
          - bb: IFTTT failed: IFTTT responded with 500
          Try again later; -v shows each request.

        """)
    #expect(list.exit == .partial)
  }

  @Test func failsIfNothingCanBeShown() {
    let home = Home()
    #expect(home.run("--offline connections add aa bb").exit == .success)
    let server = Server().answering(500, "").answering(500, "")
    let list = home.run("connections list --json", answers: server)
    #expect(list.output == "[]\n")
    #expect(list.exit == .unavailable)
    #expect(
      list.errors.hasPrefix(#"{"error":{"code":"server_error","message":"IFTTT failed: IFTTT responded with 500""#))
    let offline = home.run("connections list --offline")
    #expect(offline.exit == .unavailable)
    #expect(
      offline.errors == """
        ifttt: there is nothing to show
          the tracked connections were never fetched
          Run the command without --offline.

        """)
  }

  @Test func offlineShowsTheCache() {
    let home = Home.tracking("aa")
    #expect(home.run("--offline connections add bb").exit == .success)
    home.wait(.seconds(100))
    let list = home.run("connections list --offline -o tsv --fields id,stale --no-header")
    #expect(list.output == "aa\ttrue\n")
    #expect(list.errors == "Not shown: 1 tracked connection, never fetched.\n")
    #expect(list.exit == .success)
    #expect(home.run("connections list --offline --max-age 0").exit == .unavailable)
  }

  @Test func aRejectedTokenFailsDespiteCachedRows() {
    let home = Home.tracking("aa", "bb")
    home.wait(.seconds(100))
    let refusal = Server.error("unauthorized", "Invalid token")
    let list = home.run(
      "connections list --fields id --no-header", answers: Server().answering(401, refusal).answering(401, refusal))
    #expect(list.output == "aa\nbb\n")
    #expect(list.exit == .credentials)
    #expect(list.notes.first == "ifttt: IFTTT rejected the user token from IFTTT_USER_TOKEN")
    #expect(list.notes.count == 3)
  }

  @Test func anEmptyListIsASuccess() {
    let home = Home()
    for (format, empty) in [("json", "[]\n"), ("jsonl", ""), ("csv", ""), ("table", "")] {
      let list = home.run("connections list -o \(format) --fields id")
      #expect(list.output.replacing("id\n", with: "") == empty)
      #expect((list.errors == "") == (format != "table"), "\(list.errors)")
      #expect(list.exit == .success)
    }
    home.terminal = .interactive()
    let seen = home.run("connections list")
    #expect(seen.output == "")
    #expect(seen.errors.hasPrefix("No connections are tracked yet. Add one with 'ifttt connections add ID', or"))
    #expect(home.run("-q connections list").errors == "")
    #expect(home.folder.names == [], "listing creates no files")
  }

  @Test func sortsByNameThenID() {
    let home = Home()
    let server = Server().answering(200, Server.connection("cc", name: "same")).answering(
      200, Server.connection("bb", name: "same")
    )
    .answering(200, Server.connection("aa", name: "zebra")).answering(200, Server.connection("dd", name: "Apple"))
    home.run("connections add cc bb aa dd", answers: server)
    #expect(home.run("connections list --fields id --no-header").output == "dd\nbb\ncc\naa\n")
  }

  @Test func statusFiltersTheList() {
    let home = Home()
    #expect(
      home.sandbox("connections list --status never_enabled -o csv --no-header --fields id").lines == [
        "Mh4Ts7Aq", "Ud6Jn1Gs",
      ])
    let wrong = home.sandbox("connections list --status enabld")
    #expect(wrong.exit == .usage)
    #expect(wrong.notes.first == "ifttt: invalid value 'enabld' for '--status'")
  }

  @Test func anInterruptedListCachesAndShowsWhatItFetched() {
    let home = Home.tracking("aa", "bb")
    home.wait(.seconds(100))
    let server = Server().answering(200, Server.connection("aa", status: "disabled")).answering(
      200, Server.connection("bb"))
    var waits = 0
    home.prepare = { world in
      server.whileWaiting = {
        waits += 1
        if waits == 1 { world.interruption.interrupt() }
      }
    }
    let list = home.run("connections list -o csv --fields id,status,stale --no-header", answers: server)
    #expect(list.output == "aa,disabled,false\nbb,enabled,true\n")
    #expect(list.errors == "ifttt: interrupted\n")
    #expect(list.exit == .interrupted)
  }

  @Test func aDryRunSendsNothing() {
    let home = Home.tracking("aa")
    home.wait(.seconds(100))
    let plan = home.run("connections list --dry-run --exit-code -o csv --fields method,url --no-header")
    #expect(plan.output == "GET,https://connect.ifttt.com/v2/connections/aa\n")
    #expect(plan.errors == "")
    #expect(plan.exit == .success)
  }
}

extension String {
  fileprivate func prefix(beforeLast separator: String) -> String {
    guard let last = ranges(of: separator).last else { return self }
    return String(self[..<last.lowerBound])
  }
}
