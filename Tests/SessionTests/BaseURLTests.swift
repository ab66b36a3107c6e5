import HTTP
import ProgramDriver
import Support
import Testing

@testable import Session

/// Which hosts requests are sent to, and which are rejected.
@Suite struct BaseURLTests {
  @Test(arguments: ["ftp://example.com", "nonsense", "https://user:pw@example.com", "https://"])
  func aBadURLNamesTheVariable(_ url: String) {
    let home = Home()
    home.environment["IFTTT_CONNECT_URL"] = url
    let refused = home.run("connections show aa")
    #expect(refused.exit == .usage)
    #expect(refused.notes.first == "ifttt: IFTTT_CONNECT_URL: not a usable base URL")
    #expect(refused.notes.last == "  It should look like https://connect.ifttt.com.")
    #expect(refused.output == "")
  }

  @Test(arguments: ["http://example.com", "http://10.0.0.1:8080/x"])
  func plainHTTPToAnotherHostNamesTheOption(_ url: String) throws {
    let home = Home()
    home.environment["IFTTT_CONNECT_URL"] = url
    for list in [nil, "www.example.com,com,10.0.0.2"] {
      home.environment["IFTTT_ALLOW_HTTP"] = list
      let refused = home.run("connections show aa")
      #expect(refused.exit == .usage)
      #expect(refused.notes.first == "ifttt: IFTTT_CONNECT_URL: not a usable base URL")
      let host = try WebURL.beforeHostCheck(url).host
      #expect(refused.errors.contains("IFTTT_ALLOW_HTTP=\(host)"), "\(refused.errors)")
      #expect(refused.errors.contains("profile set default --allow-http \(host)'"), "\(refused.errors)")
    }
  }

  @Test(arguments: [
    "http://127.0.0.1:8080", "http://[::1]:8080", "http://localhost:8080/proxy/", "https://proxy.example/ifttt",
  ])
  func requestsGoToACustomHost(_ url: String) {
    let home = Home()
    home.environment["IFTTT_CONNECT_URL"] = url
    let server = Server().answering(200, Server.connection("aa"))
    #expect(home.run("connections show aa", answers: server).exit == .success)
    let base = url.hasSuffix("/") ? String(url.dropLast()) : url
    #expect(server.requests.first?.url.redacted == "\(base)/v2/connections/aa")
  }

  @Test func theEnvironmentOverridesTheProfilesURL() {
    let home = Home()
    home.run("profile create staging --connect-url https://staging.example")
    let staging = Server().answering(200, Server.connection("aa"))
    home.run("--profile staging connections show aa", answers: staging)
    #expect(staging.requests.first?.url.redacted == "https://staging.example/v2/connections/aa")
    home.environment["IFTTT_CONNECT_URL"] = "https://other.example"
    let other = Server().answering(200, Server.connection("aa"))
    home.run("--profile staging connections show aa", answers: other)
    #expect(other.requests.first?.url.redacted == "https://other.example/v2/connections/aa")
    #expect(home.sandbox("connections show Kd7Rn2Qx --fields id").exit == .success, "the sandbox ignores base URLs")
  }

  @Test func aProfileRejectsAnInvalidURLImmediately() {
    let refused = Home().run("profile create staging --connect-url http://staging.example")
    #expect(refused.exit == .usage)
    #expect(refused.notes.first == "ifttt: plain http is not allowed for 'staging.example'")
    #expect(refused.errors.contains("--allow-http staging.example;"))
  }

  private static let note =
    "Requests to ifttt use plain http: tokens travel in the clear, and the network can read them."

  @Test func theEnvironmentAllowsPlainHTTP() {
    let home = Home()
    home.environment = ["IFTTT_CONNECT_URL": "http://ifttt:8080", "IFTTT_ALLOW_HTTP": "other.test, IFTTT"]
    let server = Server().answering(200, Server.connection("aa")).answering(200, Server.connection("bb"))
    let shown = home.run("connections show aa bb", answers: server)
    #expect(shown.exit == .success)
    #expect(shown.notes == [Self.note], "once per run")
    #expect(server.requests.first?.url.redacted == "http://ifttt:8080/v2/connections/aa")
    #expect(
      home.run("--quiet connections show aa", answers: Server().answering(200, Server.connection("aa"))).errors == "")
    #expect(home.run("api v2/me --dry-run").errors.contains(Self.note) == false, "nothing is sent")
  }

  @Test(arguments: ["ifttt:8080", "*.test", "ifttt,", "http://ifttt"])
  func anInvalidListOfHostsIsAUsageError(_ list: String) {
    let home = Home()
    home.environment = ["IFTTT_CONNECT_URL": "http://ifttt:8080", "IFTTT_ALLOW_HTTP": list]
    let refused = home.run("connections show aa")
    #expect(refused.exit == .usage && refused.notes.first == "ifttt: IFTTT_ALLOW_HTTP: not a list of hosts")
  }

  @Test func aProfileAllowsPlainHTTP() {
    let home = Home()
    let created = home.run("profile create box --base-url http://ifttt:8080 --allow-http ifttt,other --json")
    #expect(created.exit == .success && created.output.contains(#""allow_http":"ifttt,other""#), "\(created.errors)")
    let shown = home.run("--profile box connections show aa", answers: Server().answering(200, Server.connection("aa")))
    #expect(shown.exit == .success && shown.notes == [Self.note])
    home.environment["IFTTT_CONNECT_URL"] = "http://ifttt:8080"
    #expect(home.run("connections show aa").exit == .usage, "another profile does not allow it")
    home.environment = [:]
    #expect(home.run("profile set box --allow-http ''").exit == .success)
    let refused = home.run("--profile box connections show aa")
    #expect(refused.exit == .usage)
    #expect(refused.errors.contains("profile set box --allow-http ifttt"))
    for list in ["ifttt:1", "*"] { #expect(home.run("profile set box --allow-http '\(list)'").exit == .usage) }
    #expect(home.run("profile set sandbox --allow-http ifttt").exit == .failure)
  }

  @Test func aRedirectMayLeadToAnAllowedHostOnly() {
    let home = Home()
    home.environment = ["IFTTT_CONNECT_URL": "http://ifttt", "IFTTT_ALLOW_HTTP": "ifttt,other"]
    func answer(_ location: String) -> Server {
      Server().answering(302, headers: [Server.field("Location", location)])
    }
    let followed = answer("http://other/x").answering(200, Server.connection("aa"))
    #expect(home.run("connections show aa", answers: followed).exit == .success)
    #expect(followed.requests.last?.url.redacted == "http://other/x")
    let refused = home.run("connections show aa", answers: answer("http://elsewhere/x"))
    #expect(refused.exit != .success && refused.errors.contains("redirects to a URL that is not accepted"))
  }
}
