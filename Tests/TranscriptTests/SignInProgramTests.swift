import Foundation
import Support
import Testing

/// People sign in at the service of `Examples/service` on the pages of a running sandbox.
@Suite(.enabled(if: PartnerServer.isAvailable, "skipped: needs python3 and curl"))
struct SignInProgramTests {
  private let files = TemporaryFolder()

  private func sandbox(for partner: PartnerServer, tokenURL: String? = nil) throws -> SandboxServer {
    try .signingIn(at: partner, files, tokenURL: tokenURL)
  }

  private func page(_ email: String, _ rest: String = "") -> String {
    "/access/api/lampost-2?sdk_return_to=http%3A%2F%2F127.0.0.1%3A9%2Fdone&email=\(email)\(rest)"
  }

  /// Sign in as a user of the service.
  private func signIn(_ email: String, as user: String, at partner: PartnerServer, _ server: SandboxServer) throws
    -> FormBrowser
  {
    var browser = FormBrowser(server.url, partner.url)
    try browser.open(server.url + page(email))
    try browser.goOn()
    #expect(browser.step == "service")
    try browser.goOn()
    #expect(browser.url.hasPrefix("\(partner.url)/oauth/authorize?") && browser.html.contains("Who are you?"))
    try browser.press("decision", "allow", typing: ["user": user])
    #expect(browser.status == 200 && browser.url.hasPrefix("\(server.url)/channels/lampost/authorize?"))
    return browser
  }

  private func activity(_ server: SandboxServer) throws -> [[String: Any]] {
    let text = try server.home.run("sandbox", "activity", "--json").text
    return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]], "\(text)")
  }

  @Test func twoPeopleHaveTheServicesIds() throws {
    let partner = try PartnerServer()
    let server = try sandbox(for: partner)
    let people = [("one%40mail.test", "u-7304", "Mira"), ("two%40mail.test", "u-5521", "Kai")]
    for (email, user, name) in people {
      var browser = try signIn(email, as: user, at: partner, server)
      try #require(browser.step == "configuration", "\(browser.html)")
      #expect(browser.html.contains(name) && browser.html.contains("Away"), "the options of the service")
      try browser.goOn(
        typing: ["c.0.queries0.0": "garden", "c.0.actions0.0": "sc_04", "c.0.actions0.1": "For \(name)"])
      try #require(browser.step == "connect", "\(browser.html)")
      try browser.goOn()
      #expect(browser.returned?.hasPrefix("http://127.0.0.1:9/done?next_step=complete&user_token=") == true)
    }
    try wait("the first polls") {
      let steps = try activity(server)
      return people.allSatisfy { person in
        steps.contains { $0["step"] as? String == "polled" && $0["user_id"] as? String == person.1 }
      }
    }
    try partner.press("garden-2")
    try wait("both actions") { try partner.shown("/scenes").count == 2 }
    let scenes = try partner.shown("/scenes").map { "\($0["user"] ?? "") \($0["note"] ?? "")" }
    #expect(Set(scenes) == ["u-7304 For Mira", "u-5521 For Kai"])
    let enabled = try partner.shown("/webhooks").filter { $0["event"] as? String == "enabled" }
    let users = enabled.compactMap {
      (($0["body"] as? [String: Any])?["data"] as? [String: Any])?["user_id"] as? String
    }
    #expect(users == ["u-7304", "u-5521"])

    let notified = try server.user().run("service", "notify", "--user-id", "u-7304")
    #expect(notified.status == 0, "\(notified.errors)")
    #expect(
      try activity(server).contains { $0["step"] as? String == "notified" && $0["user_id"] as? String == "u-7304" })

    // The token that the service issued can be exchanged, and is in no log.
    let listed = try server.home.run("sandbox", "users", "--tokens").text
    let row = try #require(listed.split(separator: "\n").first { $0.contains("u-7304") })
    let token = try #require(
      (try JSONSerialization.jsonObject(with: Data(row.utf8)) as? [String: Any])?["access_token"] as? String)
    let exchanged = try PartnerServer.curl(
      "-X", "POST", "-H", "IFTTT-Service-Key: \(PartnerServer.serviceKey)",
      "\(server.url)/v2/user_token?user_id=u-7304&access_token=\(token)")
    #expect(exchanged.contains("user_token"), "\(exchanged)")
    let requests = try server.home.run("sandbox", "requests", "--json").text
    #expect(requests.contains("/channels/lampost/authorize") && requests.contains("grant_type=authorization_code"))
    #expect(!requests.contains(token) && !requests.contains(PartnerServer.clientSecret))
    let states = requests.matches(of: /state=([^&"\\]*)/).map(\.output.1)
    #expect(!states.isEmpty && states.allSatisfy { $0.contains("…") || $0.contains("%E2%80%A6") }, "\(states)")
  }

  @Test(arguments: [true, false]) func aFailedSignInReturnsToTheApp(_ isDenied: Bool) throws {
    let partner = try PartnerServer()
    let closed = "http://127.0.0.1:\(try ClosedPort().number)/token"
    let server = try sandbox(for: partner, tokenURL: isDenied ? nil : closed)
    var browser = FormBrowser(server.url, partner.url)
    try browser.open(server.url + page("kai%40mail.test"))
    try browser.goOn()
    try browser.goOn()
    try browser.press("decision", isDenied ? "deny" : "allow")
    #expect(
      browser.status == 200 && browser.html.contains(isDenied ? "access_denied" : "no response"), "\(browser.html)")
    let callback = browser.url
    try browser.press("outcome", "auth-error")
    #expect(browser.returned == "http://127.0.0.1:9/done?next_step=error&error_type=auth_error")
    let failed = try activity(server).filter { $0["step"] as? String == "failed" }
    #expect(failed.count == 1 && (failed[0]["detail"] as? String)?.hasPrefix("sign-in: ") == true, "\(failed)")

    try browser.open(callback)
    #expect(browser.status == 400 && browser.returned == nil, "the state is used")
  }

  @Test func aCodeOfTheServiceReplacesItsPage() throws {
    let partner = try PartnerServer(["--auto-allow"])
    let server = try sandbox(for: partner)
    let query = "client_id=ifttt&response_type=code&redirect_uri=\(server.url)/channels/lampost/authorize"
    let location = try PartnerServer.curl(
      "--output", "/dev/null", "--write-out", "%{redirect_url}", "\(partner.url)/oauth/authorize?\(query)")
    let code = try #require(URLComponents(string: location)?.queryItems?.first { $0.name == "code" }?.value)
    for (code, step) in [("oc_91fz", "service"), (code, "configuration"), (code, "service")] {
      var browser = FormBrowser(server.url)
      try browser.open(server.url + page("kai%40mail.test", "&code=\(code)"))
      try browser.goOn()
      #expect(browser.step == step, "\(browser.html)")
    }
  }

  private func wait(_ what: String, _ isDone: () throws -> Bool) throws {
    for _ in 0..<300 {
      if try isDone() { return }
      usleep(100_000)
    }
    Issue.record("timed out waiting for \(what)")
  }
}

extension SandboxServer {
  /// A server whose activation pages sign people in at a partner's server.
  static func signingIn(
    at partner: PartnerServer, _ files: TemporaryFolder, tokenURL: String? = nil
  ) throws -> SandboxServer {
    let seed = try Home().run("sandbox", "seed", "--definition", PartnerServer.definition)
    #expect(seed.status == 0, "\(seed.errors)")
    return try SandboxServer(
      "--seed", files.write("seed.json", seed.text), "--service-url", partner.url, "--poll", "200ms",
      "--service-key-file", files.write("key", PartnerServer.serviceKey), "--client-id", "ifttt",
      "--client-secret-file", files.write("secret", PartnerServer.clientSecret), "--authorize-url",
      "\(partner.url)/oauth/authorize", "--token-url", tokenURL ?? "\(partner.url)/oauth/token")
  }
}
