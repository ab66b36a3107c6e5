/// Serves a ``Provider`` on stdin and stdout until the program closes the input. It is all that the `main`
/// of a provider plugin needs.
///
/// It processes requests one after another on the thread that runs it. It takes over stdout: printed text
/// goes to stderr, and the program shows each line with the plugin's name.
public final class PluginServer {
  private let provider: any Provider
  private let exchange: Exchange
  private var host: PluginHost?

  /// Takes over stdin and stdout.
  public init(_ provider: any Provider) {
    self.provider = provider
    exchange = Exchange(.standard())
  }

  init(_ provider: any Provider, on wire: Wire) {
    self.provider = provider
    exchange = Exchange(wire)
  }

  /// Serves requests and returns once the program has closed its end.
  public func run() {
    do throws(HostDisconnectedError) {
      while let message = try exchange.next() {
        // Notifications unknown to this version are ignored.
        guard case .request(let id, let method, let params) = message else { continue }
        try exchange.respond(to: id) { try result(of: method, params) }
      }
    } catch {}
  }

  private func result(of method: String, _ params: Value) throws -> Value {
    if method == "initialize" { return try initialize(params) }
    guard let host else { throw PluginError(.invalidRequest, "'initialize' must be the first request") }
    guard let capability = Capability(rawValue: method), provider.capabilities.contains(capability) else {
      throw PluginError.unknownMethod(method)
    }
    return try result(of: capability, params, host)
  }

  private func initialize(_ params: Value) throws -> Value {
    guard host == nil else { throw PluginError(.invalidRequest, "'initialize' was already sent") }
    let greeting = Greeting(reading: params)
    guard greeting.versions.contains(ProtocolVersion.current) else {
      var error = PluginError.invalidParameters("this plugin supports only protocol \(ProtocolVersion.current)")
      error.hint = "Update the plugin or ifttt."
      throw error
    }
    host = PluginHost(greeting, exchange)
    return [
      "name": Value(provider.name), "version": Value(provider.version), "protocol": Value(ProtocolVersion.current),
      "capabilities": Value(provider.capabilities.map { Value($0.rawValue) }),
    ]
  }

  private func result(of capability: Capability, _ params: Value, _ host: PluginHost) throws -> Value {
    switch capability {
    case .listConnections:
      try provider.list(status: params["status"]?.string, host: host)
      return .emptyObject
    case .showConnection: return ["connection": try provider.show(params.id, host: host).value]
    case .enableConnection: return try provider.enable(params.id, options: params.options, host: host).value
    case .disableConnection: return try provider.disable(params.id, options: params.options, host: host).value
    case .activateConnection:
      return ["connection": try provider.activate(params.id, values: params.values, host: host).value]
    case .configureConnection:
      return ["connection": try provider.configure(params.id, values: params.values, host: host).value]
    case .credentialStatus: return ["credentials": Value(try provider.credentials(host: host).map(\.value))]
    case .refreshCredential:
      return ["changed": Value(try provider.refreshCredential(params["name"]?.string, host: host))]
    case .revokeCredential:
      return ["changed": Value(try provider.revokeCredential(params["name"]?.string, host: host))]
    case .runCommand:
      return try provider.run(CommandCall(reading: params), host: host).map { ["text": Value($0)] } ?? .emptyObject
    case .complete:
      let candidates = try provider.complete(CompletionQuestion(reading: params), host: host)
      return [
        "candidates": Value(candidates.map { ["value": Value($0.value), "description": Value($0.description)] })
      ]
    }
  }
}

extension Value {
  /// The id of the requested connection.
  fileprivate var id: String {
    get throws(PluginError) {
      guard let id = self["id"]?.string else { throw .invalidParameters("'id' is missing") }
      return id
    }
  }
  fileprivate var options: Value { self["options"] ?? .emptyObject }
  fileprivate var values: Value { self["values"] ?? .emptyObject }
}
