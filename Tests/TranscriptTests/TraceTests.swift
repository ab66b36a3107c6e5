import Support
import Testing

/// The trace of requests: enough to find an error, and no secrets.
@Suite struct TraceTests {
  let server: Server
  let home: Home

  init() throws {
    server = try Server()
    home = Home(server)
  }

  private let everything = [
    "IFTTT_SERVICE_KEY": Known.serviceKey, "IFTTT_ACCESS_TOKEN": Known.oddAccessToken, "IFTTT_USER_ID": Known.oddUser,
    "IFTTT_INVITE_CODE": "lantern-4417-and-more",
  ]

  @Test(arguments: [
    ["token", "exchange"], ["token", "exchange", "--dry-run"], ["connections", "show", "one", "fault-401"],
    ["token", "verify"], ["connections", "show", "fault-reset", "--retries", "1"],
    ["applets", "fetch", "--service", "lampost"],
    ["connections", "list"], ["token", "list"], ["token", "show"], ["store", "info"], ["profile", "show"],
  ])
  func printsNoSecrets(_ words: [String]) throws {
    #expect(try home.run(["token", "exchange"], everything).status == 0)
    for format in ["table", "json"] {
      let outcome = try home.run(words + ["-v", "-o", format], everything)
      for secret in Known.secrets + ["lantern-4417-and-more", "at%20%3D%207f%2620%2Fc1%2B%C3%BC"] {
        #expect(!outcome.text.contains(secret), "\(outcome.text)")
        #expect(!outcome.errors.contains(secret), "\(outcome.errors)")
      }
      if !words.contains("--dry-run"), words.contains("show"), words.contains("one") {
        #expect(outcome.errors.contains("GET \(server.base)/v2/connections/one"), "\(outcome.errors)")
      }
    }
    _ = try server.requests()
  }

  @Test func aDryRunSendsNoChanges() throws {
    for words in [
      ["token", "exchange", "--dry-run"], ["connections", "disable", "one", "--dry-run"],
      ["api", "POST", "/v2/connections/one/disable", "--dry-run"],
    ] {
      let environment = words[0] == "token" ? everything : Known.asUser
      let outcome = try home.run(words + ["--json"], environment)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.text.contains(#""method":"POST""#))
    }
    #expect(try server.records().allSatisfy { $0.method == "GET" })
  }

  @Test func quietPrintsNothing() throws {
    let outcome = try home.run("connections", "show", "one", "-q", "--json")
    #expect(outcome.errors == "")
  }
}
