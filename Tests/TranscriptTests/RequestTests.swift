import Support
import Testing

/// Every request as sent over the network, with a server that accepts only what `docs/api` describes.
@Suite struct RequestTests {
  let server: Server
  let home: Home

  init() throws {
    server = try Server()
    home = Home(server)
  }

  private func lines() throws -> [String] { try server.requests().map { "\($0.level) \($0.line)" } }

  @Test func showsAConnectionAnonymously() throws {
    let outcome = try home.run("connections", "show", "Kd7Rn2Qx", "--json")
    #expect(outcome.status == 0)
    #expect(try lines() == ["none GET /v2/connections/Kd7Rn2Qx"])
  }

  @Test func aUserTokenNeedsNoUserID() throws {
    let outcome = try home.run(
      ["connections", "show", "Kd7Rn2Qx", "--fields", "status", "-o", "tsv", "--no-header"],
      ["IFTTT_USER_TOKEN": Known.userToken, "IFTTT_USER_ID": Known.user, "IFTTT_SERVICE_KEY": Known.serviceKey])
    #expect(outcome.text == "enabled\n")
    let record = try #require(try server.requests().first)
    #expect(record.header("Authorization") == "Bearer \(Known.userToken)")
    #expect(record.line == "GET /v2/connections/Kd7Rn2Qx")
  }

  @Test func aServiceKeyNamesTheUserInTheQuery() throws {
    let environment = ["IFTTT_SERVICE_KEY": Known.serviceKey, "IFTTT_USER_ID": Known.oddUser]
    #expect(try home.run(["connections", "show", "Kd7Rn2Qx"], environment).status == 0)
    #expect(
      try lines() == ["service GET /v2/connections/Kd7Rn2Qx?user_id=kai%20%26%20co%2F%C3%BC%2B1%25"])
    #expect(try server.requests()[0].header("IFTTT-Service-Key") == Known.serviceKey)
  }

  @Test func unusualIDsAreOnePathSegment() throws {
    let ids = ["a b", "a+b", "%2F", "ü", "a&b=c;d", "日本", "a@b:c", "'\"<>\\^`{|}", "~-._", "..."]
    let outcome = try home.run(["connections", "show"] + ids + ["--json", "--fields", "id"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      try Set(server.requests().map(\.target)) == [
        "/v2/connections/a%20b", "/v2/connections/a%2Bb", "/v2/connections/%252F", "/v2/connections/%C3%BC",
        "/v2/connections/a%26b%3Dc%3Bd", "/v2/connections/%E6%97%A5%E6%9C%AC", "/v2/connections/a%40b%3Ac",
        "/v2/connections/%27%22%3C%3E%5C%5E%60%7B%7C%7D", "/v2/connections/~-._", "/v2/connections/...",
      ])
  }

  @Test func idsThatWouldChangeThePathAreRejected() throws {
    for id in ["a/b", "a?b", "a#b", "..", ".", "", "a\u{7}b", "a\u{85}b"] {
      #expect(try home.run(["connections", "show", "--", id]).status == 2, "\(id.debugDescription)")
      #expect(try server.requests().isEmpty, "\(id.debugDescription)")
    }
  }

  @Test func disablesAndEnables() throws {
    let off = try home.run(["connections", "disable", "Kd7Rn2Qx", "quiet-one", "off-two", "--json"], Known.asUser)
    #expect(off.status == 0, "\(off.errors)")
    let on = try home.run(["connections", "enable", "Kd7Rn2Qx", "--max-age", "0", "-o", "tsv"], Known.asUser)
    #expect(on.text.hasSuffix("Kd7Rn2Qx\tenabled\tdisabled\ttrue\t\n"), "\(on.text)")
    // A response without a body proves nothing, so that connection is fetched again.
    #expect(
      try lines().sorted() == [
        "user GET /v2/connections/Kd7Rn2Qx", "user GET /v2/connections/Kd7Rn2Qx", "user GET /v2/connections/off-two",
        "user GET /v2/connections/quiet-one", "user GET /v2/connections/quiet-one",
        "user POST /v2/connections/Kd7Rn2Qx/disable", "user POST /v2/connections/Kd7Rn2Qx/enable",
        "user POST /v2/connections/quiet-one/disable",
      ])
  }

  @Test func neverEnabledConnectionsAreNotEnabled() throws {
    let outcome = try home.run(["connections", "enable", "never-one", "--json"], Known.asUser)
    #expect(outcome.status == 1)
    #expect(outcome.code == "never_enabled")
    #expect(try lines() == ["user GET /v2/connections/never-one"])
  }

  @Test(arguments: [
    ([:], "none GET /v2/me"), (Known.asUser, "user GET /v2/me"), (Known.asService, "service GET /v2/me"),
    (Known.asService.merging(["IFTTT_USER_ID": "7"]) { $1 }, "service GET /v2/me?user_id=7"),
  ])
  func verifiesEachCredential(_ environment: [String: String], _ line: String) throws {
    let words = ["token", "verify", "--json"] + (environment.isEmpty ? ["--as", "anonymous"] : [])
    #expect(try home.run(words, environment).status == 0)
    #expect(try lines() == [line])
  }

  @Test func sendsTheInviteCodeAsAHeader() throws {
    let words = ["connections", "show", "a", "--invite-code", "lantern-4417"]
    #expect(try home.run(words).status == 0)
    #expect(try server.requests()[0].header("IFTTT-Invite-Code") == "lantern-4417")
  }

  @Test func listsAppletsByOrderAndPlatform() throws {
    let fetch = ["applets", "fetch", "--service", "lampost"]
    #expect(try home.run(fetch).status == 0)
    #expect(try home.run(fetch + ["--order", "enabled_count_desc", "--platform", "ios"], Known.asUser).status == 0)
    let environment = Known.asService.merging(["IFTTT_USER_ID": "ü"]) { $1 }
    #expect(try home.run(fetch + ["--order", "published_at_asc"], environment).status == 0)
    #expect(try home.run(fetch + ["mB3xWq7T", "a b", "--jobs", "1"], environment).status == 0)
    #expect(
      try lines() == [
        "none GET /v1/services/lampost/applets",
        "user GET /v1/services/lampost/applets?order=enabled_count_desc&platform=ios",
        "service GET /v1/services/lampost/applets?order=published_at_asc&user_id=%C3%BC",
        "service GET /v1/services/lampost/applets/mB3xWq7T?user_id=%C3%BC",
        "service GET /v1/services/lampost/applets/a%20b?user_id=%C3%BC",
      ])
  }

  @Test func sendsAnyAPIRequest() throws {
    #expect(try home.run(["api", "GET", "/v2/me"], Known.asUser).status == 0)
    #expect(try home.run(["api", "GET", "/v2/me", "-f", "user_id=ü&1"], Known.asService).status == 0)
    #expect(try home.run(["api", "POST", "/v2/connections/a/disable"], Known.asUser).status == 0)
    #expect(
      try lines() == [
        "user GET /v2/me", "service GET /v2/me?user_id=%C3%BC%261", "user POST /v2/connections/a/disable",
      ])
  }

  @Test func everyFixtureCanBeShown() throws {
    let ids = (0..<13).map { "fixture-\($0)" }
    // Each file has its own id, so none of them is a valid response to the request.
    let outcome = try home.run(["connections", "show", "--json"] + ids)
    #expect(outcome.status == 5)
    #expect(outcome.code == "bad_response")
    for id in ids {
      let raw = try home.run(["api", "GET", "/v2/connections/\(id)"])
      #expect(raw.status == 0)
      #expect(raw.output.first == UInt8(ascii: "{"))
    }
    #expect(try server.requests().count == 26)
  }
}
