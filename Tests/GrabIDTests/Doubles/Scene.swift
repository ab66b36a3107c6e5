import HTTP
import JSON
import PluginProtocol
import Support
import Testing
import Text
import World

@testable import GrabID

/// A host, a service and a clock, with the plugin between them.
final class Scene {
  static let start = Timestamp(milliseconds: 1_770_000_000_000)
  let host = FakeHost()
  let test: TestWorld
  let provider: TestProvider
  var settings = GrabSettings()
  var options = LoginOptions()
  let http: HTTPClient
  private let live: World

  init(_ environment: [String: String] = [:]) throws {
    test = TestWorld(environment: environment, now: Self.start, seed: 7)
    provider = TestProvider(clock: test.clock)
    var live = test.world
    live.interruption = ShieldedInterruption(live.interruption)
    self.live = live
    http = HTTPClient(transport: provider, world: live, policy: .init(retries: 0))
    settings.clientID = "lampost-cli"
    settings.issuer = TestProvider.base
    settings.discoveryURL = "\(TestProvider.base)/.well-known/openid-configuration"
    host.waited = { [test] in test.clock.sleep(for: .seconds($0)) }
    host.person = { [provider] in provider.authorize($0.url) }
  }

  /// A client for tests that send nothing.
  static func client(_ test: TestWorld) -> HTTPClient {
    HTTPClient(transport: OfflineTransport(world: test.world), world: test.world, policy: .init(retries: 0))
  }

  var world: GrabWorld { GrabWorld(host: host, http: http, world: live) }

  @discardableResult
  func login() throws -> LoginResult {
    try Login(world: world, client: try settings.client(), options: options).run()
  }

  /// The account after a sign-in that must succeed.
  @discardableResult
  func signedIn() throws -> Account {
    guard case .signedIn(let account) = try login() else { throw FakeHost.Unexpected(what: "no sign-in") }
    return account
  }

  /// The error of a sign-in that must fail.
  func refused(
    _ event: GrabEvent, sourceLocation: SourceLocation = #_sourceLocation, _ body: (() throws -> Void)? = nil
  ) throws -> GrabError {
    var failure: GrabError?
    do { if let body { try body() } else { try login() } } catch let error as GrabError { failure = error }
    let found = try #require(failure, "no error was thrown", sourceLocation: sourceLocation)
    #expect(found.event == event, sourceLocation: sourceLocation)
    return found
  }
}

extension Scene {
  /// Changes the row of the only account.
  func change(_ body: (inout Account) -> Void) {
    for (name, text) in host.rows where name.hasPrefix(Account.prefix) {
      guard var account = Account(stored: text) else { continue }
      body(&account)
      host.rows[name] = account.stored
    }
  }

  /// Replaces the account's ID token by another, correctly signed one.
  func replace(_ claims: JSONObject) {
    provider.claims = claims
    let token = provider.idToken(nonce: nil)
    change { $0.tokens?.id = Secret(parsing: token) }
  }
}
