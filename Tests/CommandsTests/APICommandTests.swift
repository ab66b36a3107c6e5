import Commands
import HTTP
import Support
import Testing

/// Any request with the profile's credentials, and never to another host.
@Suite struct APICommandTests {
  @Test func theBodyIsPrintedAsItCame() {
    let body = "{ \"odd\" : 1.0 }"
    let home = Home()
    let server = Server().answering(200, body)
    let shown = home.run("api GET '/v2/me?x=1' --field a=b=c -f 'd=' --json", answers: server)
    #expect(shown.output == body)
    #expect(server.asked == ["GET connect.ifttt.com/v2/me?x=1&a=b%3Dc&d="])
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

  @Test func anErrorIsPrintedAndIsAFailure() {
    let body = Server.error("not_found", "Nothing here")
    let failed = Home().run("api GET /v2/nothing", answers: Server().answering(404, body))
    #expect(failed.output == body)
    #expect(
      failed.notes.prefix(2) == [
        "ifttt: no '/v2/nothing', or these credentials may not see it", "  IFTTT answered 404 not_found: Nothing here",
      ])
    #expect(failed.exit == .notFound)
  }

  @Test(arguments: ["https://evil.example/v2/me", "/v3/me", "v2/me", "//evil.example/v2/", "@evil.example/v2/"])
  func onlyPathsAreTaken(_ path: String) {
    let refused = Home().run("api GET \(path)")
    #expect(refused.exit == .usage)
    #expect(refused.output == "")
    #expect(refused.notes.last == "  A full URL is not taken: credentials go only to the base URL's host.")
  }

  @Test func aDryRunSendsNothing() {
    let home = Home()
    let plan = home.run("api DELETE /v2/x --dry-run --exit-code -o csv --no-header --fields method,url")
    #expect(plan.output == "DELETE,https://connect.ifttt.com/v2/x\n")
    #expect(plan.exit == .notYet)
    #expect(home.run("api GET /v2/x --dry-run --exit-code --fields url").exit == .success, "reading changes nothing")
  }

  @Test func theSandboxAnswers() {
    let shown = Home().sandbox("api GET /v2/me")
    #expect(shown.output.contains(#""user_login""#))
    #expect(shown.exit == .success)
  }
}
