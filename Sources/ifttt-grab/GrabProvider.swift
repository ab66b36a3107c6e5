import GrabID
import HTTP
import JSON
import PluginProtocol
import Text
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
  private static let longestResponse = 256 << 10

  func run(_ call: CommandCall, host: PluginHost) throws -> String? {
    var text: String?
    try serving(host) { world in
      let invocation = GrabInvocation(
        command: call.command.joined(separator: " "), options: call.options.json.object ?? [:],
        arguments: call.arguments, isForPrograms: call.output != "table")
      try GrabCommands(world: world) { output in
        switch output {
        case .rows(let rows): for row in rows { try host.send(item: Value(row)) }
        case .text(let value): text = value
        }
      }.run(invocation)
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
    }.map { OfferedValue($0.name, description: $0.description) }
  }

  /// Runs `body` with the effects of one request, and converts its errors to the form that the program expects.
  func serving<Result>(_ host: PluginHost, _ body: (GrabWorld) throws -> Result) throws -> Result {
    var live = World.live()
    live.interruption = ShieldedInterruption(HostInterruption(host: host))
    live.clock = LiveClock(interruption: live.interruption)
    live.files = LiveFiles(interruption: live.interruption)
    let greeting = host.greeting
    var limits = CurlTransport.Limits()
    limits.body = Self.longestResponse
    let transport: any Transport =
      greeting.isOffline
      ? OfflineTransport(world: live) : CurlTransport(world: live, version: greeting.hostVersion, limits: limits)
    let http = HTTPClient(
      transport: transport, world: live, policy: HTTPClient.Policy(timeout: greeting.timeout))
    let served = ServedHost(host)
    if greeting.isVerbose { http.trace = { served.note(.debug, $0) } }
    var world = GrabWorld(host: served, http: http, world: live)
    world.timeForCalls = { served.timeForCalls }
    world.isDryRun = greeting.isDryRun
    world.locale = greeting.locale
    do { return try body(world) } catch let failure as GrabError {
      throw failure.pluginError
    } catch is GrabCancellationError {
      throw PluginError.cancelled
    }
  }
}

/// The program's `$/cancel` as the interruption of a wait or a transfer.
///
/// Unchecked: there is no guard, because the plugin talks to the program on one thread.
final class HostInterruption: Interruption, @unchecked Sendable {
  private let host: PluginHost
  /// A descriptor that becomes readable when the program sends something. Checking for interruption reads the message
  /// and makes the descriptor unreadable again.
  var descriptor: Int32 { host.arrivals }

  init(host: PluginHost) { self.host = host }

  var isInterrupted: Bool { host.isCancelled }
}

extension GrabProvider {
  func list(status: String?, host: PluginHost) throws {
    for connection in try serving(host, { try GrabConnections(world: $0).all() }) {
      let provided = connection.provided
      if status == nil || status == provided.status.rawValue { try host.send(provided) }
    }
  }

  func show(_ id: String, host: PluginHost) throws -> ProvidedConnection {
    try serving(host) { try GrabConnections(world: $0).connection(id: id).provided }
  }

  func enable(_ id: String, options: Value, host: PluginHost) throws -> StatusChange {
    try serving(host) { StatusChange(.enabled, from: try GrabConnections(world: $0).enable(id) ? .enabled : .disabled) }
  }

  func disable(_ id: String, options: Value, host: PluginHost) throws -> StatusChange {
    try serving(host) {
      StatusChange(.disabled, from: try GrabConnections(world: $0).disable(id) ? .enabled : .disabled)
    }
  }

  func credentials(host: PluginHost) throws -> [CredentialState] {
    try serving(host) { try GrabConnections(world: $0).credentials() }.map { credential in
      CredentialState(
        credential.name, credential.isMissing ? .missing : credential.isValid ? .valid : .expired,
        expiresAt: credential.expiresAt, account: credential.account)
    }
  }

  func refreshCredential(_ name: String?, host: PluginHost) throws -> Bool {
    try serving(host) { try GrabConnections(world: $0).refresh(name) }
  }

  func revokeCredential(_ name: String?, host: PluginHost) throws -> Bool {
    try serving(host) { try GrabConnections(world: $0).revoke(name) }
  }
}

extension GrabConnections.Connection {
  fileprivate var provided: ProvidedConnection {
    ProvidedConnection(
      id: id, name: name, status: isEnabled ? .enabled : .disabled, description: description,
      // The name may be an email address.
      more: [
        "features": Value(features), "services": Value(services), "primary_service": "grab", "private": true,
      ])
  }
}

extension GrabError {
  /// The error in the form that the program receives.
  var pluginError: PluginError {
    var error = PluginError(code.rawValue, message, reason: reason, hint: hint?.text)
    error.retryAfter = retryAfter
    error.status = status
    error.details = details.map { PluginError.Detail(parameter: $0.parameter, message: $0.message) }
    error.extra = ["grab_code": grab.map { Value($0.json) } ?? .null]
    error.reference = grab?.reference
    return error
  }

  /// The program's error about a redirect, with Grab's code for it.
  var ofRedirect: GrabError {
    switch code {
    case .unknownRedirect: GrabError(.foreignRedirect, message, reason: reason, hint: hint)
    case .stateMismatch: GrabError(.stateMismatch, message, reason: reason, hint: hint)
    case .timeout: GrabError(.redirectTimeout, message, reason: reason, hint: hint)
    default: self
    }
  }
}

extension Value {
  init(_ json: JSONValue) {
    guard let value = try? Value(parsing: json.bytes) else { preconditionFailure("JSON output must be valid JSON") }
    self = value
  }

  var json: JSONValue {
    guard let json = try? JSONValue(parsing: bytes) else { preconditionFailure("JSON output must be valid JSON") }
    return json
  }
}
