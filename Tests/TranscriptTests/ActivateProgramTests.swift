import Foundation
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `connections activate` as a program, with a scripted browser, a server that validates the URL it opens, and the
/// program's own listener between them.
@Suite struct ActivateProgramTests {
  private let server: Server
  private let home: Home
  private let seen = TemporaryFolder()

  init() throws {
    server = try Server()
    home = Home(server, ["IFTTT_WEB_URL": server.base])
  }

  /// The observations of the browser.
  private struct Observations: Decodable {
    var statuses: [String: Int]
    var returns: [Int]?
    var headers: [String: String]
    var body: String
  }

  private func browser(_ mode: String) throws -> [String: String] {
    let script = try #require(Bundle.module.resourceURL).appendingPathComponent("Servers/browser.py").path
    return ["BROWSER": "\(try Tool.required("python3").path) -B \(script) \(mode) \(seen.path)/seen %s"]
  }

  /// Wait for the browser to finish, which may happen after the program exits.
  private func observations() throws -> Observations {
    waitUntil(seen.text("seen") != nil)
    return try JSONDecoder().decode(Observations.self, from: Data((seen.text("seen") ?? "").utf8))
  }

  private func storedToken() throws -> String { try home.run("token", "show", "--print").text }

  @Test func aNewUserIsConnected() throws {
    let words = [
      "connections", "activate", "never-ok-1", "--email", "new+kai@mail.test", "--invite-code", "lantern 1", "--json",
    ]
    let outcome = try home.run(words, browser("follow").merging(["LC_ALL": "fr_CA.UTF-8"]) { $1 })
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      outcome.text
        == #"{"id":"never-ok-1","name":"Lamps of never-ok-1","status":"enabled","previous_status":"unknown","#
        + #""pending":false,"token_saved":true,"user_login":"kai_lamps","url_kind":"sdk"}"# + "\n")
    let requests = try server.requests()
    #expect(
      requests.map { $0.target.split(separator: "?")[0] } == [
        "/v2/connections/never-ok-1", "/v2/account/find", "/access/api/never-ok-1", "/v2/me",
        "/v2/connections/never-ok-1",
      ])
    #expect(
      requests[2].target.contains(
        "&invite_code=lantern%201&locale=fr-CA&email=new%2Bkai%40mail.test&sdk_create_account=true"))
    #expect(requests[0].header("ifttt-invite-code") == "lantern 1")
    let observations = try observations()
    #expect(observations.returns == [200])
    #expect(observations.body.contains("Lampost Lights") && observations.body.contains("lang=\"fr-CA\""))
    #expect(observations.headers["Content-Security-Policy"]?.hasPrefix("default-src 'none'") == true)
    #expect(try storedToken() == Known.userToken + "\n")
    for text in [outcome.errors, outcome.text, observations.body] { #expect(!text.contains(Known.userToken)) }
    #expect(try home.isIntact())
  }

  @Test func hostileRequestsAreIgnored() throws {
    let words = ["connections", "activate", "never-ok-2", "--email", "kai@mail.test", "--json", "--verbose"]
    let outcome = try home.run(words, browser("hostile"))
    #expect(outcome.status == 0, "\(outcome.errors)")
    let observations = try observations()
    #expect(
      observations.statuses == [
        "page": 303, "favicon": 404, "other path": 404, "root": 404, "other host": 421, "post": 405, "head": 405,
        "long line": 431,
      ])
    // One of two concurrent redirects is accepted; the other may no longer find a listener.
    #expect(observations.returns?.first == 200 && [0, 404].contains(observations.returns?.last))
    #expect(try storedToken() == Known.userToken + "\n")
    for secret in [Known.userToken, "evil"] { #expect(!outcome.errors.contains(secret)) }
  }

  @Test func aServiceKeyOpensTheDocumentedPage() throws {
    let words = ["connections", "activate", "never-ok-3", "--email", "kai@mail.test", "--skip-config", "--json"]
    let more = Known.asService.merging(["IFTTT_USER_ID": Known.user]) { $1 }
    let outcome = try home.run(words, browser("follow").merging(more) { $1 })
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      outcome.text.contains(#""status":"enabled","previous_status":"never_enabled","pending":true,"token_saved":false"#)
    )
    let opened = try #require(server.requests().first { $0.target.hasPrefix("/connect/") }?.target)
    #expect(opened.hasPrefix("/connect/never-ok-3?email=kai%40mail.test&redirect_uri=http%3A%2F%2F127.0.0.1%3A"))
    #expect(opened.hasSuffix("&skip_config=true"))
    let listing = try home.run(["connections", "list", "--offline", "--json", "--fields", "id,pending"])
    #expect(listing.text.contains("\"pending\": true") || listing.text.contains("\"pending\":true"))
  }

  @Test(arguments: [("never-cancel-1", "user_cancelled"), ("never-sign-in-1", "authorization_failed")])
  func aFailedActivationFails(id: String, code: String) throws {
    let outcome = try home.run(
      ["connections", "activate", id, "--email", "kai@mail.test", "--json"], browser("follow"))
    #expect(outcome.status == 1)
    #expect(outcome.code == code)
    #expect(try observations().returns == [200])
    #expect(try home.run("token", "list", "--json").text == "[]\n")
  }

  @Test(arguments: [SIGINT, SIGTERM]) func aSignalEndsTheWait(_ signal: Int32) throws {
    let words = ["connections", "activate", "never-stay-1", "--email", "kai@mail.test", "--no-browser"]
    let running = try home.start(words)
    running.read(until: "sdk_platform=ifttt-cli", from: running.errors)
    running.signal(signal)
    #expect(running.wait() == 130)
    #expect(running.readToEnd() == "")
    #expect(running.readToEnd(running.errors).hasSuffix("\nifttt: interrupted\n"))
    #expect(try home.isIntact())
  }

  @Test func timesOutWaitingForTheBrowser() throws {
    let words = ["connections", "activate", "never-stay-2", "--email", "kai@mail.test", "--timeout", "300ms", "--json"]
    let outcome = try home.run(words, browser("follow"))
    #expect(outcome.status == 5)
    #expect(outcome.code == "timeout")
    #expect(try observations().statuses == ["page": 200])
  }

  @Test func aFailedWriteKeepsTheToken() throws {
    let words = ["connections", "activate", "never-ok-4", "--email", "kai@mail.test", "--json"]
    let outcome = try home.run(words, browser("follow"), output: "/dev/full")
    #expect(outcome.status == 1)
    #expect(outcome.code == "output_failed")
    #expect(try storedToken() == Known.userToken + "\n")
  }

  @Test func aPortInUseIsReportedBeforeTheBrowserOpens() throws {
    let port = try ClosedPort()
    let words = [
      "connections", "activate", "never-ok-5", "--email", "kai@mail.test", "--json", "--redirect-uri",
      "\(port.base)/back",
    ]
    let outcome = try home.run(words, browser("follow"))
    #expect(outcome.status == 1)
    #expect(outcome.code == "refused")
    #expect(try !server.requests().contains { $0.target.hasPrefix("/access") })
  }

  @Test func acceptsAPastedURLOnATerminal() throws {
    let words = [
      "connections", "activate", "never-stay-3", "--email", "kai@mail.test", "--redirect-uri", "lampost://done",
      "--no-browser",
    ]
    let running = try home.start(onTerminal: words)
    let shown = running.read(until: "sdk_version")
    let nonce = try #require(shown.firstMatch(of: /nonce%3D([0-9a-f]{40})/)?.1)
    running.read(until: "…")
    running.type("lampost://done?next_step=complete&nonce=bad\n")
    running.read(until: "part of the expected query")
    running.type("lampost://done?nonce=\(nonce)&next_step=complete&user_token=\(Known.userToken)\n")
    let rest = running.read(until: "\nstatus 1")
    #expect(rest.hasSuffix("status 1"))
    running.type("\n")
    // The strict server does not know that the page was completed, so it reports that the connection is not enabled.
    #expect(rest.contains("the connection is not enabled"))
    #expect(try storedToken() == Known.userToken + "\n")
  }
}
