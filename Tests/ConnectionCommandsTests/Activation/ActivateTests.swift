import Foundation
import HTTP
import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// `connections activate` from the first request to the printed row, with a simulated browser.
@Suite struct ActivateTests {
  @Test func createsAnAccountForANewUserAndSavesTheToken() {
    let activator = Activator()
    activator.returns("next_step=complete&user_token=\(Activator.newToken)")
    let server = Server().answering(200, Server.connection("aa", name: "Lamps", status: nil)).answering(404)
      .answering(200, #"{"type":"me","user_login":"kai_lamps"}"#).answering(200, Server.connection("aa", name: "Lamps"))
    let outcome = activator.home.run("connections activate aa --email kai+l@mail.test --json", answers: server)
    #expect(
      outcome.output
        == #"{"id":"aa","name":"Lamps","status":"enabled","previous_status":"unknown","pending":false,"#
        + #""token_saved":true,"user_login":"kai_lamps","url_kind":"sdk"}"# + "\n")
    #expect(outcome.exit == .success)
    #expect(
      server.asked == [
        "GET connect.ifttt.com/v2/connections/aa", "GET connect.ifttt.com/v2/account/find?email=kai%2Bl%40mail.test",
        "GET connect.ifttt.com/v2/me", "GET connect.ifttt.com/v2/connections/aa",
      ])
    #expect(
      server.requests.map { $0.header("Authorization") } == [nil, nil]
        + Array(repeating: "Bearer \(Activator.newToken)", count: 2))
    #expect(activator.opened.path == "/access/api/aa")
    #expect(activator.item("sdk_create_account") == "true")
    #expect(outcome.notes.first { $0.contains("will create a new account") } != nil)
    #expect(activator.home.run("token show --print", reveals: true).output == Activator.newToken + "\n")
    #expect(
      activator.home.run("connections list --offline -o csv --no-header --fields id,status").output == "aa,enabled\r\n"
        || activator.home.run("connections list --offline -o csv --no-header --fields id,status").output
          == "aa,enabled\n"
    )
    #expect(activator.port.closed == 1)
  }

  @Test func aUserTokenIdentifiesTheUserByName() {
    let activator = Activator(userToken: Activator.token)
    activator.returns("next_step=complete")
    let server = Server().answering(200, Server.connection("aa", status: "never_enabled"))
      .answering(200, #"{"type":"me","user_login":"kai lamps"}"#).answering(200, Server.connection("aa"))
    let outcome = activator.home.run(
      "connections activate aa --json --fields status,token_saved,user_login", answers: server)
    #expect(outcome.output == #"{"status":"enabled","token_saved":false,"user_login":"kai lamps"}"# + "\n")
    #expect(activator.item("username") == "kai lamps")
    #expect(activator.item("email") == nil)
  }

  @Test func aServiceKeyAloneOpensTheDocumentedPage() {
    let activator = Activator()
    activator.home.environment = ["IFTTT_SERVICE_KEY": "key-1", "IFTTT_USER_ID": "u-1", "IFTTT_OAUTH_CODE": "oc_91fz"]
    activator.returns("")
    let server = Server().answering(200, Server.connection("aa", status: "never_enabled"))
      .answering(201, #"{"provisional_access_code":"pac_7Yt-2Q"}"#).answering(200, Server.connection("aa"))
    let outcome = activator.home.run(
      "connections activate aa --email k@mail.test --json --fields status,url_kind", answers: server)
    #expect(outcome.output == #"{"status":"enabled","url_kind":"connect"}"# + "\n")
    #expect(server.asked[1] == "POST connect.ifttt.com/v2/provisional_access_code")
    #expect(server.requests[1].body == Array(#"{"oauth_code":"oc_91fz"}"#.utf8))
    #expect(activator.opened.path == "/connect/aa")
    #expect(activator.opened.queryItems?.map(\.name) == ["email", "redirect_uri", "code"])
    #expect(activator.item("code") == "pac_7Yt-2Q")
    // The page cannot know the result.
    let page = activator.pages.first.map { String(decoding: $0.body, as: UTF8.self) } ?? ""
    #expect(page.contains("Connecting") && !page.contains("Not connected"))
    #expect(!outcome.errors.contains("pac_7Yt"), "\(outcome.errors)")
  }

  @Test func urlParametersAreInOrder() {
    let activator = Activator(userToken: Activator.token)
    activator.home.environment["IFTTT_INVITE_CODE"] = "21790"
    activator.home.environment["IFTTT_OAUTH_CODE"] = "oc/1"
    activator.returns("next_step=complete")
    let server = Server().answering(200, Server.connection("aa", status: "never_enabled"))
      .answering(200, #"{"user_login":"kai"}"#).answering(
        200, Server.connection("aa").replacing(#""features":[]"#, with: #""features":[{"id":"ft"}]"#))
    let outcome = activator.home.run("connections activate aa --skip-config --json --fields pending", answers: server)
    #expect(outcome.output == "{\"pending\":true}\n")
    #expect(outcome.notes.last == "It does nothing until it is configured: 'ifttt configure aa'.")
    let names = (activator.opened.queryItems ?? []).map(\.name).filter { $0 != "locale" }
    #expect(
      names == [
        "sdk_return_to", "sdk_version", "sdk_platform", "sdk_anonymous_id", "invite_code", "skip_config", "username",
        "code",
      ])
    #expect(server.requests.allSatisfy { $0.header("IFTTT-Invite-Code") == "21790" })
    #expect(activator.home.last?.processes.pages.last?.contains("code=oc%2F1") == true)
    #expect(!outcome.errors.contains("oc%2F1"))
    #expect(outcome.errors.contains("invite_code=21790"))
    let pending = activator.home.run("connections show aa --offline --json --fields status")
    #expect(pending.output == "{\"status\":\"enabled\"}\n")
  }

  @Test func eachRunHasItsOwnRedirectURIAndAnonymousID() {
    var (addresses, ids): (Set<String>, Set<String>) = ([], [])
    for _ in 0..<2 {
      let activator = Activator(userToken: Activator.token)
      if let first = addresses.first { activator.home.run("connections list --offline"); _ = first }
      activator.returns("next_step=user_cancelled_configuration")
      let server = Server().answering(200, Server.connection("aa", status: "never_enabled")).answering(
        200, #"{"user_login":"kai"}"#)
      activator.home.run("connections activate aa", answers: server)
      addresses.insert(activator.target)
      ids.insert(activator.item("sdk_anonymous_id") ?? "")
      #expect(activator.target.wholeMatch(of: /\/ifttt\/return\/[0-9a-f]{40}/) != nil)
    }
    #expect(addresses.count == 2 && ids.count == 2)
  }

  @Test func sendsTheInstallationIDIfUsageEventsAreOn() throws {
    let activator = Activator(userToken: Activator.token)
    activator.home.run("privacy on")
    activator.returns("next_step=user_cancelled_configuration")
    let server = Server().answering(200, Server.connection("aa", status: "never_enabled")).answering(
      200, #"{"user_login":"kai"}"#)
    activator.home.run("connections activate aa", answers: server)
    let id = try #require(activator.item("sdk_anonymous_id"))
    #expect(server.requests.last?.header("IFTTT-SDK-Anonymous-Id") == id)
    #expect(server.requests.last?.header("IFTTT-SDK-Platform") == activator.item("sdk_platform"))
  }

  @Test func anEnabledConnectionNeedsNoBrowser() {
    let activator = Activator(userToken: Activator.token)
    let server = Server().answering(200, Server.connection("aa"))
    let outcome = activator.home.run(
      "connections activate aa --json --fields status,previous_status,url_kind", answers: server)
    #expect(outcome.output == #"{"status":"enabled","previous_status":"enabled","url_kind":null}"# + "\n")
    #expect(outcome.errors == "")
    #expect(activator.port.settings.isEmpty)
  }

  @Test func aDisabledConnectionNeedsNoBrowser() {
    let activator = Activator(userToken: Activator.token)
    let server = Server().answering(200, Server.connection("aa", status: "disabled")).answering(200, "{}")
      .answering(200, Server.connection("aa"))
    let outcome = activator.home.run("connections activate aa --json --fields status,previous_status", answers: server)
    #expect(outcome.output == #"{"status":"enabled","previous_status":"disabled"}"# + "\n")
    #expect(server.asked[1] == "POST connect.ifttt.com/v2/connections/aa/enable")
  }

  @Test func suggestsNotSkippingIfReenablingFails() {
    let activator = Activator(userToken: Activator.token)
    activator.home.run("configure --skip")
    let server = Server().answering(200, Server.connection("aa", status: "disabled")).answering(422)
    let run = activator.home.run("connections activate aa", answers: server)
    #expect(run.notes.last?.hasSuffix("'ifttt connections activate aa --no-skip-config'.") == true)
    #expect(run.exit == .failure)
    #expect(activator.port.settings.isEmpty)
  }

  @Test func aDryRunFetchesButOpensNothing() {
    let activator = Activator(userToken: Activator.token)
    activator.home.environment["IFTTT_OAUTH_CODE"] = "oc_91fz"
    let line = "connections activate aa --dry-run --exit-code -o csv --no-header --fields method,url"
    let new = Server().answering(200, Server.connection("aa", status: "never_enabled"))
    let outcome = activator.home.run(line, answers: new)
    #expect(outcome.exit == .notYet)
    #expect(new.asked == ["GET connect.ifttt.com/v2/connections/aa"])
    #expect(outcome.lines.count == 1)
    #expect(
      outcome.output.hasPrefix("GET,https://ifttt.com/access/api/aa?sdk_return_to=http%3A%2F%2F127.0.0.1"))
    #expect(!outcome.output.contains("oc_91fz"))
    #expect(activator.port.settings.isEmpty)
    let off = Server().answering(200, Server.connection("aa", status: "disabled"))
    #expect(
      activator.home.run(line, answers: off).output == "POST,https://connect.ifttt.com/v2/connections/aa/enable\n")
    let on = activator.home.run(line, answers: Server().answering(200, Server.connection("aa")))
    #expect(on.errors == "Connection 'aa' is already enabled.\nNothing would be sent.\n")
    #expect(on.exit == .success)
    #expect(activator.home.run(line + " --offline").exit == .notYet, "the status is unknown offline")
    #expect(activator.home.folder.names == [])
  }
}
