import HTTP
import ProgramDriver
import Support
import Testing

@testable import Session

/// Enabling and disabling Applets: the fetches, the requests sent, and the changes rejected before.
@Suite struct AppletChangeTests {
  private static func applet(_ id: String, _ status: String?) -> String {
    let status = status.map { "\"\($0)\"" } ?? "null"
    return #"{"type":"applet","id":"\#(id)","name":"\#(id)","user_status":\#(status),"services":[]}"#
  }

  private static func home(_ environment: [String: String] = [:]) -> Home {
    let home = Home()
    home.environment = ["IFTTT_USER_TOKEN": "token-of-the-tests-0123456789", "IFTTT_SERVICE": "lampost"]
      .merging(environment) { $1 }
    home.secrets += ["token-of-the-tests-0123456789", "key-of-the-tests-0123456789"]
    return home
  }

  @Test func appletsAreDisabledAndEnabledInTheSandbox() {
    let home = Home()
    let off = home.sandbox(
      "applets disable mB3xWq7T vL2sJy9D -o csv --no-header --fields id,status,previous_status,changed")
    #expect(off.output == "mB3xWq7T,disabled,enabled,true\nvL2sJy9D,disabled,disabled,false\n")
    #expect(off.exit == .success)
    #expect(home.sandbox("applets fetch mB3xWq7T --fields status -o csv --no-header").output == "disabled\n")
    let on = home.sandbox("applets enable mB3xWq7T --json")
    #expect(
      on.output
        == "[\n{\"id\":\"mB3xWq7T\",\"status\":\"enabled\",\"previous_status\":\"disabled\",\"changed\":true,\"error\":null}\n]\n"
    )
  }

  @Test func aServiceKeySendsTheUserInTheBody() {
    let home = Home()
    let line = "applets disable gZ6pFw4X --as service --user-id u-5521 -o csv --no-header --fields status"
    #expect(home.sandbox(line).output == "disabled\n")
    let plan = Self.home(["IFTTT_USER_TOKEN": "", "IFTTT_SERVICE_KEY": "key-of-the-tests-0123456789"])
      .run(
        "applets enable aa --user-id 'u \"1\"' --dry-run --exit-code -o jsonl",
        answers: Server().answering(200, Self.applet("aa", "disabled")))
    let states = #""before":{"status":"disabled","fields":{}},"after":{"status":"enabled","fields":{}},"requests":"#
    let url = "https://api.ifttt.com/v1/services/lampost/applets/aa/enable"
    #expect(plan.lines.count == 1)
    #expect(plan.output.contains(states + #"[{"method":"POST","url":"\#(url)","#), "\(plan.output)")
    #expect(plan.output.contains(#""body":"{\"user_id\":\"u \\\"1\\\"\"}""#), "\(plan.output)")
    #expect(plan.exit == .notYet)
  }

  @Test func anUnchangedStatusSendsNothing() {
    let server = Server().answering(200, Self.applet("aa", "enabled"))
    let run = Self.home().run("applets enable aa -o csv --no-header --fields status,changed", answers: server)
    #expect(server.asked == ["GET api.ifttt.com/v1/services/lampost/applets/aa"])
    #expect(run.output == "enabled,false\n")
    let never = Self.home().run(
      "applets disable aa", answers: Server().answering(200, Self.applet("aa", "never_enabled")))
    #expect(never.exit == .success)
  }

  @Test(arguments: [
    ("enable", "enabled", ExitCode.success), ("disable", "disabled", .success), ("enable", "never_enabled", .failure),
  ])
  func dryRunListsNoRequestThatWouldNotBeSent(_ verb: String, _ status: String, _ exit: ExitCode) {
    let server = Server().answering(200, Self.applet("aa", status))
    let run = Self.home().run("applets \(verb) aa --dry-run --exit-code --json", answers: server)
    #expect(run.exit == exit)
    let state = #"{"status":"\#(status)","fields":{}}"#
    let row = #"{"id":"aa","provider":null,"user_id":null,"before":\#(state),"after":\#(state),"requests":[]}"#
    #expect(run.lines == (exit == .success ? ["[", row, "]"] : []))
    #expect(server.asked == ["GET api.ifttt.com/v1/services/lampost/applets/aa"])
  }

  @Test func forceSendsTheRequestAnyway() {
    let server = Server().answering(200, Self.applet("aa", "enabled")).answering(200, Self.applet("aa", "enabled"))
    #expect(Self.home().run("applets enable aa --force", answers: server).exit == .success)
    #expect(server.asked.last == "POST api.ifttt.com/v1/services/lampost/applets/aa/enable")
    #expect(server.requests.last?.body == [], "a token needs no body")
  }

  @Test func aNeverEnabledAppletIsRejectedBeforeSending() {
    for force in ["", "--force"] {
      let server = Server().answering(200, Self.applet("aa", "never_enabled"))
      let run = Self.home().run("applets enable aa \(force) --fields status -o csv --no-header", answers: server)
      #expect(run.output == "never_enabled\n")
      #expect(run.notes.first == "ifttt: Applet 'aa' was never enabled")
      #expect(run.exit == .failure)
    }
  }

  @Test func anUnknownStatusIsRejected() {
    let server = Server().answering(200, Self.applet("aa", nil))
    let run = Self.home().run("applets disable aa --json --fields status,error.code", answers: server)
    #expect(run.lines[1] == #"{"status":"unknown","error.code":"refused"}"#)
    #expect(run.exit == .failure)
    #expect(run.errors.contains("the status of Applet 'aa' is unknown"))
  }

  @Test func failsWithoutAUserBeforeSending() {
    let withoutToken = Self.home(["IFTTT_USER_TOKEN": ""])
    #expect(withoutToken.run("applets enable aa").notes.first == "ifttt: 'applets enable' needs a user token")
    #expect(withoutToken.run("applets enable aa").exit == .credentials)
    #expect(Self.home().run("applets enable aa --as anonymous").exit == .credentials)
    let keyAlone = Self.home(["IFTTT_USER_TOKEN": "", "IFTTT_SERVICE_KEY": "key-of-the-tests-0123456789"])
      .run("applets disable aa")
    #expect(keyAlone.notes.first == "ifttt: 'applets disable' needs a user id")
    #expect(keyAlone.exit == .credentials)
    #expect(Self.home(["IFTTT_SERVICE": ""]).run("applets disable aa").exit == .credentials)
  }

  @Test(arguments: ["", "{}", "[]", #"{"type":"applet","id":"bb","user_status":"enabled"}"#])
  func anUnexpectedResponseFetchesTheAppletAgain(_ body: String) {
    let server = Server().answering(200, Self.applet("aa", "enabled")).answering(200, body)
      .answering(200, Self.applet("aa", "disabled"))
    let run = Self.home().run("applets disable aa -o csv --no-header --fields status,changed", answers: server)
    #expect(run.output == "disabled,true\n")
    #expect(run.exit == .success)
  }

  @Test func aChangeWithoutEffectFails() {
    let server = Server().answering(200, Self.applet("aa", "enabled")).answering(200, Self.applet("aa", "enabled"))
      .answering(200, Self.applet("aa", "enabled"))
    let run = Self.home().run("applets disable aa -o csv --no-header --fields status,changed", answers: server)
    #expect(run.output == "enabled,false\n")
    #expect(run.notes.first == "ifttt: Applet 'aa' is still enabled")
    #expect(run.exit == .failure)
    let lost = Server().answering(200, Self.applet("aa", "enabled")).answering(204).answering(500)
    let unknown = Self.home().run("applets disable aa --fields status -o csv --no-header", answers: lost)
    #expect(unknown.output == "unknown\n")
    #expect(unknown.exit == .unavailable)
  }

  @Test func aPartialFailureHasItsOwnExitCode() {
    let run = Home().sandbox("applets disable nope mB3xWq7T --json --fields id,changed,error.code")
    #expect(
      run.lines == [
        "[", #"{"id":"nope","changed":false,"error.code":"not_found"},"#,
        #"{"id":"mB3xWq7T","changed":true,"error.code":null}"#, "]",
      ])
    #expect(run.exit == .partial)
    #expect(Home().sandbox("applets enable nope").exit == .notFound)
  }
}
