import Crypto
import HTTP
import JSON
import PluginProtocol
import Support
import Testing
import Text
import World

@testable import GrabID

/// Each row of the table of errors, produced by a command with typed options.
@Suite struct EventWalkTests {
  private static let login: JSONObject = [
    "client-id": "lampost-cli", "issuer": .string(TestProvider.base),
    "discovery-url": .string("\(TestProvider.base)/.well-known/openid-configuration"),
  ]

  private static func run(_ scene: Scene, _ command: String, _ options: JSONObject = login, _ arguments: [String] = [])
    throws
  {
    try GrabCommands(world: scene.world) { _ in }
      .run(CommandCall(command, options, arguments))
  }

  private static func login(with more: JSONObject) throws -> Scene {
    let scene = try Scene()
    try run(scene, more)
    return scene
  }

  private static func run(_ scene: Scene, _ more: JSONObject) throws {
    var options = login
    for member in more.members { options[member.key] = member.value }
    try run(scene, "login", options)
  }

  private static func answering(_ path: String, _ status: Int, _ body: String = "") throws -> Scene {
    let scene = try Scene()
    scene.provider.overrides[path] = { _ in .success(Response(status: status, body: Array(body.utf8))) }
    return scene
  }

  private static func failing(_ kind: TransportError.Kind) throws {
    let scene = try Scene()
    scene.provider.overrides["/token"] = { _ in
      .failure(TransportError(kind: kind, message: "", mayHaveArrived: true))
    }
    try run(scene, [:])
  }

  private static func returning(_ query: @escaping (String) -> String) throws {
    let scene = try Scene()
    scene.host.person = { query($0.state) }
    try run(scene, [:])
  }

  private static func signedIn(then command: String, _ options: JSONObject = [:], _ change: (Scene) -> Void = { _ in })
    throws
  {
    let scene = try login(with: [:])
    change(scene)
    try run(scene, command, options)
  }

  private static func remote(_ status: Int, _ change: JSONObject) throws {
    try signedIn(then: "id-token", ["remote": true]) { scene in
      scene.provider.overrides["/token_info"] = { request in
        let token = request.url.query.first { $0.name == "id_token" }?.value ?? ""
        var claims = (try? CompactToken(parsing: token, allowed: [.es256]))?.claims ?? [:]
        for member in change.members { claims[member.key] = member.value }
        return .success(Response(status: status, body: JSONValue.object(claims).bytes))
      }
    }
  }

  private static func configured() throws {
    let folder = TemporaryFolder()
    let file = folder.write("Info.plist", "<plist><dict></dict></plist>")
    let test = TestWorld(now: Scene.start, folder: folder, seed: 1)
    try GrabCommands(world: GrabWorld(host: FakeHost(), http: Scene.client(test), world: test.world)) { _ in }
      .run(CommandCall("login", ["from-plist": .string(file)]))
  }

  private static let settings: [GrabEvent: @Sendable () throws -> Void] = [
    .noClientID: { try run(try Scene(), "login", [:]) },
    .badRedirectURI: { try run(try Scene(), ["redirect-uri": "http://lampost.test/"]) },
    .unparsableRedirectURI: { try run(try Scene(), ["redirect-uri": "back"]) },
    .emptyScope: { try run(try Scene(), ["scope": [""]]) }, .badSetting: { try run(try Scene(), ["port": "0"]) },
    .noGrabSettings: { try configured() },
    .noAppFile: { _ = try AppSettings(propertyList: Array("no".utf8)) },
    .badDiscoveryURL: { try run(try Scene(), ["discovery-url": "http://lampost.test/"]) },
  ]

  private static let calls: [GrabEvent: @Sendable () throws -> Void] = [
    .noConnection: { try failing(.connect) }, .tlsFailed: { try failing(.tls) }, .timeLimit: { try failing(.timeout) },
    .tooManyRequests: { try run(answering("/token", 429), [:]) },
    .unavailable: { try run(answering("/token", 503), [:]) },
    .discoveryStatus: { try run(answering("/.well-known/openid-configuration", 404), [:]) },
    .discoveryUnusable: { try run(answering("/.well-known/openid-configuration", 200), [:]) },
    .authorizeURLImpossible: {
      let scene = try Scene()
      scene.provider.metadata = ["authorization_endpoint": "https://idp.lampost.test/a?client_id=x"]
      try run(scene, [:])
    },
    .noRandomBytes: {
      let scene = try Scene()
      var world = scene.test.world
      world.random = Silent()
      let login = Login(
        world: GrabWorld(host: scene.host, http: scene.http, world: world), client: try scene.settings.client(),
        options: .init())
      _ = try login.run()
    },
  ]

  private struct Silent: RandomBytes { func bytes(_ count: Int) -> [UInt8] { .init(repeating: 0, count: count) } }

  private static let redirects: [GrabEvent: @Sendable () throws -> Void] = [
    .stateMismatch: { try returning { _ in "code=c&state=other" } },
    .foreignRedirect: { try returning { "code=c&state=\($0)&iss=https://evil.test" } },
    .redirectWithoutCode: { try returning { "state=\($0)" } },
    .userCancelled: { try returning { "error=access_denied&state=\($0)" } },
    .interactionRequired: { try returning { "error=consent_required&state=\($0)" } },
    .clientNotAllowed: { try returning { "error=unauthorized_client&state=\($0)" } },
    .invalidScope: { try returning { "error=invalid_scope&state=\($0)" } },
    .redirectError: { try returning { "error=server_error&state=\($0)" } },
    .redirectTimeout: {
      let scene = try Scene()
      let grant = #"{"device_code":"d","user_code":"u","verification_uri":"https://a.test","expires_in":3}"#
      scene.provider.overrides["/device"] = { _ in .success(Response(status: 200, body: Array(grant.utf8))) }
      try run(scene, ["device": true])
    },
    .noPendingLogin: { try run(try Scene(), "complete", [:], ["?code=c&state=s"]) },
  ]

  private static let exchanges: [GrabEvent: @Sendable () throws -> Void] = [
    .codeRefused: { try returning { "code=other&state=\($0)" } },
    .clientRefused: { try run(answering("/token", 401), [:]) },
    .tokenRefused: { try run(answering("/token", 400), [:]) },
    .tokenServerError: { try run(answering("/token", 500), [:]) },
    .tokenUnreadable: { try run(answering("/token", 200), [:]) },
    .nonceMismatch: {
      let scene = try Scene()
      scene.provider.claims = ["nonce": "x"]
      try run(scene, [:])
    },
    .partnerMismatch: { try run(try Scene(), ["partner-id": "x"]) },
    .idTokenInvalid: {
      let scene = try Scene()
      scene.provider.claims = ["aud": "x"]
      try run(scene, [:])
    },
    .noKeySet: { try run(answering("/keys", 404), [:]) },
    .refreshRefused: {
      try signedIn(then: "refresh") { scene in
        scene.provider.overrides["/token"] = { [provider = scene.provider] _ in
          .success(provider.refusal("invalid_grant"))
        }
      }
    },
    .noRefreshToken: { try signedIn(then: "refresh") { $0.change { $0.tokens?.refresh = nil } } },
    .noDeviceGrant: {
      let scene = try Scene()
      scene.provider.metadata = ["device_authorization_endpoint": .null]
      try run(scene, ["device": true])
    },
  ]

  private static let later: [GrabEvent: @Sendable () throws -> Void] = [
    .callUnauthorized: { throw BearerRequests.refusal(Response(status: 401), "userinfo") },
    .insufficientScope: { throw BearerRequests.refusal(Response(status: 403), "userinfo") },
    .callFailed: { throw BearerRequests.refusal(Response(status: 400), "userinfo") },
    .noSuchAccount: { try run(try Scene(), "status", ["account": "x"]) },
    .notSignedIn: { try run(try Scene(), "status", [:]) },
    .noLongerValid: { try signedIn(then: "status") { $0.test.clock.advance(by: .seconds(1000)) } },
    .remoteRefused: { try remote(400, [:]) }, .remoteUnreadable: { try remote(200, ["iss": .null]) },
    .remoteNonce: { try remote(200, ["nonce": "x"]) }, .remoteClaim: { try remote(200, ["sub": "x"]) },
    .noVerificationEndpoint: {
      let scene = try Scene()
      scene.provider.metadata = ["id_token_verification_endpoint": .null]
      try run(scene, [:])
      try run(scene, "id-token", ["remote": true])
    },
    .logoutNotStored: {
      try signedIn(then: "logout", ["local": true]) { $0.host.beforeChange = { _ in throw FakeHost.readOnly } }
    },
    .notRevoked: {
      try signedIn(then: "logout", ["require-revocation": true]) { scene in
        scene.provider.overrides["/revoke"] = { _ in .success(Response(status: 403)) }
      }
    },
    .publicInfoStatus: { try run(try Scene(), "apps") },
    .publicInfoUnusable: { try run(answering("/clients/lampost-cli/public", 200), "apps") },
    .publicInfoURL: {
      let scene = try Scene()
      scene.provider.metadata = ["client_public_info_endpoint": .null]
      try run(scene, "apps")
    },
    .linkNotOpened: {
      var options = login
      options["open"] = "ios"
      try run(answering("/clients/lampost-cli/public", 200, "{}"), "apps", options)
    },
  ]

  @Test(arguments: GrabEvent.allCases) func everyEventCanHappen(_ event: GrabEvent) throws {
    let ways = [Self.settings, Self.calls, Self.redirects, Self.exchanges, Self.later].compactMap { $0[event] }
    let way = try #require(ways.first, "no test produces this event")
    do {
      try way()
      Issue.record("no error was thrown")
    } catch let failure as GrabError {
      #expect(failure.event == event)
      if let codes = [event.row.codes].first, !codes.isEmpty { #expect(codes.contains(failure.code)) }
      switch event.row.grab {
      case .code(let domain, let name): #expect(failure.grab == GrabCode(domain, name))
      case .ofRequest(let name): #expect(failure.grab?.name == name)
      case nil: #expect(failure.grab == nil)
      }
      #expect(
        !failure.message.isEmpty && failure.message.first?.isUppercase == false && !failure.message.hasSuffix("."))
    }
  }
}
