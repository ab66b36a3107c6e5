import Foundation
import HTTP
import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// `applets activate`: works as for a connection, and fetches the Applet again because the redirect has no status.
@Suite struct AppletsActivateTests {
  private let activator = Activator(userToken: Activator.token)
  private let line = "applets activate bb --service lampost --user-id u-1 --json --fields status,previous_status"

  private func applet(_ status: String, page: String? = "https://ifttt.com/embed/lampost/applets/bb") -> String {
    let page = page.map { "\"\($0)\"" } ?? "null"
    return
      #"{"type":"applet","id":"bb","name":"Dusk","user_status":"\#(status)","embedded_url":\#(page),"services":[]}"#
  }

  @Test func theAppletIsFetchedAfterTheRedirect() {
    activator.returns("")
    let server = Server().answering(200, applet("never_enabled")).answering(200, applet("enabled"))
    let outcome = activator.home.run("\(line) --email k@mail.test --invite-code i1", answers: server)
    #expect(outcome.output == #"{"status":"enabled","previous_status":"never_enabled"}"# + "\n")
    #expect(activator.opened.path == "/embed/lampost/applets/bb")
    #expect(activator.opened.queryItems?.map(\.name) == ["user_id", "redirect_uri", "email", "invite_code"])
    #expect(activator.pages.map(\.status) == [200])
    #expect(activator.port.closed == 1)
  }

  @Test func failsIfTheAppletIsNotEnabledAfterTheRedirect() {
    activator.returns("next_step=complete&user_token=\(Activator.newToken)")
    let server = Server().answering(200, applet("never_enabled")).answering(200, applet("never_enabled"))
    let outcome = activator.home.run(line, answers: server)
    #expect(outcome.exit == .failure)
    #expect(outcome.errors.contains("not_confirmed"))
    #expect(activator.home.run("token list --json").output == "[]\n")
  }

  @Test func succeedsByStatusWithoutARedirect() {
    activator.nothingHappens()
    let server = Server().answering(200, applet("never_enabled")).answering(200, applet("enabled"))
      .answering(200, applet("enabled"))
    let outcome = activator.home.run(line, answers: server)
    #expect(outcome.exit == .success)
  }

  /// A poll during the wait is a single short attempt; the fetch after it is retried.
  @Test func theFinalFetchIsRetried() {
    activator.nothingHappens()
    activator.returns("")
    let server = Server().answering(200, applet("never_enabled")).answering(200, applet("never_enabled"))
      .answering(503).answering(200, applet("enabled"))
    let outcome = activator.home.run(line, answers: server)
    #expect(outcome.exit == .success, "\(outcome.errors)")
  }

  @Test func telemetryAddsTheInstallationToTheURL() throws {
    activator.home.run("privacy on")
    activator.returns("")
    let server = Server().answering(200, applet("never_enabled")).answering(200, applet("enabled"))
    activator.home.run(line, answers: server)
    #expect(
      activator.opened.queryItems?.map(\.name) == [
        "user_id", "redirect_uri", "ifttt_sdk_version", "ifttt_sdk_platform", "ifttt_sdk_anonymous_id",
      ])
    let id = try #require(activator.item("ifttt_sdk_anonymous_id"))
    #expect(activator.home.run("privacy show --json").output.contains(id))
  }

  @Test func anEnabledAppletNeedsNoBrowser() {
    let outcome = activator.home.run(line, answers: Server().answering(200, applet("enabled")))
    #expect(outcome.output == #"{"status":"enabled","previous_status":"enabled"}"# + "\n")
    #expect(activator.port.settings.isEmpty)
  }

  @Test(arguments: [nil, "https://evil.test/embed"]) func pagesOfOtherHostsAreNotOpened(page: String?) {
    let outcome = activator.home.run(line, answers: Server().answering(200, applet("never_enabled", page: page)))
    #expect(outcome.errors.contains("bad_response"))
    #expect(activator.home.last?.processes.pages == [])
    #expect(activator.port.closed == 1)
  }

  /// The sandbox's pages are served nowhere else.
  @Test func theSandboxServesItsPagesWithAnyRedirectURI() {
    let activator = Activator()
    activator.nothingHappens()
    let outcome = activator.home.run(
      "--profile sandbox applets activate cH8nRt5K --redirect-uri myapp://done --no-browser --timeout 1s")
    #expect(activator.port.settings.count == 1)
    #expect(outcome.errors.contains("\nhttp://127.0.0.1"))
    #expect(!outcome.errors.contains("https://ifttt.com/embed"))
    #expect(outcome.errors.contains("redirect_uri=myapp%3A%2F%2Fdone%3Fnonce%3D"))
  }

  @Test func failsWithoutAUser() {
    let outcome = activator.home.run("applets activate bb --service lampost")
    #expect(outcome.exit == .credentials)
  }
}
