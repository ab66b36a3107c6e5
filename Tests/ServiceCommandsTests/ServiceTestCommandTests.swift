import CommandContext
import ProgramDriver
import Support
import Testing

@Suite struct ServiceTestCommandTests {
  @Test func listsTheChecksWithoutARequest() {
    let home = Home()
    let all = home.run("service test http://127.0.0.1:8788 --list -o csv --no-header --fields check")
    #expect(all.exit == .success)
    #expect(all.lines.contains("returns-at-least-three-items") && !all.lines.contains("webhook-accepted"))
    let some = home.run("service test http://127.0.0.1:8788 --list --webhooks --only webhooks,limit-0 --json")
    #expect(some.output.contains(#""check":"webhook-wrong-key""#) && some.output.contains(#""check":"limit-0""#))
    #expect(!some.output.contains("status-ok"))
  }

  @Test func aSignInNeedsItsOptions() {
    let run = Home().run("service test http://127.0.0.1:8788 --sign-in --client-id x")
    #expect(run.exit == .usage)
    #expect(run.errors.contains("--sign-in needs --authorize-url, --token-url"))
  }

  @Test(arguments: ["http://example.com", "https://a.test/?x=1", "ftp://a.test", "a.test"])
  func rejectsOtherURLs(url: String) {
    #expect(Home().run("service test \(url) --list").exit == .usage)
  }

  @Test(arguments: [
    "actions/a --follow", "queries/q --realtime", "triggers/t --cursor x", "actions/a --limit 1", "triggers/",
    "triggers/a/b", "things/a",
  ])
  func rejectsCallsThatMakeNoSense(words: String) {
    #expect(Home().run("service call http://127.0.0.1:8788 \(words)").exit == .usage)
  }
}
