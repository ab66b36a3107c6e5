import ProgramDriver
import Support
import Testing

@testable import Session

/// One or several connections in full, tracked or not, from IFTTT or from the cache.
@Suite struct ConnectionsShowTests {
  @Test func oneConnectionIsOneObject() {
    let shown = Home().sandbox("connections show Kd7Rn2Qx --json --fields id,status,tracked,stale,pending,provider")
    #expect(
      shown.output
        == #"{"id":"Kd7Rn2Qx","status":"enabled","tracked":true,"stale":false,"pending":false,"provider":"connect"}"#
        + "\n")
    #expect(shown.errors == "")
    #expect(shown.exit == .success)
  }

  @Test func severalAreAnArrayInOrderWithoutDuplicates() {
    let shown = Home().sandbox("connections show Rw9Ky4Hc Kd7Rn2Qx Rw9Ky4Hc --json --fields id")
    #expect(shown.output == "[\n{\"id\":\"Rw9Ky4Hc\"},\n{\"id\":\"Kd7Rn2Qx\"}\n]\n")
  }

  @Test func anUnknownIDIsNotFound() {
    let home = Home()
    let shown = home.sandbox("connections show nope")
    #expect(shown.output == "")
    #expect(
      shown.errors == """
        ifttt: no connection 'nope', or these credentials cannot access it
          IFTTT responded with 404 not_found: Unknown connection id
          Check the id; an unpublished service needs --invite-code.

        """)
    #expect(shown.exit == .notFound)
    let json = home.sandbox("connections show nope --json")
    #expect(json.output == "")
    #expect(json.exit == .notFound)
    #expect(
      json.errors
        == #"{"error":{"code":"not_found","message":"no connection 'nope', or these credentials cannot access it: "#
        + #"IFTTT responded with 404 not_found: Unknown connection id","hint":"Check the id; an unpublished service needs "#
        + #"--invite-code.","status":404,"details":[],"exit_code":3,"request_id":"sandbox-00000002","#
        + #""attempts":1,"retry_after":null}}"# + "\n")
    #expect(home.sandbox("connections list --json --fields id").lines.count == 11, "the unknown id is not tracked")
  }

  @Test func printsTheConnectionsThatWereFound() {
    let shown = Home().sandbox("connections show nope Kd7Rn2Qx -o csv --fields id,name")
    #expect(shown.output == "id,name\nKd7Rn2Qx,Lamps dim at low tide\n")
    #expect(
      shown.errors == """
        ifttt: 1 of 2 failed
          - nope: no connection 'nope', or these credentials cannot access it: IFTTT responded with 404 not_found: Unknown connection id
          Check the id; an unpublished service needs --invite-code.

        """)
    #expect(shown.exit == .partial)
  }

  @Test func aCommonFailureDeterminesTheExitCode() {
    let shown = Home().sandbox("connections show nope nada --json")
    #expect(shown.output == "[]\n")
    #expect(shown.exit == .notFound)
    #expect(shown.errors.hasPrefix(#"{"error":{"code":"not_found","message":"all 2 failed","#))
    #expect(shown.errors.contains(#"{"parameter":"nada","message":"no connection 'nada'"#))
  }

  @Test func tracksAConnectionOnlyIfAsked() {
    let home = Home()
    let one = { Server().answering(200, Server.connection("aa")) }
    let untracked = home.run("connections show aa --json --fields tracked", answers: one())
    #expect(untracked.output == "{\"tracked\":false}\n" && untracked.errors == "")
    #expect(home.run("connections list --json").output == "[]\n")
    let tracked = home.run("connections show aa --track --json --fields tracked", answers: one())
    #expect(tracked.output == "{\"tracked\":true}\n")
    #expect(home.run("connections list --fields id --no-header").output == "aa\n")
    let again = home.run("connections show aa --json --fields tracked", answers: one())
    #expect(again.output == "{\"tracked\":true}\n", "the connection remains tracked")
  }

  @Test func aPersonIsOfferedToTrackOnce() {
    let home = Home()
    let one = { Server().answering(200, Server.connection("aa")) }
    #expect(home.run("connections show aa", answers: one()).errors == "", "not in a pipe")
    home.terminal = .interactive()
    home.environment["NO_COLOR"] = "1"
    let offer = "It is not in your list yet. To track: ifttt connections add aa"
    #expect(home.run("connections show aa", answers: one()).errors.ranges(of: offer).count == 1)
    #expect(!home.run("connections show aa --quiet", answers: one()).errors.contains("To track"))
    let two = home.run(
      "connections show aa bb", answers: one().answering(200, Server.connection("bb")))
    #expect(two.errors.contains("2 of them are not in your list yet. To track: ifttt connections add aa bb"))
    #expect(!home.run("connections show aa --track", answers: one()).errors.contains("To track"))
    #expect(!home.run("connections show aa", answers: one()).errors.contains("To track"), "tracked by now")
  }

  @Test func rawPrintsTheExactResponse() {
    let odd = "{ \"type\":\"connection\",\n\t\"id\" : \"aa\", \"n\\u0061me\": \"A\", \"new\": 1.50 }  "
    let shown = Home().run("connections show aa --raw", answers: Server().answering(200, odd))
    #expect(shown.output == odd)
    let two = Home().sandbox("connections show aa bb --raw")
    #expect(two.exit == .usage)
    #expect(two.notes.first == "ifttt: --raw accepts exactly one id")
  }

  @Test func offlineShowsTheCache() {
    let home = Home.tracking("aa")
    let raw = Server.connection("aa")
    #expect(home.run("--offline connections show aa --raw").output == raw)
    #expect(
      home.run("--offline connections show aa --json --fields id,stale").output == "{\"id\":\"aa\",\"stale\":true}\n")
    let unseen = home.run("--offline connections show bb")
    #expect(unseen.errors == "ifttt: connection 'bb' was never fetched\n  Run the command without --offline.\n")
    #expect(unseen.exit == .notFound)
  }

  @Test func escapesHostileTextInTablesAndCards() {
    let evil = #"\u001b]0;owned\u0007\u202eevil\u009b31m\u0000"#
    let answer = { Server().answering(200, Server.connection("aa", name: evil)) }
    let home = Home()
    for line in ["connections show aa --track", "connections show aa --fields name", "connections show aa -o csv"] {
      let shown = home.run(line, answers: answer())
      #expect(
        shown.output.unicodeScalars.allSatisfy { $0 == "\n" || ($0.value >= 0x20 && !(0x7f...0x9f ~= $0.value)) }
          || line.hasSuffix("csv"))
      #expect(shown.exit == .success)
    }
    let json = home.run("connections show aa --json --fields name", answers: answer())
    #expect(!json.output.utf8.contains(0x1b))
    #expect(json.output.hasPrefix(#"{"name":"\u001b]0;owned\u0007"#))
    home.wait(.seconds(100))
    let gone = Server.error("not_found", evil)
    let list = home.run("connections list", answers: Server().answering(404, gone))
    for text in [list.output, list.errors] {
      #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || ($0.value >= 0x20 && !(0x7f...0x9f ~= $0.value)) })
    }
    #expect(list.errors.contains(#"\u{1b}]0;owned"#) || list.errors.contains(#"\x1b]0;owned"#))
  }

  @Test func rejectsAResponseForAnotherConnection() {
    let shown = Home().run("connections show aa", answers: Server().answering(200, Server.connection("bb")))
    #expect(shown.output == "")
    #expect(shown.exit == .unavailable)
    #expect(shown.notes[1].hasPrefix("  it is not the requested connection; it begins: {"))
  }

  @Test func aDryRunNeitherSendsNorTracks() {
    let home = Home()
    let plan = home.run("connections show aa bb --track --dry-run --fields method,url -o tsv --no-header")
    #expect(
      plan.lines == [
        "GET\thttps://connect.ifttt.com/v2/connections/aa", "GET\thttps://connect.ifttt.com/v2/connections/bb",
      ])
    #expect(plan.notes == ["Would track aa, bb."])
    #expect(home.folder.names == [])
    #expect(home.run("connections show aa --track --dry-run --exit-code").exit == .notYet)
    #expect(home.run("connections show aa --dry-run --exit-code").exit == .success)
    #expect(Home.tracking("aa").run("connections show aa --track --dry-run --exit-code").exit == .success)
  }
}
