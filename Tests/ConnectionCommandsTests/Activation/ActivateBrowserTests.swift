import Foundation
import HTTP
import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// Which page is opened, whether the OAuth code is spent, and the notes if no browser opens the page.
@Suite struct ActivateBrowserTests {
  private static let new = Server.connection("aa", status: "never_enabled")
  private static let service = [
    "IFTTT_SERVICE_KEY": "key-1", "IFTTT_USER_ID": "u-1", "IFTTT_OAUTH_CODE": "oc_91fz",
  ]

  private func activator(_ environment: [String: String]) -> Activator {
    let activator = Activator()
    activator.home.environment = environment
    return activator
  }

  // MARK: No browser

  @Test(arguments: ["", "-q "]) func printsTheURLIfTheBrowserDoesNotStart(quiet: String) {
    let activator = Activator(userToken: Activator.token)
    activator.browser = .failure(SystemError(exitStatus: 3, of: "xdg-open"))
    activator.returns("next_step=user_cancelled_configuration")
    let server = Server().answering(200, Self.new).answering(200, #"{"user_login":"kai"}"#)
    let run = activator.home.run("\(quiet)connections activate aa", answers: server)
    #expect(run.notes.filter { $0.hasPrefix("https://ifttt.com/access/api/aa?") }.count == 1)
    #expect(run.notes.contains("Cannot open a browser (xdg-open: exit status 3); open the URL yourself."))
  }

  @Test func quietPrintsNothingIfTheBrowserStarts() {
    let activator = Activator(userToken: Activator.token)
    activator.returns("next_step=complete")
    let server = Server().answering(200, Self.new).answering(200, #"{"user_login":"kai"}"#).answering(
      200, Server.connection("aa"))
    #expect(activator.home.run("-q connections activate aa", answers: server).errors == "")
  }

  // MARK: The OAuth code

  /// The printed URL would not contain the provisional code that the OAuth code is exchanged for.
  @Test func doesNotSpendACodeThatThePrintedURLOmits() {
    let activator = activator(Self.service)
    activator.returns("")
    let server = Server().answering(200, Self.new).answering(200, Server.connection("aa"))
    let run = activator.home.run("connections activate aa --email k@mail.test --no-browser", answers: server)
    #expect(server.asked.allSatisfy { $0.hasPrefix("GET ") }, "\(server.asked)")
    #expect(run.errors.contains("does not contain the OAuth code, which has not been used"))
    #expect(run.errors.contains("--reveal"))
    #expect(run.exit == .success)
  }

  @Test func revealSpendsAndPrintsTheCode() {
    let activator = activator(Self.service)
    activator.returns("")
    let server = Server().answering(200, Self.new).answering(201, #"{"provisional_access_code":"pac_7Yt-2Q"}"#)
      .answering(200, Server.connection("aa"))
    let run = activator.home.run(
      "connections activate aa --email k@mail.test --no-browser --reveal", answers: server)
    #expect(activator.item("code") == "pac_7Yt-2Q")
    #expect(!run.errors.contains("spent"))
  }

  @Test func notesACodeSpentWhenTheBrowserDoesNotStart() {
    let activator = activator(Self.service)
    activator.browser = .failure(SystemError(exitStatus: 3, of: "xdg-open"))
    activator.returns("")
    let server = Server().answering(200, Self.new).answering(201, #"{"provisional_access_code":"pac_7Yt-2Q"}"#)
      .answering(200, Server.connection("aa"))
    let run = activator.home.run("connections activate aa --email k@mail.test", answers: server)
    #expect(run.errors.contains("does not contain the OAuth code, which has been used"))
    #expect(run.errors.contains("with a new code and --reveal"))
    #expect(!run.errors.contains("pac_7Yt"))
  }

  @Test func doesNotSpendAnUnneededCode() {
    let activator = activator(Self.service)
    let run = activator.home.run(
      "connections activate aa", answers: Server().answering(200, Server.connection("aa")))
    #expect(run.errors == "The OAuth code was not needed and has not been used.\n")
    #expect(run.exit == .success)
  }

  // MARK: The page

  /// The connect page accepts no invite code, and does not find an unpublished connection without one.
  @Test func anInviteCodeOpensTheSDKPage() {
    let activator = activator(["IFTTT_SERVICE_KEY": "key-1", "IFTTT_USER_ID": "u-1"])
    activator.returns("next_step=complete")
    let server = Server().answering(200, Self.new).answering(204).answering(200, Server.connection("aa"))
    let line = "connections activate aa --email k@mail.test --invite-code 21790"
    let run = activator.home.run("\(line) --json --fields url_kind", answers: server)
    #expect(run.output == "{\"url_kind\":\"sdk\"}\n")
    #expect(activator.opened.path == "/access/api/aa")
    #expect(activator.item("invite_code") == "21790")
    let other = self.activator(["IFTTT_SERVICE_KEY": "key-1", "IFTTT_USER_ID": "u-1"])
    other.returns("")
    let connect = Server().answering(200, Self.new).answering(200, Server.connection("aa"))
    #expect(other.home.run("\(line) --url connect", answers: connect).errors.contains("ignores invite codes"))
    #expect(other.opened.path == "/connect/aa")
  }

  // MARK: The redirect URI

  @Test(arguments: [
    ("", "http://127.0.0.1:47823/ifttt?nonce="), ("--no-nonce", "http://127.0.0.1:47823/ifttt"),
    ("--redirect-uri http://127.0.0.1:5000/x --no-nonce", "http://127.0.0.1:5000/x"),
  ]) func usesTheProfilesRedirectURIUnlessOverridden(words: String, address: String) {
    let activator = Activator(userToken: Activator.token)
    let create = "profile create work --redirect-uri http://127.0.0.1:47823/ifttt"
    #expect(activator.home.run(create).exit == .success)
    activator.returns("next_step=complete")
    let server = Server().answering(200, Self.new).answering(200, #"{"user_login":"kai"}"#).answering(
      200, Server.connection("aa"))
    #expect(activator.home.run("--profile work connections activate aa \(words)", answers: server).exit == .success)
    #expect(activator.item("sdk_return_to")?.hasPrefix(address) == true)
  }

  @Test func anEmptyRedirectURIRemovesTheProfilesURI() {
    let activator = Activator(userToken: Activator.token)
    activator.home.run("profile create work --redirect-uri http://127.0.0.1:47823/ifttt")
    #expect(activator.home.run("profile set work --redirect-uri ''").exit == .success)
    activator.returns("next_step=complete")
    let server = Server().answering(200, Self.new).answering(200, #"{"user_login":"kai"}"#).answering(
      200, Server.connection("aa"))
    activator.home.run("--profile work connections activate aa", answers: server)
    #expect(activator.item("sdk_return_to")?.contains("/ifttt/return/") == true)
    #expect(activator.home.run("profile create bad --redirect-uri javascript:x").exit == .usage)
  }

  /// The redirect of an earlier run is compared with the redirect URI of the profile.
  @Test func comparesARedirectWithTheProfilesURI() {
    let activator = Activator(userToken: Activator.token)
    activator.home.run("profile create work --redirect-uri lampost://done")
    let line = "connections activate aa --no-nonce --finish lampost://done?next_step=complete"
    let server = Server().answering(200, Self.new).answering(200, Server.connection("aa"))
    #expect(activator.home.run("--profile work \(line)", answers: server).exit == .success)
    #expect(activator.home.run(line).exit == .usage, "no redirect URI is given")
  }
}
