import Foundation
import Session
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Complete activations in a real browser: the program prints a URL, Chromium opens it, clicks through the sandbox's
/// pages, and is redirected to the program.
@Suite(
  .serialized, .enabled(if: Chromium.isInstalled && Tool.isInstalled("python3"), "skipped: needs chromium and python3"))
struct ActivateInChromiumTests {
  let server: SandboxServer
  /// The home of a user who knows the server but has no credentials.
  let home: Home

  init() throws {
    server = try SandboxServer()
    home = Home(nil, server.environment.filter { $0.key.hasSuffix("_URL") })
  }

  /// Start the program, go through the pages, and wait for the program to exit.
  func activate(
    _ words: [String], _ more: [String: String] = [:], as look: BrowserWindow.Look = .phone, in home: Home? = nil,
    by steps: [BrowserWindow.Step], named name: String = #function
  ) throws -> (visit: BrowserWindow.Visit, outcome: Home.Outcome) {
    let running = try (home ?? self.home).start(words + ["--no-browser", "--json"], more)
    var errors = running.read(until: "http://", from: running.errors)
    let address = "http://" + running.read(until: "\n", from: running.errors).dropLast()
    errors += address + "\n"
    try #require(address.utf8.count > 20, "\(errors)")
    let plain =
      name.prefix { $0 != "(" } + "-" + words.filter { $0.utf8.allSatisfy { $0 > 0x2d && $0 < 0x7f } }.joined()
    let visit = try BrowserWindow.shared.visit(address, as: look, steps, named: "\(plain)-\(look)")
    let status = running.wait()
    errors += running.readToEnd(running.errors)
    return (visit, Home.Outcome(status: status, output: Array(running.readToEnd().utf8), errors: errors))
  }

  func storedToken(in home: Home? = nil) throws -> String {
    try (home ?? self.home).run("token", "show", "--print").text
  }

  /// A connection as the program now shows it.
  func shown(_ id: String, _ fields: String, in home: Home? = nil) throws -> String {
    try (home ?? self.home).run("connections", "show", id, "--json", "--fields", fields).text
      .filter { !$0.isWhitespace }
  }

  private func row(_ id: String, before: String = "unknown", isPending: Bool = false, login: String) -> [String] {
    [
      "{\"id\":\"\(id)\"", "\"status\":\"enabled\"", "\"previous_status\":\"\(before)\"", "\"pending\":\(isPending)",
      "\"token_saved\":true", "\"user_login\":\"\(login)\"", "\"url_kind\":\"sdk\"",
    ]
  }

  func expect(_ outcome: Home.Outcome, _ parts: [String], _ location: SourceLocation = #_sourceLocation) {
    #expect(outcome.status == 0, "\(outcome.errors)", sourceLocation: location)
    for part in parts { #expect(outcome.text.contains(part), "\(outcome.text)", sourceLocation: location) }
  }

  @Test(arguments: BrowserWindow.Look.allCases) func aNewAccountFillsInTheConfiguration(look: BrowserWindow.Look) throws
  {
    let (visit, outcome) = try activate(
      ["connections", "activate", "Ud6Jn1Gs", "--email", "new+kai@mail.test"], as: look,
      by: [
        .goOn, .goOn, .choose("[name=\"c.0.fields.0\"]", ""), .goOn, .choose("[name=\"c.0.fields.0\"]", "sc_32"),
        .fill("[name=\"c.0.triggers0.0.radius\"]", "1250"), .goOn, .goOn,
      ])
    #expect(visit.stages == ["Account", "Lampost Lights", "Configuration", "Configuration", "Connect"])
    #expect(visit.pages[0].text.contains("A new one will be created"))
    #expect(visit.pages[3].text.contains("Is required"))
    visit.expectLanding(on: "Connected to Lampost Lights", saying: [], as: look, #_sourceLocation)
    expect(outcome, row("Ud6Jn1Gs", login: "new_kai"))
    let token = try storedToken().dropLast()
    #expect(visit.wasRedirected(withToken: String(token)) && token.utf8.count > 20)
    for text in [outcome.text, outcome.errors, visit.last.text] { #expect(!text.contains(token)) }
    #expect(try shown("Ud6Jn1Gs", "status,pending") == #"{"status":"enabled","pending":false}"#)
    let configuration = try shown("Ud6Jn1Gs", "configuration")
    #expect(configuration.contains("sc_32") && configuration.contains("1250"), "\(configuration)")
  }

  @Test func aReturningAccountConnects() throws {
    let (visit, outcome) = try activate(
      ["connections", "activate", "Ud6Jn1Gs", "--email", "kai@mail.test"], as: .desktop,
      by: [.goOn, .goOn, .goOn, .goOn])
    #expect(visit.pages[0].text.contains("Welcome back") && visit.pages[0].text.contains("kai_lamps"))
    visit.expectLanding(on: "Connected to Lampost Lights", saying: [], as: .desktop, #_sourceLocation)
    expect(outcome, row("Ud6Jn1Gs", login: "kai_lamps"))
    #expect(try home.run("token", "verify", "--json").text.contains("kai_lamps"))
    #expect(try shown("Ud6Jn1Gs", "status") == #"{"status":"enabled"}"#)
  }

  @Test func anOAuthCodeSkipsSigningIn() throws {
    let words = ["connections", "activate", "Ud6Jn1Gs", "--email", "kai@mail.test", "--reveal"]
    let (visit, outcome) = try activate(words, ["IFTTT_OAUTH_CODE": "oc_91fz"], by: [.goOn, .goOn, .goOn])
    #expect(visit.stages == ["Account", "Configuration", "Connect"])
    visit.expectLanding(on: "Connected to Lampost Lights", saying: [], as: .phone, #_sourceLocation)
    expect(outcome, row("Ud6Jn1Gs", login: "kai_lamps"))
    #expect(try storedToken().utf8.count > 20)
  }

  @Test func skippingTheConfigurationLeavesItPending() throws {
    let words = ["connections", "activate", "Ud6Jn1Gs", "--email", "kai@mail.test", "--skip-config"]
    let (visit, outcome) = try activate(words, as: .desktopAtNight, by: [.goOn, .goOn, .goOn])
    #expect(visit.stages == ["Account", "Lampost Lights", "Connect"])
    visit.expectLanding(
      on: "Connected, but not set up yet", saying: ["Lampost Lights"], as: .desktopAtNight, #_sourceLocation)
    expect(outcome, row("Ud6Jn1Gs", isPending: true, login: "kai_lamps"))
    #expect(outcome.errors.contains("It does nothing until it is configured: 'ifttt configure Ud6Jn1Gs'."))
    #expect(try shown("Ud6Jn1Gs", "status,pending") == #"{"status":"enabled","pending":true}"#)
  }

  @Test func cancelingChangesNothing() throws {
    let words = ["connections", "activate", "Ud6Jn1Gs", "--email", "kai@mail.test"]
    let (visit, outcome) = try activate(words, by: [.goOn, .goOn, .cancel])
    visit.expectLanding(
      on: "Canceled", saying: ["Lampost Lights", "Nothing was changed."], as: .phone, #_sourceLocation)
    #expect(outcome.status == 1 && outcome.code == "user_cancelled" && outcome.text.isEmpty)
    #expect(try home.run("token", "list", "--json").text == "[]\n")
    #expect(try shown("Ud6Jn1Gs", "status") == #"{"status":"unknown"}"#)
  }

  /// The sandbox profile needs no server, because the program itself serves the sandbox's pages next to its callback
  /// URL.
  @Test func theSandboxProfileConnects() throws {
    let own = Home(nil, ["IFTTT_PROFILE": "sandbox"])
    let words = ["connections", "activate", "Ud6Jn1Gs", "--email", "kai@mail.test"]
    let (visit, outcome) = try activate(words, in: own, by: [.goOn, .goOn, .goOn, .goOn])
    visit.expectLanding(on: "Connected to Lampost Lights", saying: [], as: .phone, #_sourceLocation)
    expect(outcome, row("Ud6Jn1Gs", before: "never_enabled", login: "kai_lamps"))
    #expect(visit.wasRedirected(withToken: try storedToken(in: own)))
    #expect(try shown("Ud6Jn1Gs", "status", in: own) == #"{"status":"enabled"}"#)
  }
}
