import JSON
package import PluginProtocol
package import Plugins
package import Session
package import Store
package import Support
package import World

/// A provider plugin without a process, installed in a home.
package final class FakeProvider {
  /// One message of the provider: an item, a request, or a response.
  package enum ScriptedMessage {
    case item(Value)
    case ask(String, Value)
    case answer(Value)
    case fail(PluginError)
    case raw(ProgramEvent)

    /// The response to `connections/enable`.
    package static let enabled = ScriptedMessage.answer([
      "status": "enabled", "previous_status": "disabled", "changed": true,
    ])
  }

  package let name: String
  package var capabilities: [Capability]
  package var credentials: [String] = []
  package var usesBrowser = true
  /// The responses by method. Messages after a ``ScriptedMessage/ask(_:_:)`` are sent once it has a response.
  /// Without a test's own, each connection that is read before a change is disabled.
  package var answers: [String: (Value) -> [ScriptedMessage]] = [
    "connections/show": { params in
      [.answer(["connection": connection(params["id"]?.string ?? "", nil, "disabled")])]
    }
  ]
  /// The reason it must not be started.
  package var problem: Problem?
  package private(set) var starts = 0
  /// The requests it received, including the greeting.
  package private(set) var asked: [(method: String, params: Value)] = []
  /// The program's responses to its requests.
  package private(set) var responses: [Result<Value, PluginError>] = []
  package private(set) var last: ScriptedProgram?

  package init(_ name: String, _ capabilities: [Capability] = [.listConnections]) {
    (self.name, self.capabilities) = (name, capabilities)
  }

  /// Create a provider that lists these connections.
  package convenience init(_ name: String, listing connections: [Value]) {
    self.init(name)
    answers["connections/list"] = { _ in connections.map { .item($0) } + [.answer([:])] }
  }

  package static func connection(_ id: String, _ name: String? = nil, _ status: String = "enabled") -> Value {
    ["id": Value(id), "name": Value(name ?? id), "status": Value(status)]
  }

  /// Install exactly these providers.
  package static func install(_ providers: [FakeProvider], in home: Home) {
    home.providers = providers.map(\.installed)
    let before = home.prepare
    home.prepare = { test in
      before(test)
      test.processes.startProgram = { start throws(SystemError) in
        guard let provider = providers.first(where: { "/plugins/\($0.name)" == start.path }) else {
          throw SystemError(number: 2, call: start.path)
        }
        return provider.start(test.clock)
      }
    }
  }

  private var installed: InstalledProvider {
    let capabilities = Set(capabilities.map(\.rawValue))
    return InstalledProvider(
      name: .sample(name), capabilities: Array(capabilities), needsCredentials: !credentials.isEmpty
    ) { [self] in
      if let problem { throw problem }
      return PluginProgram(
        name: .sample(name), version: "1", path: "/plugins/\(name)", folder: "/plugins",
        capabilities: capabilities, credentials: credentials, usesBrowser: usesBrowser, environment: ["PATH=/bin"])
    }
  }

  private func start(_ clock: TestClock) -> ScriptedProgram {
    starts += 1
    var (rest, request): ([ScriptedMessage], Int) = ([], 0)
    let program = ScriptedProgram(clock: clock) { [self] line in
      switch try? Message(parsing: Array(line.utf8)) {
      case .request(.number(let id), let method, let params):
        asked.append((method, params))
        request = id
        rest =
          answers[method]?(params) ?? (method == "initialize" ? [.answer(greeting)] : [.fail(.unknownMethod(method))])
      case .response(_, let value): responses.append(.success(value))
      case .failure(_, let error): responses.append(.failure(error))
      default: return []
      }
      return nextEvents(&rest, request)
    }
    last = program
    return program
  }

  private var greeting: Value {
    [
      "name": Value(name), "version": "1", "protocol": "1",
      "capabilities": Value(capabilities.map { Value($0.rawValue) }),
    ]
  }

  private func nextEvents(_ rest: inout [ScriptedMessage], _ request: Int) -> [ProgramEvent] {
    var events: [ProgramEvent] = []
    while !rest.isEmpty {
      switch rest.removeFirst() {
      case .item(let item):
        events.append(.output(Message.notification(method: "item", params: ["id": Value(request), "item": item]).line))
      case .answer(let value): events.append(.output(Message.response(id: .number(request), result: value).line))
      case .fail(let error): events.append(.output(Message.failure(id: .number(request), error: error).line))
      case .raw(let event): events.append(event)
      case .ask(let method, let params):
        events.append(.output(Message.request(id: .text("q\(responses.count)"), method: method, params: params).line))
        return events
      }
    }
    return events
  }
}

extension PluginName {
  /// Create a name that is known to be valid.
  package static func sample(_ text: String) -> PluginName {
    guard let name = PluginName(parsing: text) else { preconditionFailure("'\(text)' is no name of a plugin") }
    return name
  }
}

/// A source of the given providers.
package struct GivenProviders: ProviderSource {
  private let providers: [InstalledProvider]

  package init(_ providers: [InstalledProvider]) { self.providers = providers }

  package func installed(_ isIncluded: (TrustedProvider) throws -> Bool) throws -> [InstalledProvider] {
    try providers.sorted { $0.name < $1.name }.filter {
      try isIncluded(
        TrustedProvider(
          name: $0.name.description, capabilities: $0.capabilities, needsCredentials: $0.needsCredentials))
    }
  }

  package func named(_ name: PluginName) -> InstalledProvider? { providers.first { $0.name == name } }
  package func all() -> [InstalledProvider] { providers }
}
