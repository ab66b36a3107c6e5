import HTTP
import ProgramDriver
import Support
import Testing

@testable import Session

/// Which hosts requests are sent to, and which are rejected.
@Suite struct BaseURLTests {
  @Test(arguments: [
    "http://example.com", "http://10.0.0.1", "ftp://example.com", "nonsense", "https://user:pw@example.com", "https://",
  ])
  func aBadURLNamesTheVariable(_ url: String) {
    let home = Home()
    home.environment["IFTTT_CONNECT_URL"] = url
    let refused = home.run("connections show aa")
    #expect(refused.exit == .usage)
    #expect(refused.notes.first == "ifttt: IFTTT_CONNECT_URL: not a usable base URL")
    #expect(
      refused.notes.last
        == "  It should look like https://connect.ifttt.com; plain http is accepted only for a loopback address.")
    #expect(refused.output == "")
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
    #expect(refused.notes.first?.hasPrefix("ifttt: ") == true)
  }
}
