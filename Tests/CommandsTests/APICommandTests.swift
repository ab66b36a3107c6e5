import HTTP
import ProgramDriver
import Support
import Testing

@testable import Session

/// Any request with the profile's credentials, and never to another host.
@Suite struct APICommandTests {
  @Test func theBodyIsPrintedUnchanged() {
    let body = "{ \"odd\" : 1.0 }"
    let home = Home()
    let server = Server().answering(200, body)
    let shown = home.run("api GET '/v2/me?x=1' --field a=b=c -f 'd=' --json", answers: server)
    #expect(shown.output == body + "\n")
    #expect(server.asked == ["GET connect.ifttt.com/v2/me?x=1&a=b%3Dc&d="])
    #expect(home.run("api v2/me", answers: Server().answering(200, "{}\n")).output == "{}\n")
    #expect(home.run("api v2/me", answers: Server().answering(204)).output == "")
  }

  @Test func theMethodAndTheSlashMayBeOmitted() {
    let expected = "GET connect.ifttt.com/v2/me"
    for line in ["api v2/me", "api /v2/me", "api get v2/me", "api Get /v2/me", "api -X get v2/me"] {
      let server = Server().answering(200, "{}")
      #expect(Home().run(line, answers: server).exit == .success)
      #expect(server.asked == [expected], "\(line)")
    }
    let changed = Server().answering(200, "{}")
    Home().run("api delete v1/x", answers: changed)
    #expect(changed.asked == ["DELETE api.ifttt.com/v1/x"])
    #expect(Home().run("api FETCH v2/me").exit == .usage)
  }

  @Test func typedFieldsKeepTheirTypes() {
    let home = Home()
    home.folder.write("note", "two\nlines \"é\"")
    let server = Server().answering(200, "{}")
    home.run(
      "api post v2/x -F a=true -F b=-1.50e3 -F c=null -F d=text -F e=01 -F f=[1] -F 'g=\"q\"' -f h=true -F i=@\(home.folder["note"]) -F j=",
      answers: server)
    #expect(
      String(decoding: server.requests.first?.body ?? [], as: UTF8.self)
        == #"{"a":true,"b":-1.50e3,"c":null,"d":"text","e":"01","f":"[1]","g":"\"q\"","h":"true","i":"two\nlines \"é\"","j":""}"#
    )
    let query = Server().answering(200, "{}")
    home.run("api v2/x -F a=true -F b=1.50 -F c=null -F d=@-", input: .text("piped"), answers: query)
    #expect(query.asked == ["GET connect.ifttt.com/v2/x?a=true&b=1.50&c=&d=piped"])
    #expect(home.run("api post v2/x -F a=@").exit == .usage)
    #expect(home.run("api post v2/x -F a=@\(home.folder["none"])").exit == .failure)
  }

  @Test func headersAreAddedAndReplaceTheProgramsOwn() {
    let home = Home()
    let server = Server().answering(200, "{}")
    home.run(
      "api post v2/x -f a=b -H 'Accept-Language: de' -H accept:text/plain -H 'Content-Type: application/x'",
      answers: server)
    let request = server.requests.first
    #expect(request?.header("Accept-Language") == "de")
    #expect(request?.header("Accept") == "text/plain")
    #expect(request?.header("Content-Type") == "application/x")
    #expect(request?.headers.count { ["accept", "content-type"].contains($0.name.lowercased()) } == 2)
  }

  /// A credential is never passed as an argument, and none of these is echoed.
  @Test(arguments: [
    "Authorization: Bearer horse-staple", "authorization:horse-staple", "Proxy-Authorization: horse-staple",
    "Cookie: a=horse-staple", "IFTTT-Service-Key: horse-staple", "ifttt-invite-code: horse-staple",
    "X-Api-Key: horse-staple", "X-Auth-Token: horse-staple", "Host: horse-staple", "Content-Length: 12", "no colon",
    ": empty", "bad name: x",
  ])
  func reservedHeadersAreRejected(_ header: String) {
    let home = Home()
    let refused = home.run("api v2/me --json -H '\(header)'")
    #expect(refused.exit == .usage)
    #expect(!refused.errors.contains("horse-staple") || header.hasPrefix("Host"), "\(refused.errors)")
    if header.contains("-Key") || header.contains("uthorization") {
      #expect(refused.errors.contains("--user-token-file"), "\(refused.errors)")
    }
  }

  /// Fields are shown by `-v`, except for values whose names indicate a secret.
  @Test func verboseShowsNoTypedSecret() {
    let shown = Home().run(
      "-v api v2/x -f a=b -f token=horse-staple -H X-Plain:c", answers: Server().answering(200, "{}"))
    #expect(shown.errors.contains("--field a=b: from"))
    #expect(shown.errors.contains("--field token=…: from"))
    #expect(!shown.errors.contains("--field token=horse"))
  }

  @Test func anUnknownPathHasItsOwnHint() {
    func hint(_ path: String) -> String? {
      Home().run("api \(path)", answers: Server().answering(404, Server.error("not_found", "No"))).notes.last
    }
    for path in ["v2/nothing", "/v2/connections", "v2/connections/a/enabel", "v1/services/s/applet?x=1", "/v1/x"] {
      #expect(hint(path)?.hasPrefix("  Check the path: ") == true, "\(path)")
    }
    for path in ["v2/connections/aa", "v2/connections/aa/actions/s.x/run?x", "v1/services/s/applets/x"] {
      #expect(hint(path)?.hasPrefix("  Check the id; ") == true, "\(path)")
    }
  }

  /// Control characters are escaped on a terminal, and only there.
  @Test func aTerminalGetsNoControlCharacters() {
    let body = "{\"a\":\"\u{1b}[2J\u{202e}\u{2066}é\"}\r\n\t<\u{9b}2J>"
    let home = Home()
    #expect(home.run("api v2/me", answers: Server().answering(200, body)).output == body + "\n")
    home.terminal = .interactive()
    let shown = home.run("api v2/me", answers: Server().answering(200, body)).output
    #expect(shown == "{\"a\":\"\\u001b[2J\\u202e\\u2066é\"}\r\n\t<\\u009b2J>\n")
    // The same applies to the output of `--raw`.
    let raw = home.run(
      "connections show aa --raw", answers: Server().answering(200, Server.connection("aa", name: "\u{202e}a")))
    #expect(raw.output.contains(#""name":"\u202ea""#))
  }

  /// As many values as fit in the largest body: none of them is parsed.
  @Test func aBodyThatIsOnlyPrintedIsNotParsed() {
    let body = "{\"n\":[0" + String(repeating: ",0", count: 2_000_000) + "]}"
    let shown = Home().run("api v2/me", answers: Server().answering(200, body))
    #expect(shown.exit == .success)
    #expect(shown.output.utf8.count == body.utf8.count + 1)
    let error = Home().run(
      "api v2/me", answers: Server().answering(200, #"{"a":{"type":"x"},"type":"error","code":"no"}"#))
    #expect(error.exit != .success, "a 2xx response with an error body is an error")
  }

  @Test func fieldsAndFilesBecomeTheBody() {
    let home = Home()
    let fields = Server().answering(200, "{}")
    home.run("api POST /v2/x --field 'a=1' --field 'b=ü\"'", answers: fields)
    #expect(fields.requests.first?.body == Array(#"{"a":"1","b":"ü\""}"#.utf8))
    #expect(fields.requests.first?.header("Content-Type") == "application/json")
    let piped = Server().answering(200, "{}")
    home.run("api PUT /v1/x --input -", input: .text("anything"), answers: piped)
    #expect(piped.asked == ["PUT api.ifttt.com/v1/x"])
    #expect(piped.requests.first?.body == Array("anything".utf8))
    #expect(home.run("api POST /v2/x --input \(home.folder["none"])").exit == .failure)
    #expect(home.run("api POST /v2/x --input - -f a=b").exit == .usage)
    let twice = home.run("api POST /v2/x --input - --user-token-file -", input: .text("token"))
    #expect(twice.exit == .usage)
  }

  @Test func anErrorResponseIsPrintedAndFails() {
    let body = Server.error("not_found", "Nothing here")
    let failed = Home().run("api GET /v2/nothing", answers: Server().answering(404, body))
    #expect(failed.output == body + "\n")
    #expect(
      failed.notes.prefix(2) == [
        "ifttt: no '/v2/nothing', or these credentials cannot access it",
        "  IFTTT responded with 404 not_found: Nothing here",
      ])
    #expect(failed.exit == .notFound)
  }

  @Test(arguments: ["https://evil.example/v2/me", "//evil.example/v2/", "@evil.example/v2/"])
  func onlyPathsAreAccepted(_ path: String) {
    let refused = Home().run("api GET \(path)")
    #expect(refused.exit == .usage)
    #expect(refused.output == "")
    #expect(
      refused.notes.last == "  Pass only the path, such as /v2/me: credentials are sent only to the base URL's host.")
  }

  @Test(arguments: ["/v3/me", "me", "v2", "GET"]) func aPathMustNameItsAPI(_ path: String) {
    let refused = Home().run("api \(path)")
    #expect(refused.exit == .usage)
    #expect(refused.notes.last?.contains("v2/me") == true)
  }

  @Test func aDryRunSendsNothing() {
    let home = Home()
    let plan = home.run("api DELETE /v2/x --dry-run --exit-code -o csv --no-header --fields method,url")
    #expect(plan.output == "DELETE,https://connect.ifttt.com/v2/x\n")
    #expect(plan.exit == .notYet)
    #expect(
      home.run("api GET /v2/x --dry-run --exit-code --fields url").exit == .success, "a GET request changes nothing")
  }

  @Test func theSandboxResponds() {
    let shown = Home().sandbox("api GET /v2/me")
    #expect(shown.output.contains(#""user_login""#))
    #expect(shown.exit == .success)
  }
}
