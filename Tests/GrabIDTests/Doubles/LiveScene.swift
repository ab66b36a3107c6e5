import HTTP
import PluginProtocol
import World

@testable import GrabID

/// The plugin between an in-memory host and a real server, with real time.
final class LiveScene {
  let host = FakeHost()
  let party: ProviderProcess
  let live: World
  let http: HTTPClient
  var settings = GrabSettings()
  var options = LoginOptions()
  var user: String? = "alice"

  init(_ party: ProviderProcess, grabPaths: Bool = false) throws {
    self.party = party
    live = World.live()
    http = HTTPClient(transport: CurlTransport(world: live, version: "test"), world: live, policy: .init())
    settings.clientID = "ifttt-cli"
    settings.issuer = party.issuer
    settings.discoveryURL = grabPaths ? party.grabDiscovery : party.discovery
    settings.scope = try Scope(parsing: ["openid", "profile.read"])
    host.person = { [unowned self] opening in try party.visit(opening.url, as: user) }
  }

  var world: GrabWorld { GrabWorld(host: host, http: http, world: live) }

  func signedIn() throws -> Account {
    let login = Login(world: world, client: try settings.client(), options: options)
    guard case .signedIn(let account) = try login.run() else { throw FakeHost.Unexpected(what: "no sign-in") }
    return account
  }

  /// The event of an expected failure.
  func event(_ body: () throws -> Void) throws -> GrabEvent? {
    do { try body() } catch let failure as GrabError { return failure.event }
    throw FakeHost.Unexpected(what: "no error was thrown")
  }
}
