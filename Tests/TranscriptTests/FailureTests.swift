import Support
import Testing

/// Failures as seen by a script: the exit code, the error code, the message and the hint. Those that need no server are
/// in Transcripts/failures.txt and Transcripts/base-urls.txt.
@Suite struct FailureTests {
  @Test func aRefusedConnectionIsANetworkError() throws {
    let port = try ClosedPort()
    let home = Home(nil, ["IFTTT_CONNECT_URL": port.base])
    let outcome = try home.run("connections", "show", "a", "--json", "--retries", "0")
    #expect(outcome.status == 5)
    #expect(outcome.code == "network")
    let words = try home.run("connections", "show", "a", "--retries", "0")
    let lines = words.errors.split(separator: "\n")
    #expect(lines.count == 3, "\(words.errors)")
    #expect(lines.first?.hasPrefix("ifttt: no response from http://127.0.0.1:") == true)
    #expect(lines.last?.hasPrefix("  Nothing listens on this port.") == true, "\(words.errors)")
  }

  @Test func anUnknownHostIsANetworkError() throws {
    let home = Home(nil, ["IFTTT_CONNECT_URL": "https://nowhere.invalid"])
    let outcome = try home.run("connections", "show", "a", "--json", "--retries", "0")
    #expect(outcome.status == 5)
    #expect(outcome.code == "network")
  }

  @Test func offlineSendsNoRequests() throws {
    let server = try Server()
    let home = Home(server, Known.asUser)
    for words in [
      ["connections", "show", "a"], ["connections", "enable", "a"], ["token", "verify"], ["api", "GET", "/v2/me"],
    ] {
      let outcome = try home.run(words + ["--offline", "--json"])
      #expect([1, 3, 5].contains(outcome.status), "\(words): \(outcome.errors)")
    }
    #expect(try server.requests().isEmpty)
  }

  @Test(
    arguments: [
      (["connections", "show", "none-1"], [:], 3, "not_found"),
      (["connections", "show", "none-1", "none-2"], [:], 3, "not_found"),
      (["connections", "show", "one", "none-2"], [:], 6, "partial"),
      (["connections", "show", "fault-500", "none-2"], [:], 6, "partial"),
      (["connections", "show", "one"], ["IFTTT_USER_TOKEN": "wrong"], 4, "unauthorized"),
      (["connections", "show", "one"], ["IFTTT_SERVICE_KEY": "wrong"], 4, "unauthorized"),
      (["token", "verify"], ["IFTTT_USER_TOKEN": "wrong"], 4, "unauthorized"),
      (["token", "exchange", "--user-id", "u"], Known.asService, 4, "credentials_missing"),
      (["token", "exchange"], Known.asService, 4, "credentials_missing"),
      (["connections", "enable", "never-1"], Known.asUser, 1, "never_enabled"),
      (["connections", "enable", "off-1", "never-2"], Known.asUser, 6, "partial"),
      (["connections", "disable", "one", "--dry-run", "--exit-code", "-q"], Known.asUser, 8, "differs"),
      (["token", "set", "--user-token-file", "/nowhere"], [:], 4, "credentials_missing"),
    ] as [([String], [String: String], Int32, String)])
  func eachFailureHasItsExitCode(
    _ words: [String], _ environment: [String: String], _ status: Int32, _ code: String
  ) throws {
    let server = try Server.shared()
    let home = Home(server, environment)
    let outcome = try home.run(words + ["--json"])
    #expect(outcome.status == status, "\(outcome.errors)")
    #expect(outcome.code == code, "\(outcome.errors)")
    #expect(outcome.errors.split(separator: "\n").count == 1)
    // JSON output never changes the exit code.
    #expect(try home.run(words).status == status)
    _ = try server.requests()
  }

  @Test func aListWithStaleRowsIsPrinted() throws {
    let server = try Server()
    let home = Home(server)
    #expect(try home.run("connections", "add", "one", "two").status == 0)
    let port = try ClosedPort()
    home.environment["IFTTT_CONNECT_URL"] = port.base
    let words = ["connections", "list", "--retries", "0", "--json", "--fields", "id,stale"]
    let stale = try home.run(words + ["--max-age", "1ms"])
    #expect(stale.status == 0)
    #expect(stale.text == "[\n" + #"{"id":"one","stale":true},"# + "\n" + #"{"id":"two","stale":true}"# + "\n]\n")
    #expect(stale.errors.split(separator: "\n").count == 1)
    let fresh = try home.run(words + ["--max-age", "0"])
    #expect(fresh.status == 5)
    #expect(fresh.text == stale.text)
  }
}
