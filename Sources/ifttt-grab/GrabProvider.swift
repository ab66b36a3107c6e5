import GrabID
import HTTP
import PluginProtocol
import World

/// Sign-in with a Grab account as a plugin: its commands, and each account as a connection.
struct GrabProvider: Provider {
  let name = "grab"
  let version = "0.1.0"
  let capabilities: [Capability] = [
    .listConnections, .showConnection, .enableConnection, .disableConnection, .credentialStatus, .refreshCredential,
    .revokeCredential, .runCommand, .complete,
  ]
  /// The maximum size of a sign-in response, in bytes.
  private static let responseLimit = 256 << 10

  func run(_ call: CommandCall, host: PluginHost) throws -> String? {
    var text: String?
    try serving(host) { world in
      try GrabCommands(world: world) { output in
        switch output {
        case .rows(let rows): for row in rows { try host.send(item: Value(row)) }
        case .text(let value): text = value
        }
      }.run(call)
    }
    return text
  }

  func complete(_ question: CompletionQuestion, host: PluginHost) throws -> [OfferedValue] {
    try serving(host) { world in
      let connections = GrabConnections(world: world)
      switch question.kind {
      case "account": return try connections.accountNames(beginning: question.prefix)
      case "connection": return try connections.ids(beginning: question.prefix)
      default: return []
      }
    }
  }

  /// Runs `body` with the effects of one request, and converts its errors to errors of the plugin protocol.
  func serving<Result>(_ host: PluginHost, _ body: (GrabWorld) throws -> Result) throws -> Result {
    var live = World.live()
    live.interruption = ShieldedInterruption(HostInterruption(host: host))
    live.clock = LiveClock(interruption: live.interruption)
    live.files = LiveFiles(interruption: live.interruption)
    let greeting = host.greeting
    var limits = CurlTransport.Limits()
    limits.body = Self.responseLimit
    let transport: any Transport =
      greeting.isOffline
      ? OfflineTransport(world: live) : CurlTransport(world: live, version: greeting.hostVersion, limits: limits)
    let http = HTTPClient(
      transport: transport, world: live, policy: HTTPClient.Policy(timeout: greeting.timeout))
    if greeting.isVerbose { http.trace = { host.note(.debug, $0) } }
    do { return try body(GrabWorld(host: host, http: http, world: live)) } catch {
      throw GrabError(error)?.pluginError ?? error
    }
  }
}

/// Interrupts waits and transfers when the program sends `$/cancel`.
///
/// `@unchecked Sendable`: the plugin communicates with the program on one thread only.
final class HostInterruption: Interruption, @unchecked Sendable {
  private let host: PluginHost
  /// A descriptor that becomes readable when the program sends a message. `isInterrupted` reads the message, after
  /// which the descriptor is not readable anymore.
  var descriptor: Int32 { host.arrivals }

  init(host: PluginHost) { self.host = host }

  var isInterrupted: Bool { host.isCancelled }
}

extension GrabProvider {
  func list(status: String?, host: PluginHost) throws {
    for connection in try serving(host, { try GrabConnections(world: $0).all() }) {
      if status == nil || status == connection.status.rawValue { try host.send(connection) }
    }
  }

  func show(_ id: String, host: PluginHost) throws -> ProvidedConnection {
    try serving(host) { try GrabConnections(world: $0).connection(id: id) }
  }

  func enable(_ id: String, options: Value, host: PluginHost) throws -> StatusChange {
    try serving(host) { try GrabConnections(world: $0).enable(id) }
  }

  func disable(_ id: String, options: Value, host: PluginHost) throws -> StatusChange {
    try serving(host) { try GrabConnections(world: $0).disable(id) }
  }

  func credentials(host: PluginHost) throws -> [CredentialState] {
    try serving(host) { try GrabConnections(world: $0).credentials() }
  }

  func refreshCredential(_ name: String?, host: PluginHost) throws -> Bool {
    try serving(host) { try GrabConnections(world: $0).refresh(name) }
  }

  func revokeCredential(_ name: String?, host: PluginHost) throws -> Bool {
    try serving(host) { try GrabConnections(world: $0).revoke(name) }
  }
}
