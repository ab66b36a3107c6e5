import HTTP
import JSON
import PluginProtocol
import Support
import Testing
import Text
import World

@testable import GrabID

@Suite struct CommandTests {
  private func run(
    _ scene: Scene, _ command: String, _ options: JSONObject = [:], _ arguments: [String] = [], forPrograms: Bool = true
  ) throws -> (rows: [JSONValue], text: String?) {
    var rows: [JSONValue] = []
    var text: String?
    let commands = GrabCommands(world: scene.world) { output in
      switch output {
      case .rows(let more): rows += more
      case .text(let value): text = value
      }
    }
    try commands.run(
      CommandCall(command, options, arguments, output: forPrograms ? "json" : "table"))
    return (rows, text)
  }

  private let login: JSONObject = [
    "client-id": "lampost-cli", "issuer": .string(TestProvider.base),
    "discovery-url": .string("\(TestProvider.base)/.well-known/openid-configuration"),
  ]

  @Test func loginStoresItsSettingsForTheNextLogin() throws {
    let scene = try Scene()
    let row = try run(scene, "login", login).rows[0]
    #expect(
      row.object?.members.map(\.key) == [
        "account", "issuer", "client_id", "subject", "scopes", "environment", "access_token", "id_token",
        "refresh_token", "fetched_at",
      ])
    #expect(row["access_token"] == ["valid": true, "reason": .null, "expires_at": "2026-02-02T02:50:00Z"])
    #expect(row["refresh_token"] == ["present": true] && row["environment"] == "idp.lampost.test")
    #expect(try run(scene, "login").rows == [row], "stored settings apply")
    #expect(scene.host.notes.last?.text == "u-1@mail.test is still signed in; --force signs in again")
    #expect(scene.host.openings.count == 1)
    _ = try run(scene, "login", ["force": true])
    #expect(scene.host.openings.count == 2)
  }

  @Test func loginWithoutATerminalRequiresPrintURL() throws {
    let scene = try Scene()
    scene.host.greeting.isInteractive = false
    _ = try scene.refused(.badSetting) { _ = try run(scene, "login", login) }
    #expect(scene.host.openings.isEmpty && scene.provider.requests.isEmpty)
    var options = login
    options["print-url"] = true
    let row = try run(scene, "login", options).rows[0]
    #expect(row.object?.members.map(\.key) == ["url", "redirect_uri", "expires_at"])
    let text = try run(scene, "login", options, forPrograms: false).text
    #expect(
      text?.hasPrefix("https://idp.lampost.test/authorize?client_id=lampost-cli&") == true
        && text?.hasSuffix("\n") == true)
    _ = try scene.refused(.badSetting) { _ = try run(scene, "complete") }
    scene.host.input = "?" + scene.provider.authorize(row["url"]?.string ?? "")
    #expect(try run(scene, "complete", [:], ["-"]).rows[0]["subject"] == "u-1")
  }

  @Test func aValidSessionNeedsNoTerminal() throws {
    let scene = try Scene()
    let row = try run(scene, "login", login).rows[0]
    scene.host.greeting.isInteractive = false
    let requests = scene.provider.requests.count
    #expect(try run(scene, "login").rows == [row])
    #expect(scene.provider.requests.count == requests && scene.host.openings.count == 1)
    _ = try scene.refused(.badSetting) { _ = try run(scene, "login", ["force": true]) }
    scene.test.clock.advance(by: .seconds(700))
    _ = try scene.refused(.badSetting) { _ = try run(scene, "login") }
  }

  @Test func completePromptsOnATerminal() throws {
    let scene = try Scene()
    var options = login
    options["print-url"] = true
    let url = try run(scene, "login", options).rows[0]["url"]?.string ?? ""
    scene.host.answers = ["http://127.0.0.1/callback?" + scene.provider.authorize(url)]
    #expect(try run(scene, "complete").rows[0]["account"] == "u-1@mail.test")
  }

  @Test func statusReportsWhyATokenIsInvalid() throws {
    let changes: [(change: (Scene) -> Void, access: String?, id: String?)] = [
      ({ $0.test.clock.advance(by: .seconds(700)) }, "expired", "expired"),
      ({ $0.test.clock.advance(by: .seconds(601)) }, "expired", nil),
      ({ $0.change { $0.tokens?.id = nil } }, nil, "missing"),
      ({ $0.change { $0.isUnverified = true } }, "unverified", nil),
      ({ $0.change { $0.tokens = nil } }, "missing", "missing"),
      ({ $0.change { $0.tokens?.id = Secret(parsing: "rubbish") } }, nil, "malformed"),
      ({ $0.change { $0.nonce = "another" } }, nil, "nonce"),
      ({ scene in scene.host.rows = scene.host.rows.filter { !$0.key.hasPrefix("keys/") } }, nil, "signature"),
      ({ $0.replace(["iss": "https://evil.test"]) }, nil, "issuer"), ({ $0.replace(["aud": "x"]) }, nil, "audience"),
      ({ $0.replace(["nbf": 1_770_009_999]) }, nil, "not_yet_valid"),
    ]
    for (change, access, id) in changes { try checkStatus(after: change, access, id) }
  }

  private func checkStatus(after change: (Scene) -> Void, _ access: String?, _ id: String?) throws {
    let scene = try Scene()
    _ = try run(scene, "login", login)
    change(scene)
    let before = (scene.host.rows, scene.provider.requests.count)
    var rows: [JSONValue] = []
    var failure: GrabError?
    do {
      try GrabCommands(world: scene.world) { if case .rows(let more) = $0 { rows = more } }
        .run(CommandCall("status"))
    } catch let error as GrabError { failure = error }
    #expect(
      rows.first?["access_token"]?["reason"] == JSONValue(access) && rows.first?["id_token"]?["reason"] == JSONValue(id)
    )
    #expect(rows.first?["access_token"]?["valid"] == .bool(access == nil) && failure != nil)
    #expect([.unauthorized, .credentialsMissing].contains(failure?.code), "exit status 4")
    #expect(scene.host.rows == before.0 && scene.provider.requests.count == before.1, "status is read-only")
  }

  @Test func withoutAnAccountOnlyLogoutSucceeds() throws {
    let scene = try Scene()
    #expect(try scene.refused(.notSignedIn) { _ = try run(scene, "status") }.code == .credentialsMissing)
    _ = try scene.refused(.noSuchAccount) { _ = try run(scene, "status", ["account": "x"]) }
    _ = try scene.refused(.notSignedIn) { _ = try run(scene, "id-token") }
    _ = try scene.refused(.notSignedIn) { _ = try run(scene, "refresh") }
    #expect(try run(scene, "logout").rows == [["account": .null, "changed": false, "revoked": false]])
  }

  @Test func idTokenHasTheTenFieldsOfTheSDK() throws {
    let scene = try Scene()
    _ = try run(scene, "login", login)
    let row = try run(scene, "id-token").rows[0]
    #expect(row["audience"] == "lampost-cli" && row["service"] == "PASSENGER" && row["token_id"] == "t-1")
    #expect(row["expiration"] == "2026-02-02T02:50:00Z" && row["not_valid_before"] == "2026-02-02T02:39:55Z")
    #expect(
      row["authentication_contexts"] == ["service:PASSENGER"] && row["remote"] == .null && row["verified"] == "local")
    let raw = try run(scene, "id-token", ["raw": true]).text
    #expect(raw?.split(separator: ".").count == 3)
    #expect(try run(scene, "refresh", ["print": true]).text == "access-token-number-2-of-the-family\n")
    let sent = scene.provider.requests.count
    #expect(
      try run(scene, "refresh", ["print": true, "if-needed": true]).text == "access-token-number-2-of-the-family\n")
    #expect(scene.provider.requests.count == sent)
  }

  @Test(
    arguments: [
      (200, nil, nil), (200, ["nonce": "other"], .remoteNonce), (200, ["sub": "other"], .remoteClaim),
      (200, ["aud": ["lampost-cli"]], nil), (200, ["acr": ["service:PASSENGER"]], nil),
      (200, ["exp": .null], .remoteUnreadable), (200, ["svc": .null], .remoteUnreadable),
      (200, ["jti": .null], .remoteUnreadable), (200, ["pid": .null], .remoteUnreadable),
      (200, ["nonce": .null], .remoteUnreadable),
      (200, ["svc": "DRIVER"], .remoteClaim), (400, nil, .remoteRefused), (500, nil, .remoteRefused),
      (200, ["errors": [["code": 1, "message": "no"]]], .remoteRefused),
    ] as [(Int, JSONObject?, GrabEvent?)])
  func remoteClaimsAreCompared(_ status: Int, _ change: JSONObject?, _ event: GrabEvent?) throws {
    let scene = try Scene()
    _ = try run(scene, "login", login)
    scene.provider.overrides["/token_info"] = { request in
      let token = request.url.query.first { $0.name == "id_token" }?.value ?? ""
      var claims = (try? CompactToken(parsing: token, allowed: [.es256]))?.claims ?? [:]
      for member in change?.members ?? [] { claims[member.key] = member.value }
      return .success(Response(status: status, body: JSONValue.object(claims).bytes))
    }
    guard let event else {
      #expect(try run(scene, "id-token", ["remote": true]).rows[0]["verified"] == "local+remote")
      #expect(
        scene.provider.asked("/token_info")[0].url.redacted.hasSuffix("?client_id=lampost-cli&id_token=…&nonce=…"))
      return
    }
    let failure = try scene.refused(event) { _ = try run(scene, "id-token", ["remote": true]) }
    #expect(
      failure.code.rawValue
        == (event == .remoteUnreadable ? "bad_response" : status == 500 ? "server_error" : "refused"))
    #expect(try scene.host.accounts.count == 1, "a remote error does not end the sign-in (docs/api/grab.md GD9)")
  }

  @Test func appsOpensAStoreOnlyOnRequest() throws {
    let scene = try Scene()
    scene.provider.overrides["/clients/lampost-cli/public"] = { _ in
      .success(
        Response(
          status: 200,
          body: JSONValue.object([
            "product_name": "Lamp\u{1b}post",
            "custom_protocols": [#"{"appstore_link_ios":"itms-apps://x"}"#, 5, "no", "[]"],
          ]).bytes))
    }
    #expect(try run(scene, "apps", login).rows.count == 1 && scene.host.opened.isEmpty)
    var options = login
    options["open"] = "ios"
    _ = try run(scene, "apps", options)
    #expect(
      scene.host.opened == ["itms-apps://x"]
        && scene.host.notes.last?.text.hasSuffix("(GrabID appStore/launchAppStoreLink 28)") == true)
    options["open"] = "android"
    #expect(try scene.refused(.linkNotOpened) { _ = try run(scene, "apps", options) }.code == .refused)
    scene.provider.metadata = ["client_public_info_endpoint": "https://idp.lampost.test/no-place"]
    scene.host.rows = [:]
    #expect(try scene.refused(.publicInfoURL) { _ = try run(scene, "apps", login) }.code == .badResponse)
    scene.provider.metadata = [:]
    for (status, event) in [(404, GrabEvent.publicInfoStatus), (200, .publicInfoUnusable)] {
      scene.host.rows = [:]
      scene.provider.overrides["/clients/lampost-cli/public"] = { _ in .success(Response(status: status)) }
      _ = try scene.refused(event) { _ = try run(scene, "apps", login) }
    }
  }

  @Test func dryRunsSendAndStoreNothing() throws {
    let scene = try Scene()
    _ = try run(scene, "login", login)
    let rows = scene.host.rows
    scene.host.greeting.isDryRun = true
    let posts = scene.provider.requests.count { $0.method == .post }
    for (command, options) in [("login", ["force": true]), ("refresh", [:]), ("logout", [:])] as [(String, JSONObject)]
    {
      try GrabCommands(world: scene.world) { _ in Issue.record("unexpected output") }
        .run(CommandCall(command, options))
    }
    #expect(scene.host.rows == rows && scene.provider.requests.count { $0.method == .post } == posts)
  }

  @Test func ctrlCWhileWaitingStoresNothing() throws {
    let scene = try Scene()
    scene.host.person = { _ in throw PluginError.cancelled }
    #expect(throws: PluginError.cancelled) { try scene.login() }
    #expect(scene.host.pending.isEmpty)
  }
}
