import Foundation
package import HTTP
import JSON
import PluginProtocol
package import World

/// Connections and Applets of several users, and the connections of a plugin, with their state.
///
/// It is written from docs/api/connect.md §6 to §8 and docs/api/applets.md, not from the sandbox, so that the client
/// and the sandbox do not prove each other. It records each request, and fails as a test demands.
package final class ChangeServer {
  /// The state of one subject.
  package struct State: Equatable, Sendable {
    package var status: String
    /// The value of field `ft.name`.
    package var name: String
    /// The value of field `ft.note`; nil if it is not set.
    package var note: String?
    /// Whether the user never finished the configuration.
    package var isPending = false

    package init(_ status: String, name: String = "Hall", note: String? = nil) {
      (self.status, self.name, self.note) = (status, name, note)
    }
  }

  /// One request that arrived, from a client or from the host of the plugin.
  package struct Call: Equatable, Sendable {
    package enum Verb: String, Sendable { case read, enable, disable, configure }
    package let verb: Verb
    /// The user and the id, such as `u1 aa`; of a plugin's connection, its name, such as `lamps:l1`.
    package let subject: String
    package var isChange: Bool { verb != .read }
  }

  /// How a request fails.
  package enum Fault: Sendable {
    /// The server rejects the request.
    case answer(Int, String)
    /// The request takes effect, and its response is lost.
    case lost
    /// Nothing reaches the server.
    case unreachable
    /// The server accepts the request without effect.
    case ineffective
    /// The request takes effect. Ctrl-C is pressed before the response arrives.
    case interrupted
  }

  /// The subjects by the name in ``Call/subject``. A service has only the Applets and connections that are in it.
  package var states: [String: State] = [:]
  package private(set) var calls: [Call] = []
  /// The requests in the order of their responses.
  package private(set) var completed: [Call] = []
  /// Decides about each request.
  package var fault: (Call) -> Fault? = { _ in nil }
  /// Receives each request before it has an effect.
  package var observe: (Call) -> Void = { _ in }
  /// Called for ``Fault/interrupted``.
  package var interrupt: () -> Void = {}
  /// Whether the newest request in flight is answered first.
  package var answersNewestFirst = false
  /// Called with each request that is not one of the API.
  package var unexpected: (String) -> Void = { _ in }

  package init() {}

  package static func token(of user: String) -> String { "token-of-\(user)-0123456789abcdef" }
  package static let serviceKey = "key-of-the-tests-0123456789"

  package var changes: [Call] { calls.filter(\.isChange) }

  package func forgetCalls() { (calls, completed) = ([], []) }

  fileprivate func complete(_ call: Call) { completed.append(call) }

  // MARK: Effects

  /// Whether the request is valid in the present state. It takes effect then.
  private func perform(_ call: Call, _ body: JSONValue?) -> Bool {
    guard var state = states[call.subject] else { return false }
    switch call.verb {
    case .read: return true
    case .enable:
      // A connection that is pending and was disabled is not enabled again (docs/api/activation.md §10).
      guard state.status == "enabled" || (state.status == "disabled" && !state.isPending) else { return false }
      state.status = "enabled"
    case .disable:
      guard state.status != "never_enabled" else { return false }
      state.status = "disabled"
    case .configure:
      guard state.status == "enabled", let features = body?["user_features"]?.array else { return false }
      guard let feature = features.first else {
        (state.note, state.isPending) = (nil, true)
        break
      }
      let fields = feature["user_fields"]?.array ?? []
      func value(_ name: String) -> String? {
        fields.first { $0["field_id"]?.string == name }?["value"]?.string
      }
      guard let name = value("name") else { return false }
      (state.name, state.note, state.isPending) = (name, value("note"), false)
    }
    states[call.subject] = state
    return true
  }

  // MARK: HTTP

  package func transport(clock: any Clock) -> any Transport { ChangeTransport(self, clock) }

  fileprivate func answer(_ request: Request) -> (call: Call?, result: Result<Response, TransportError>) {
    guard let (call, body) = parsed(request) else {
      unexpected("\(request.method.rawValue) \(request.url.redacted)")
      return (nil, .success(Self.error(404)))
    }
    observe(call)
    calls.append(call)
    switch fault(call) {
    case .answer(let status, let code)?: return (call, .success(Self.error(status, code)))
    case .unreachable?:
      return (call, .failure(TransportError(kind: .connect, message: "connection refused", mayHaveArrived: false)))
    case .lost?:
      _ = perform(call, body)
      return (call, .failure(TransportError(kind: .broken, message: "connection reset", mayHaveArrived: true)))
    case .interrupted?:
      _ = perform(call, body)
      interrupt()
      return (call, .failure(TransportError(kind: .broken, message: "connection reset", mayHaveArrived: true)))
    case .ineffective?: break
    case nil:
      guard states[call.subject] != nil else { return (call, .success(Self.error(404))) }
      guard perform(call, body) else { return (call, .success(Self.error(422, "invalid_parameters"))) }
    }
    // The response to a new configuration is not known (docs/api/connect.md U2).
    if call.verb == .configure { return (call, .success(Response(status: 204, headers: [], body: []))) }
    return (call, .success(Self.response(200, document(of: call.subject))))
  }

  private func parsed(_ request: Request) -> (Call, body: JSONValue?)? {
    let path = request.url.path.split(separator: "/").map(String.init)
    let body = request.body.flatMap { try? JSONValue(parsing: $0) }
    let bearer = request.header("Authorization")?.split(separator: " ").last.map(String.init)
    let users = ["u1", "u2", "u3"]
    guard
      let user = users.first(where: { bearer == Self.token(of: $0) })
        ?? (request.header("IFTTT-Service-Key") == Self.serviceKey
          ? request.url.query.first { $0.name == "user_id" }?.value ?? body?["user_id"]?.string : nil)
    else { return nil }
    func call(_ verb: Call.Verb, _ id: String) -> (Call, body: JSONValue?) {
      (Call(verb: verb, subject: "\(user) \(id)"), body)
    }
    let isConnection = path.starts(with: ["v2", "connections"])
    let rest = isConnection ? path.dropFirst(2) : path.dropFirst(4)
    guard isConnection || path.starts(with: ["v1", "services", "lampost", "applets"]), let id = rest.first else {
      return nil
    }
    switch (request.method, Array(rest.dropFirst())) {
    case (.get, []): return call(.read, id)
    case (.post, ["enable"]): return call(.enable, id)
    case (.post, ["disable"]): return call(.disable, id)
    case (.put, ["user_connection"]) where isConnection: return call(.configure, id)
    default: return nil
    }
  }

  private static func response(_ status: Int, _ body: JSONValue) -> Response {
    Response(
      status: status, headers: [HeaderField("Content-Type", "application/json; charset=utf-8")],
      body: Array(body.text.utf8))
  }

  private static func error(_ status: Int, _ code: String = "not_found") -> Response {
    response(status, ["type": "error", "code": .string(code), "message": "as the test demands"])
  }

  private static let features: JSONValue = [
    [
      "id": "ft", "title": "Come home",
      "fields": [field("name", isRequired: true), field("note", isRequired: false)],
    ]
  ]

  private static func field(_ id: String, isRequired: Bool) -> JSONValue {
    [
      "id": .string(id), "label": .string(id), "type": "TEXT_FIELD", "required": .bool(isRequired), "hidden": false,
      "default_value": .null,
    ]
  }

  /// A connection or an Applet as its user sees it.
  private func document(of subject: String) -> JSONValue {
    let id = String(subject.split(separator: " ").last ?? "")
    guard let state = states[subject] else { return .null }
    let isApplet = id.hasPrefix("p")
    var document: JSONObject = [
      "type": isApplet ? "applet" : "connection", "id": .string(id), "name": .string(id),
      "user_status": .string(state.status), "services": [],
    ]
    guard !isApplet else { return .object(document) }
    document["features"] = Self.features
    // A configuration is shown only while the connection is enabled (docs/api/connect.md §7.4).
    if state.status == "enabled" { document["user_connection"] = ["user_features": Self.configuration(state)] }
    return .object(document)
  }

  private static func configuration(_ state: State) -> JSONValue {
    guard !state.isPending else { return [] }
    let values = [("name", Optional(state.name)), ("note", state.note)].compactMap { name, value in
      value.map { value -> JSONValue in
        ["field_id": .string(name), "field_type": "TEXT_FIELD", "value": .string(value)]
      }
    }
    return [["id": "uf1", "feature_id": "ft", "enabled": true, "user_fields": .array(values)]]
  }

  // MARK: The plugin

  /// The plugin `lamps`, whose connections are the subjects that are named `lamps:ID`.
  package func plugin(canEnable: Bool = true) -> FakeProvider {
    let provider = FakeProvider(
      "lamps", [.listConnections, .showConnection, .disableConnection] + (canEnable ? [.enableConnection] : []))
    provider.answers["connections/list"] = { [unowned self] _ in
      states.keys.filter { $0.hasPrefix("lamps:") }.sorted().map { .item(connection($0)) } + [.answer([:])]
    }
    let verbs: [(String, Call.Verb)] = [
      ("connections/show", .read), ("connections/enable", .enable), ("connections/disable", .disable),
    ]
    for (method, verb) in verbs {
      provider.answers[method] = { [unowned self] params in
        answer(Call(verb: verb, subject: "lamps:\(params["id"]?.string ?? "")"))
      }
    }
    return provider
  }

  private func connection(_ subject: String) -> Value {
    FakeProvider.connection(String(subject.dropFirst("lamps:".count)), nil, states[subject]?.status ?? "unknown")
  }

  private func answer(_ call: Call) -> [FakeProvider.ScriptedMessage] {
    observe(call)
    calls.append(call)
    completed.append(call)
    let before = states[call.subject]?.status ?? "unknown"
    switch fault(call) {
    case .answer(_, let code)?: return [.fail(PluginError(code, "as the test demands"))]
    case .unreachable?: return [.fail(PluginError("network", "as the test demands"))]
    case .lost?:
      _ = perform(call, nil)
      return [.raw(.outputEnded), .raw(.ended(status: 1))]
    case .interrupted?:
      _ = perform(call, nil)
      interrupt()
      return [.raw(.interrupted)]
    case .ineffective?: break
    case nil:
      guard states[call.subject] != nil else { return [.fail(PluginError("not_found", "no such connection"))] }
      guard perform(call, nil) else { return [.fail(PluginError("invalid_parameters", "not in this state"))] }
    }
    guard call.isChange else { return [.answer(["connection": connection(call.subject)])] }
    let after = states[call.subject]?.status ?? "unknown"
    return [
      .answer(["status": Value(after), "previous_status": Value(before), "changed": Value(before != after)])
    ]
  }
}

/// A transport that passes requests to the server. Each one arrives at once.
private final class ChangeTransport: Transport {
  private let server: ChangeServer
  private let clock: any Clock
  private var inFlight: [(ticket: Int, call: ChangeServer.Call?, result: Result<Response, TransportError>)] = []

  init(_ server: ChangeServer, _ clock: any Clock) { (self.server, self.clock) = (server, clock) }

  func start(_ request: Request, as ticket: Int, limit: Duration) {
    let (call, result) = server.answer(request)
    inFlight.append((ticket, call, result))
  }

  func wait(atMost limit: Duration, orReadable descriptor: Int32) -> [HTTP.TransportResult] {
    guard !inFlight.isEmpty else {
      clock.sleep(for: limit)
      return []
    }
    let next = server.answersNewestFirst ? inFlight.removeLast() : inFlight.removeFirst()
    if let call = next.call { server.complete(call) }
    return [HTTP.TransportResult(ticket: next.ticket, result: next.result)]
  }

  func cancel(_ ticket: Int) { inFlight.removeAll { $0.ticket == ticket } }
}
