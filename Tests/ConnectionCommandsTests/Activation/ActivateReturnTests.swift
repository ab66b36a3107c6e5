import Foundation
import HTTP
import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// The ways that a redirect reaches the program: the listener, a pasted URL, `--finish`, or not at all.
@Suite struct ActivateReturnTests {
  private let user = Server().answering(200, Server.connection("aa", status: "never_enabled"))
    .answering(200, #"{"user_login":"kai"}"#)
  private let complete = "connections activate aa --json --fields status"

  @Test func ignoresRequestsToOtherPathsAndMethods() {
    let activator = Activator(userToken: Activator.token)
    activator.meanwhile { activator in
      let target = activator.target
      #expect(activator.port.answer("/favicon.ico")?.status == 404)
      #expect(activator.port.answer("/?next_step=complete&user_token=evil")?.status == 404)
      #expect(activator.port.answer("/ifttt/return/?next_step=complete&user_token=evil")?.status == 404)
      #expect(activator.port.answer(target + "/?next_step=complete&user_token=evil")?.status == 404)
      #expect(activator.port.answer(target.uppercased() + "?next_step=complete")?.status == 404)
      for method in ["POST", "HEAD", "OPTIONS", "PUT"] {
        let reply = activator.port.answer(target + "?next_step=complete&user_token=evil", method)
        #expect(reply?.status == 405)
        #expect(reply?.fields.first { $0.isNamed("Allow") }?.value == "GET")
      }
    }
    activator.returns("next_step=complete")
    activator.meanwhile { _ in }
    let outcome = activator.home.run(complete, answers: user.answering(200, Server.connection("aa")))
    #expect(outcome.output == "{\"status\":\"enabled\"}\n")
    #expect(activator.home.run("token list --json").output == "[]\n")
  }

  @Test func onlyTheFirstRedirectCounts() {
    let activator = Activator(userToken: Activator.token)
    activator.waits = [
      { activator, _ in
        #expect(activator.port.answer(activator.target + "?next_step=complete")?.status == 200)
        #expect(activator.port.answer(activator.target + "?next_step=complete&user_token=evil")?.status == 404)
        return .success(.message)
      }
    ]
    let outcome = activator.home.run(complete, answers: user.answering(200, Server.connection("aa")))
    #expect(outcome.exit == .success)
    #expect(activator.home.run("token list --json").output == "[]\n")
  }

  /// The token of the redirect stays neither in the address bar nor in the browser's history.
  @Test(arguments: ["en", "de"])
  func thePageIsAtAURLWithoutTheToken(_ language: String) throws {
    let activator = Activator(userToken: Activator.token)
    activator.home.environment["LC_ALL"] = language == "en" ? "C" : "de_DE.UTF-8"
    activator.meanwhile { activator in
      let target = activator.target
      let reply = activator.port.firstAnswer(target + "?next_step=complete")
      #expect(reply?.status == 303)
      #expect(reply?.fields.first { $0.name == "Location" }?.value == target)
      #expect(reply?.fields.contains(HeaderField("Cache-Control", "no-store")) == true)
      #expect(reply?.body == [])
      for _ in 0..<2 {
        let page = activator.port.firstAnswer(target)
        #expect(page?.status == 200)
        #expect(page.map { String(decoding: $0.body, as: UTF8.self).contains("lang=\"\(language)") } == true)
      }
    }
    let outcome = activator.home.run(complete, answers: user.answering(200, Server.connection("aa")))
    #expect(outcome.exit == .success, "\(outcome.errors)")
  }

  @Test func theListenerLimitsRequestSizeAndTime() {
    let activator = Activator(userToken: Activator.token)
    activator.returns("next_step=complete")
    activator.home.run(complete, answers: user.answering(200, Server.connection("aa")))
    let settings = activator.port.settings.first
    #expect(settings?.address.host == .v4 && settings?.address.port == 0)
    #expect(settings?.headerLimit == 16 * 1024)
    #expect(settings?.requestTime == .seconds(5))
    let page = activator.pages.first
    for (name, value) in [("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer")] {
      #expect(page?.fields.first { $0.isNamed(name) }?.value == value)
    }
    #expect(page?.fields.first { $0.isNamed("Content-Security-Policy") }?.value.hasPrefix("default-src 'none'") == true)
  }

  @Test func listensAtARegisteredURIWithANonce() {
    let activator = Activator(userToken: Activator.token)
    activator.meanwhile { activator in
      #expect(activator.port.answer("/back?a=1&next_step=complete&user_token=evil")?.status == 404)
      #expect(activator.port.answer("/back?a=1&nonce=x&next_step=complete&user_token=evil")?.status == 404)
    }
    activator.returns("next_step=complete")
    let outcome = activator.home.run(
      "\(complete) --redirect-uri 'http://localhost:8099/back?a=1'",
      answers: user.answering(200, Server.connection("aa")))
    #expect(outcome.output == "{\"status\":\"enabled\"}\n")
    #expect(activator.port.settings.map(\.address.host) == [.v4, .v6])
    #expect(activator.port.settings.map(\.address.port) == [8099, 8099])
    #expect(activator.item("sdk_return_to")?.hasPrefix("http://localhost:8099/back?a=1&nonce=") == true)
    #expect(activator.port.closed == 2)
  }

  @Test func aLostNonceIsReported() {
    let activator = Activator()
    activator.meanwhile { $0.port.answer("/back?next_step=complete&user_token=evil") }
    activator.meanwhile { _ in }
    activator.nothingHappens()
    let server = Server().answering(200, Server.connection("aa", status: nil)).answering(204)
    let outcome = activator.home.run(
      "connections activate aa --email k@mail.test --redirect-uri http://127.0.0.1:8099/back", answers: server)
    #expect(outcome.exit == .failure)
    #expect(outcome.errors.contains("--no-nonce"))
  }

  @Test func noNonceOmitsTheNonce() {
    let activator = Activator(userToken: Activator.token)
    activator.returns("next_step=complete")
    activator.home.run(
      "\(complete) --redirect-uri http://127.0.0.1:8099/back --no-nonce",
      answers: user.answering(200, Server.connection("aa")))
    #expect(activator.item("sdk_return_to") == "http://127.0.0.1:8099/back")
  }

  @Test func aPortInUseIsReported() {
    let activator = Activator(userToken: Activator.token)
    activator.port.taken = [8099]
    let outcome = activator.home.run("connections activate aa --redirect-uri http://localhost:8099/back", answers: user)
    #expect(outcome.exit == .failure)
    #expect(outcome.notes.first == "ifttt: cannot listen on http://127.0.0.1:8099")
    #expect(activator.home.last?.processes.pages == [])
  }

  @Test func worksWithoutIPv6() {
    let activator = Activator(userToken: Activator.token)
    activator.port.missing = [.v6]
    activator.returns("next_step=complete")
    let outcome = activator.home.run(
      "\(complete) --redirect-uri http://localhost:8099/back", answers: user.answering(200, Server.connection("aa")))
    #expect(outcome.exit == .success)
  }

  @Test func aPrintedURLIsEnoughWithoutABrowser() {
    let activator = Activator(userToken: Activator.token)
    activator.browser = .failure(SystemError(number: 2, call: "xdg-open"))
    activator.returns("next_step=complete")
    let outcome = activator.home.run(complete, answers: user.answering(200, Server.connection("aa")))
    #expect(outcome.exit == .success)
    #expect(outcome.errors.contains("Cannot open a browser"))
    let quiet = Activator(userToken: Activator.token)
    quiet.returns("next_step=complete")
    let other = Server().answering(200, Server.connection("aa", status: "never_enabled"))
      .answering(200, #"{"user_login":"kai"}"#).answering(200, Server.connection("aa"))
    let printed = quiet.home.run("\(complete) --no-browser -q", answers: other)
    #expect(printed.exit == .success)
    #expect(quiet.home.last?.processes.pages == [])
    #expect(printed.notes.count == 1 && printed.notes[0].hasPrefix("https://ifttt.com/access/api/aa?"))
  }

  @Test func aRedirectURLCanBePasted() {
    let activator = Activator(userToken: Activator.token)
    activator.home.terminal = .interactive()
    activator.inputComes()
    let outcome = activator.home.run(
      "\(complete) --redirect-uri lampost://done --no-nonce",
      input: .text("\nhello\nlampost://gone?next_step=complete\n lampost://done?next_step=complete \n"),
      answers: user.answering(200, Server.connection("aa")))
    #expect(outcome.output == "{\n  \"status\": \"enabled\"\n}\n" || outcome.output == "{\"status\":\"enabled\"}\n")
    #expect(outcome.errors.contains("Not the expected redirect URL: it is not a URL."))
    #expect(outcome.errors.contains("Not the expected redirect URL: its host or port differs."))
  }

  @Test func readsACustomSchemeRedirectFromStdin() {
    let activator = Activator(userToken: Activator.token)
    activator.inputComes()
    let outcome = activator.home.run(
      "\(complete) --redirect-uri lampost://done --no-nonce", input: .text("lampost://done?next_step=complete"),
      answers: user.answering(200, Server.connection("aa")))
    #expect(outcome.exit == .success)
    #expect(activator.port.settings.isEmpty)
  }

  @Test(arguments: [true, false]) func acceptsTheRedirectOfAnEarlierRun(isPiped: Bool) {
    let activator = Activator()
    let url = "http://127.0.0.1:47823/ifttt/return/9f?next_step=complete&user_token=\(Activator.newToken)"
    let server = Server().answering(200, Server.connection("aa", status: nil)).answering(200, #"{"user_login":"kai"}"#)
      .answering(200, Server.connection("aa"))
    let outcome = activator.home.run(
      "\(complete) --redirect-uri http://127.0.0.1:47823/ifttt/return/9f --finish '\(isPiped ? "-" : url)'",
      input: isPiped ? .text(url + "\n") : nil, answers: server)
    #expect(outcome.output == "{\"status\":\"enabled\"}\n")
    #expect(activator.port.settings.isEmpty)
    #expect(activator.home.last?.processes.pages == [])
    #expect(activator.home.run("token show --print", reveals: true).output == Activator.newToken + "\n")
  }

  @Test(arguments: [
    ("http://127.0.0.1:47823/ifttt/return/9e?next_step=complete&user_token=evil", "state_mismatch"),
    ("http://127.0.0.1:47824/ifttt/return/9f?next_step=complete&user_token=evil", "unknown_redirect"),
    ("", "unknown_redirect"),
  ])
  func rejectsARedirectToAnotherURI(url: String, code: String) {
    let activator = Activator()
    let server = Server().answering(200, Server.connection("aa", status: nil))
    let outcome = activator.home.run(
      "\(complete) --redirect-uri http://127.0.0.1:47823/ifttt/return/9f --finish -", input: .text(url),
      answers: server)
    #expect(outcome.errors.contains("\"code\":\"\(code)\""))
    #expect(outcome.exit == .failure)
  }

  @Test func theStatusEndsTheWaitWithoutARedirect() {
    let activator = Activator(userToken: Activator.token)
    activator.nothingHappens()
    let server = user.answering(200, Server.connection("aa", status: "never_enabled")).answering(503)
      .answering(200, Server.connection("aa")).answering(200, Server.connection("aa"))
    let outcome = activator.home.run(complete, answers: server)
    #expect(outcome.output == "{\"status\":\"enabled\"}\n")
    #expect(outcome.errors.contains("no redirect arrived, so there is no user token"))
    // The first fetch and the user name, then three polls and the final fetch.
    #expect(server.asked.count == 6)
  }

  @Test func waitsBrieflyForALateRedirect() {
    let activator = Activator(userToken: Activator.token)
    activator.nothingHappens()
    activator.returns("next_step=complete&user_token=\(Activator.newToken)")
    let server = user.answering(200, Server.connection("aa")).answering(200, #"{"user_login":"kai"}"#)
      .answering(200, Server.connection("aa"))
    let outcome = activator.home.run("connections activate aa --json --fields token_saved", answers: server)
    #expect(outcome.output == "{\"token_saved\":true}\n")
  }
}
