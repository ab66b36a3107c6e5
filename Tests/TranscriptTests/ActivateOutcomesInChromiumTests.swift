import Foundation
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Unusual ends of an activation: failures, odd results, other accounts and other pages.
extension ActivateInChromiumTests {
  struct ActivationFailure: Sendable {
    var outcome: String
    var code: String
    var text: String
  }

  static let failures = [
    ActivationFailure(
      outcome: "account-creation-failed", code: "account_creation_failed",
      text: "IFTTT could not create an account for you."),
    ActivationFailure(
      outcome: "auth-error", code: "authorization_failed", text: "Signing in to Lampost Lights did not work."),
    ActivationFailure(
      outcome: "verification-failed", code: "authorization_failed", text: "IFTTT could not verify that it is you."),
    ActivationFailure(
      outcome: "connection-request-failed", code: "authorization_failed",
      text: "The IFTTT app could not finish this; try again in the browser."),
    ActivationFailure(
      outcome: "odd-nothing", code: "unknown_redirect",
      text: "IFTTT sent a response that this program does not recognize."),
    ActivationFailure(
      outcome: "odd-next-step", code: "unknown_redirect",
      text: "IFTTT sent a response that this program does not recognize."
    ),
    ActivationFailure(
      outcome: "odd-fragment", code: "unknown_redirect",
      text: "IFTTT sent a response that this program does not recognize."),
    ActivationFailure(
      outcome: "odd-escape", code: "unknown_redirect",
      text: "IFTTT sent a response that this program does not recognize."),
  ]

  /// A failure changes nothing on the server, so all of them are at one. Each is with a home of its own.
  @Test func failuresAreReported() throws {
    for failure in Self.failures {
      for look in [BrowserWindow.Look.phoneAtNight, .desktop] { try expectReport(of: failure, as: look) }
    }
  }

  private func expectReport(of failure: ActivationFailure, as look: BrowserWindow.Look) throws {
    let home = Home(nil, server.environment.filter { $0.key.hasSuffix("_URL") })
    let words = ["connections", "activate", "Ud6Jn1Gs", "--email", "kai@mail.test"]
    let (visit, outcome) = try activate(words, as: look, in: home, by: .end(failure.outcome), named: failure.outcome)
    visit.expectLanding(
      on: "Not connected", saying: ["Lampost Lights", failure.text, "The terminal shows the next step."],
      as: look, #_sourceLocation)
    #expect(
      outcome.status == 1 && outcome.code == failure.code && outcome.text.isEmpty,
      "\(failure.outcome), \(look): \(outcome.errors)")
    #expect(try home.run("token", "list", "--json").text == "[]\n", "\(failure.outcome), \(look)")
    #expect(try home.isIntact(), "\(failure.outcome), \(look)")
  }

  @Test func anAbandonedPageIsInterrupted() throws {
    let running = try home.start([
      "connections", "activate", "Ud6Jn1Gs", "--email", "kai@mail.test", "--no-browser", "--json",
    ])
    running.read(until: "http://", from: running.errors)
    let address = "http://" + running.read(until: "\n", from: running.errors).dropLast()
    let visit = try BrowserWindow.shared.visit(address, as: .desktop, .end("stay"), named: "stay")
    #expect(visit.last.text.contains("This page ends here."))
    #expect(visit.complaints == [])
    visit.expectDecency(as: .desktop, #_sourceLocation)
    running.signal(SIGINT)
    #expect(running.wait() == 130)
    #expect(try home.run("token", "list", "--json").text == "[]\n")
  }

  /// The user's existing token can still see that the connection is enabled.
  @Test func connectsWithoutANewToken() throws {
    let token = server.environment.filter { $0.key == "IFTTT_USER_TOKEN" }
    let words = ["connections", "activate", "Ud6Jn1Gs"]
    let (visit, outcome) = try activate(words, token, as: .desktop, by: .end("complete-without-token"))
    visit.expectLanding(on: "Connected to Lampost Lights", saying: [], as: .desktop, #_sourceLocation)
    expect(
      outcome,
      [
        "\"status\":\"enabled\"", "\"previous_status\":\"never_enabled\"", "\"token_saved\":false",
        "\"url_kind\":\"sdk\"",
      ])
    #expect(try home.run("token", "list", "--json").text == "[]\n")
  }

  /// If IFTTT skips the configuration without a request to do so, the connection is pending too.
  @Test func aSkippedConfigurationIsPending() throws {
    let words = ["connections", "activate", "Ud6Jn1Gs", "--email", "kai@mail.test"]
    let (visit, outcome) = try activate(words, as: .phoneAtNight, by: .end("complete-skipped"))
    visit.expectLanding(on: "Connected to Lampost Lights", saying: [], as: .phoneAtNight, #_sourceLocation)
    expect(outcome, ["\"status\":\"enabled\"", "\"pending\":true", "\"token_saved\":true"])
    #expect(outcome.errors.contains("'ifttt configure Ud6Jn1Gs'"))
  }

  /// Without a terminal there is no prompt, so the profile keeps its token.
  @Test func anotherAccountsTokenIsNotSaved() throws {
    let token = try #require(server.environment["IFTTT_USER_TOKEN"])
    #expect(try home.run(["token", "set", "--user-token-file", "-"], input: token + "\n").status == 0)
    let words = ["connections", "activate", "Ud6Jn1Gs"]
    let refused = try activate(words, by: .end("complete-as-another"), named: "another")
    refused.visit.expectLanding(on: "Connected to Lampost Lights", saying: [], as: .phone, #_sourceLocation)
    #expect(refused.outcome.status != 0 && refused.outcome.code == "conflict", "\(refused.outcome.errors)")
    #expect(refused.outcome.errors.contains("mira_o") && refused.outcome.errors.contains("kai_lamps"))
    #expect(try storedToken() == token + "\n")
    let agreed = try activate(words + ["--yes", "--force"], by: .end("complete-as-another"), named: "another-yes")
    expect(agreed.outcome, ["\"token_saved\":true", "\"user_login\":\"mira_o\""])
    #expect(agreed.visit.wasRedirected(withToken: try storedToken()))
  }

  /// The documented page does not report the result, but the service key can see it.
  @Test func theDocumentedPageConnects() throws {
    let service = server.environment.filter { ["IFTTT_SERVICE_KEY", "IFTTT_USER_ID"].contains($0.key) }
    let words = ["connections", "activate", "Ud6Jn1Gs", "--email", "kai@mail.test", "--url", "connect"]
    let (visit, outcome) = try activate(words, service, as: .desktop, by: [.goOn, .goOn, .goOn, .goOn])
    #expect(visit.stages == ["Account", "Lampost Lights", "Configuration", "Connect"])
    #expect(URL(string: visit.pages[0].url)?.path == "/connect/Ud6Jn1Gs")
    visit.expectLanding(on: "Connecting…", saying: ["Lampost Lights"], as: .desktop, #_sourceLocation)
    expect(
      outcome,
      [
        "\"status\":\"enabled\"", "\"previous_status\":\"never_enabled\"", "\"token_saved\":false",
        "\"url_kind\":\"connect\"",
      ])
    let cancelled = try activate(words + ["--force"], service, by: [.cancel], named: "connect-cancel")
    cancelled.visit.expectLanding(on: "Connecting…", saying: [], as: .phone, #_sourceLocation)
  }

  @Test func anAppletIsActivated() throws {
    let service = server.environment.filter {
      ["IFTTT_SERVICE_KEY", "IFTTT_SERVICE", "IFTTT_USER_ID"].contains($0.key)
    }
    let words = ["applets", "activate", "cH8nRt5K", "--email", "kai@mail.test"]
    let given = try activate(words, service, by: [.cancel], named: "applet-cancel")
    given.visit.expectLanding(on: "Connecting…", saying: ["Lampost Lights"], as: .phone, #_sourceLocation)
    #expect(given.outcome.status == 1 && given.outcome.code == "not_confirmed", "\(given.outcome.errors)")
    let (visit, outcome) = try activate(words, service, as: .desktop, by: [.goOn, .goOn, .goOn])
    #expect(visit.stages == ["Account", "Lampost Lights", "Connect"])
    visit.expectLanding(on: "Connecting…", saying: ["Lampost Lights"], as: .desktop, #_sourceLocation)
    expect(outcome, ["\"id\":\"cH8nRt5K\"", "\"status\":\"enabled\"", "\"previous_status\":\"never_enabled\""])
  }

  /// No browser can open an unregistered scheme, so the user pastes the redirect URI.
  @Test func aCustomSchemeIsPasted() throws {
    let running = try home.start([
      "connections", "activate", "Ud6Jn1Gs", "--email", "kai@mail.test", "--redirect-uri", "lampost://done?a=1",
      "--no-browser", "--json",
    ])
    running.read(until: "http://", from: running.errors)
    let address = "http://" + running.read(until: "\n", from: running.errors).dropLast()
    let visit = try BrowserWindow.shared.visit(address, as: .phone, [.goOn, .goOn, .goOn, .goOn], named: "scheme")
    let end = try #require(visit.locations.last)
    #expect(end.hasPrefix("lampost://done?a=1&nonce=") && end.contains("&next_step=complete&user_token="))
    running.type("  \(end) \n")
    #expect(running.wait() == 0)
    #expect(running.readToEnd().contains("\"token_saved\":true"))
    #expect(end.hasSuffix("&user_token=\(try storedToken().dropLast())"))
    #expect(try shown("Ud6Jn1Gs", "status") == #"{"status":"enabled"}"#)
  }

  /// Reloading the last page finds no listener, and has no effect.
  @Test func reloadingTheLastPageIsHarmless() throws {
    let words = ["connections", "activate", "Ud6Jn1Gs", "--email", "kai@mail.test"]
    let (visit, outcome) = try activate(words, by: .end("complete") + [.reload, .reload])
    #expect(visit.pages[1].title == "Connected to Lampost Lights – IFTTT")
    expect(outcome, ["\"token_saved\":true"])
    #expect(visit.wasRedirected(withToken: try storedToken()))
    #expect(visit.pages.dropFirst().allSatisfy { !$0.url.contains("user_token") })
    #expect(try home.isIntact())
  }

  /// This ensures that the other tests can fail.
  @Test func pageErrorsAreDetected() throws {
    let page = "data:text/html,<script>console.error('first')</script><img src='http://elsewhere.test/second'>"
    let visit = try BrowserWindow.shared.visit(page, as: .phone, [], named: "fault")
    #expect(visit.complaints.contains { $0.contains("first") } && visit.last.scripts == 1)
    #expect(visit.requests.contains("http://elsewhere.test/second"))
    #expect(throws: BrowserWindow.Stuck.self) {
      try BrowserWindow.shared.visit("data:text/html,empty", as: .phone, [.goOn], named: "stuck")
    }
  }
}
