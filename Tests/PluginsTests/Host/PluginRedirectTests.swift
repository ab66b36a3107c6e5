import Foundation
import HTTP
import PluginProtocol
import Plugins
import ProgramDriver
import Session
import Support
import Testing
import World

/// A plugin's sign-in through the browser: listener, page and pasted URLs.
@Suite struct PluginRedirectTests {
  let home = Home()
  let port = HeldPort()
  private let shelf = FakeProvider("shelf", [.showConnection, .enableConnection])
  private final class Waits {
    var steps: [() -> Result<WakeReason, InputError>] = []
    var pages: [Reply] = []
  }
  private let waits = Waits()

  private static let bound = "http://127.0.0.1:47823/callback"

  init() {
    home.listener = port
    home.terminal = .interactive()
    home.environment["DISPLAY"] = ":0"
  }

  /// The result of a sign-in that binds, opens and finishes.
  private func signIn(
    _ change: (String, Value)? = nil, _ options: String = "", binding wanted: String? = nil,
    input: ScriptedInput? = nil, finishing outcome: String = "success"
  ) -> (answers: [Result<Value, PluginError>], outcome: Home.Outcome) {
    var request: Value = [
      "url": "https://id.test/authorize?x=1", "redirect_uri": Value(Self.bound), "state": "s-1", "iss": nil,
      "open_browser": true, "timeout_ms": 300_000, "single_use": true,
    ]
    if let change { request = request.with(change.0, change.1) }
    shelf.answers["connections/enable"] = { [request] _ in
      [
        .ask("redirect/bind", ["redirect_uri": Value(wanted), "path": "/callback"]), .ask("redirect/open", request),
        .ask("redirect/finish", ["outcome": Value(outcome)]), .enabled,
      ]
    }
    FakeProvider.install([shelf], in: home)
    let before = home.prepare
    home.prepare = { [waits] test in
      before(test)
      test.processes.browser = .success(())
      test.input.whileWaiting = { (limit, _) throws(InputError) in
        guard !waits.steps.isEmpty else {
          test.clock.advance(by: limit)
          return .timeUp
        }
        return try waits.steps.removeFirst()().get()
      }
    }
    let outcome = home.run("connections enable shelf:s1 \(options)", input: input)
    return (shelf.responses, outcome)
  }

  private func returns(_ target: String, _ method: String = "GET") {
    waits.steps.append { [waits, port] in
      if let page = port.answer(target, method) { waits.pages.append(page) }
      return .success(.message)
    }
  }

  @Test func theBrowserRedirectIsReceived() throws {
    returns("/callback?code=c%201&state=s-1")
    let (answers, outcome) = signIn()
    #expect(
      answers == [
        .success(["redirect_uri": Value(Self.bound)]),
        .success(["redirect_uri": Value(Self.bound), "query": "code=c%201&state=s-1", "via": "listener"]),
        .success([:]),
      ])
    #expect(home.last?.processes.pages == ["https://id.test/authorize?x=1"])
    #expect(outcome.errors.contains("https://id.test/authorize?x=1\n"))
    // The notes do not contain the redirect's query.
    #expect(!outcome.errors.contains("code="))
    #expect(outcome.exit == .success)
    #expect(port.settings.first?.address == LoopbackAddress(port: 0))
    #expect(port.settings.first?.connectionLimit == 16)
    #expect(port.closed == 1)
    // The page waited for the outcome.
    let page = try #require(waits.pages.first?.deferred?.current)
    #expect(page.status == 200)
    #expect(String(decoding: page.body, as: UTF8.self).contains("Connected"))
    #expect(!String(decoding: page.body, as: UTF8.self).contains("s-1"))
    let policy = page.field("Content-Security-Policy")
    #expect(policy?.hasPrefix("default-src 'none'; style-src 'sha256-") == true)
    #expect(page.field("Cache-Control") == "no-store")
    #expect(page.field("Referrer-Policy") == "no-referrer")
  }

  /// A browser command may fetch the redirect before it exits.
  @Test func aRedirectBeforeTheBrowserCommandEndsIsReceived() throws {
    let before = home.prepare
    home.prepare = { [port, waits] test in
      before(test)
      test.processes.whileBrowsing = { _ in
        if let page = port.answer("/callback?code=c&state=s-1") { waits.pages.append(page) }
      }
    }
    waits.steps = [{ .success(.message) }]
    let (answers, outcome) = signIn()
    #expect(
      answers[1] == .success(["redirect_uri": Value(Self.bound), "query": "code=c&state=s-1", "via": "listener"]))
    #expect(waits.pages.first?.deferred?.current?.status == 200 && outcome.exit == .success)
    #expect(home.last?.clock.monotonic() ?? .seconds(300) < .seconds(300))
  }

  /// A browser may use either address family for the name.
  @Test(arguments: LoopbackAddress.Host.allCases) func theNameOfThisMachineIsAccepted(_ family: LoopbackAddress.Host) {
    let bound = "http://localhost:47823/callback"
    for host in ["127.0.0.1:47823", "localhost:47823"] {
      waits.steps.append { [waits, port] in
        if let page = port.answer("/callback?code=c&state=s-1", host: host, over: family) { waits.pages.append(page) }
        return .success(host.hasPrefix("localhost") ? .message : .timeUp)
      }
    }
    let (answers, _) = signIn(("redirect_uri", Value(bound)), binding: "http://localhost:0/callback")
    #expect(answers.first == .success(["redirect_uri": Value(bound)]))
    #expect(
      answers.dropFirst().first
        == .success(["redirect_uri": Value(bound), "query": "code=c&state=s-1", "via": "listener"]))
    #expect(port.settings.map(\.address) == [LoopbackAddress(.v4, port: 0), LoopbackAddress(.v6, port: 47823)])
    #expect(waits.pages.first?.status == 421 && waits.pages.last?.deferred != nil)
    #expect(port.closed == 2)
  }

  @Test func aPortThatIsTakenInOneFamilyIsTriedNoMoreThanFiveTimes() {
    port.taken = [47823]
    #expect(code(signIn(binding: "http://localhost:0/callback").answers[0]) == "conflict")
    #expect(port.settings.count == 10 && port.closed == 5)
  }

  @Test func aMachineWithoutIPv6ListensOnIPv4() {
    port.missing = [.v6]
    #expect(
      signIn(binding: "http://localhost/callback").answers[0]
        == .success(["redirect_uri": "http://localhost:47823/callback"]))
  }

  @Test(arguments: ["http://localhost.evil.test/", "http://a@localhost/", "https://localhost/", "http://id.test/"])
  func otherHostsAreNotListenedOn(_ uri: String) {
    guard case .failure(let error) = signIn(binding: uri).answers[0] else { return #expect(Bool(false)) }
    #expect(error.number == -32602 && port.settings.isEmpty)
  }

  @Test(arguments: [
    (nil, "success", "Connected"), ("Lamps & Co", "success", "Connected to"),
    (nil, "failure", "Signing in to the service did not work."), ("Lamps & Co", "failure", "did not work."),
  ])
  func thePageShowsTheOutcome(_ service: String?, _ outcome: String, _ text: String) throws {
    returns("/callback?code=c&state=s-1")
    _ = signIn(("service_name", Value(service)), finishing: outcome)
    let body = String(decoding: try #require(waits.pages.first?.deferred?.current).body, as: UTF8.self)
    #expect(body.contains(text) && body.contains("Lamps &amp; Co") == (service != nil))
    #expect(!body.contains("gave no reason"), "IFTTT is not involved")
  }

  @Test(arguments: ["localhost:47823", "127.0.0.1", "127.0.0.1:47824", "evil.test:47823", "evil.test"])
  func otherHostHeadersAreRejected(_ host: String) {
    waits.steps.append { [waits, port] in
      if let page = port.answer("/callback?code=c&state=s-1", host: host) { waits.pages.append(page) }
      return .success(.timeUp)
    }
    returns("/callback?code=c&state=s-1")
    let (answers, _) = signIn()
    #expect(waits.pages.map(\.status).first == 421 && answers.count == 3)
  }

  @Test func unexpectedRequestsHaveNoEffect() {
    returns("/favicon.ico")
    returns("/callback?code=c&state=s-1", "HEAD")
    returns("/callback?code=c&state=wrong")
    returns("/callback?code=c&code=d&state=s-1")
    returns("/callback?code=c&state=s-1")
    // After the redirect, later requests have no effect.
    returns("/callback?code=d&state=s-1")
    let (answers, outcome) = signIn()
    #expect(waits.pages.map(\.status) == [404, 405, 400, 400, 500])
    #expect(waits.pages.last?.deferred != nil)
    #expect(answers.count == 3)
    #expect(outcome.notes.filter { $0.hasPrefix("Ignored an unexpected redirect") }.count == 1)
    #expect(outcome.exit == .success)
  }

  @Test func theURLCanBePasted() {
    waits.steps = (0..<40).map { _ in { .success(.input) } }
    let (answers, outcome) = signIn(
      input: .text("nonsense\n\(Self.bound)?code=c&state=other\n  \(Self.bound)?code=c&state=s-1\n"))
    #expect(
      answers[1]
        == .success(["redirect_uri": Value(Self.bound), "query": "code=c&state=s-1", "via": "paste"]))
    #expect(
      outcome.errors.contains(
        "Not the expected redirect URL: it does not belong to the sign-in that was\nstarted here.\n"))
  }

  @Test(arguments: [
    "\"\(bound)?code=c&state=s-1\"\n", "  <\(bound)?code=c&state=s-1>\n", "code=c&state=s-1\n", "'?code=c&state=s-1'\n",
  ])
  func acceptsCommonFormsOfPastedURLs(_ text: String) {
    waits.steps = (0..<20).map { _ in { .success(.input) } }
    let (answers, _) = signIn(input: .text(text))
    #expect(
      answers[1] == .success(["redirect_uri": Value(Self.bound), "query": "code=c&state=s-1", "via": "paste"]))
  }

  @Test func customSchemesAreAcceptedOnlyWhenPasted() {
    waits.steps = (0..<20).map { _ in { .success(.input) } }
    let (answers, _) = signIn(("redirect_uri", "myapp://back"), input: .text("myapp://back?state=s-1&code=c\n"))
    #expect(answers[1] == .success(["redirect_uri": "myapp://back", "query": "state=s-1&code=c", "via": "paste"]))
  }

  private func code(_ result: Result<Value, PluginError>) -> String? {
    if case .failure(let error) = result { error.code } else { nil }
  }

  @Test func timesOutWithoutARedirect() {
    let (answers, _) = signIn()
    #expect(code(answers[1]) == "timeout")
    #expect(home.last?.clock.monotonic() ?? .zero >= .seconds(300))
    #expect(port.closed == 1)
  }

  @Test func aDifferentIssuerEndsTheSignIn() {
    returns("/callback?code=c&state=s-1&iss=https%3A%2F%2Fevil.test")
    #expect(code(signIn(("iss", "https://id.test"), finishing: "failure").answers[1]) == "unknown_redirect")
    let page = String(decoding: waits.pages.first?.deferred?.current?.body ?? [], as: UTF8.self)
    #expect(page.contains("Not connected"))
  }

  @Test func aTakenPortIsAConflict() {
    port.taken = [0]
    let (answers, _) = signIn()
    #expect(code(answers[0]) == "conflict")
    // An address that is not bound cannot be opened.
    guard case .failure(let error) = answers[1] else { return #expect(Bool(false)) }
    #expect(error.number == -32602)
  }

  @Test(arguments: ["file:///etc/passwd", "javascript:alert(1)", "http://id.test/", "https://", "nonsense"])
  func onlyWebPagesAreOpened(_ url: String) {
    guard case .failure(let error) = signIn(("url", Value(url))).answers[1] else { return #expect(Bool(false)) }
    #expect(error.number == -32602)
    #expect(home.last?.processes.pages == [])
  }

  @Test func noBrowserIsOpenedWithoutATerminal() {
    home.terminal = .none
    let (answers, _) = signIn()
    #expect(code(answers[1]) == "usage")
    #expect(home.last?.processes.pages == [])
  }

  @Test(arguments: ["sh -c id", "/tmp/evil", ""]) func aPluginCannotChooseTheBrowser(_ command: String) {
    returns("/callback?code=c&state=s-1")
    #expect(signIn(("browser", Value(command))).outcome.exit == .success)
    #expect(home.last?.processes.browserCommands == [nil], "the user's browser is opened")
    // It cannot cause a browser to open by naming one, either.
    #expect(code(signIn(("browser", Value(command)), "--no-input").answers[4]) == "usage")
    #expect(home.last?.processes.pages == [])
  }

  @Test func withoutABrowserTheURLIsPrintedAndTheRedirectAwaited() {
    home.terminal = .none
    returns("/callback?code=c&state=s-1")
    let (answers, outcome) = signIn(("open_browser", false))
    #expect(answers.count == 3 && code(answers[1]) == nil)
    #expect(outcome.errors.contains("https://id.test/authorize?x=1\n"))
    #expect(home.last?.processes.pages == [])
  }

  @Test func noBrowserIsOpenedOverSSH() {
    home.environment["SSH_CONNECTION"] = "10.0.0.1 1 10.0.0.2 22"
    returns("/callback?code=c&state=s-1")
    #expect(signIn().answers.count == 3)
    #expect(home.last?.processes.pages == [])
  }

  @Test func ctrlCEndsTheCommandAndTheListener() {
    waits.steps = [{ .failure(.interrupted) }]
    #expect(signIn().outcome.exit == .interrupted)
    #expect(port.closed == 1)
  }
}

extension Reply {
  fileprivate func field(_ name: String) -> String? { fields.first { $0.isNamed(name) }?.value }
}
