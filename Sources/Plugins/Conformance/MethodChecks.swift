import PluginProtocol
import World

// The checks of lists, which most providers offer.

extension ConformanceCheck {
  static let connections = ConformanceCheck(
    "connections", "It lists connections with an id, a name and a status", needs: .listConnections
  ) { subject throws(ConformanceError) in
    let session = try ConformanceSession(subject)
    try session.list()
    switch try session.response(to: 2, "connections/list", within: subject.timeout) {
    // A plugin without an account may respond with an error.
    case .failure(let error) where error.code != nil: break
    case .failure(let error):
      throw ConformanceError("it responds with an error that has no 'code' in its 'data': \(error.message)")
    case .success(let result):
      guard result.members != nil else { throw ConformanceError("the response is not an object") }
    }
    var seen: Set<String> = []
    for item in session.items {
      let id = try checkedID(of: item)
      guard seen.insert(id).inserted else { throw ConformanceError("it lists '\(id)' twice") }
    }
  }

  /// - Throws: ``ConformanceError`` if the value is not a connection.
  /// - Returns: the connection's id.
  static func checkedID(of item: Value) throws(ConformanceError) -> String {
    guard let id = item["id"]?.string, !id.isEmpty, let name = item["name"]?.string else {
      throw ConformanceError("a connection has no 'id' or no 'name'")
    }
    guard let status = item["status"]?.string, ProvidedConnection.Status(rawValue: status) != nil else {
      throw ConformanceError("connection '\(id)' has the invalid status \(item["status"] ?? .null)")
    }
    guard !name.unicodeScalars.contains("\u{fffd}") else {
      throw ConformanceError("the name of connection '\(id)' has U+FFFD, which replaces text in another encoding")
    }
    return id
  }

  static let cancel = ConformanceCheck(
    "cancel", "It responds to a canceled request within 2 s, and then to the next one", needs: .listConnections
  ) { subject throws(ConformanceError) in
    let session = try ConformanceSession(subject)
    try session.list()
    session.send(.notification(method: "$/cancel", params: ["id": 2]))
    // Canceling a request that is not in flight must be harmless.
    session.send(.notification(method: "$/cancel", params: ["id": 999]))
    _ = try session.response(to: 2, "connections/list", within: PluginSession.graceTime)
    try checkUnknownRequest(3, in: session)
  }

  static let slowResponse = ConformanceCheck(
    "slow-response", "It waits if ifttt responds slowly", needs: .listConnections
  ) { subject throws(ConformanceError) in
    let pause = min(.seconds(1), subject.timeout / 4)
    // A missing account fails either way.
    guard case .success = try ConformanceSession(subject).list(within: subject.timeout) else { return }
    let session = try ConformanceSession(subject)
    session.pause = pause
    switch try session.list(within: subject.timeout) {
    case .success: break
    case .failure(let error): throw ConformanceError("it does not wait \(pause.wholeMilliseconds) ms: \(error.message)")
    }
    session.pause = .zero
    try checkUnknownRequest(3, in: session)
  }

  static let endInMidStream = ConformanceCheck(
    "end-in-mid-stream", "It exits within 2 s even during a list", needs: .listConnections
  ) { subject throws(ConformanceError) in
    let session = try ConformanceSession(subject)
    try session.list()
    _ = try session.waitForMessage(atMost: shortTimeout)
    _ = try session.closeInput()
  }
}

// The checks of the methods that act on one connection, and of the methods that only read.

extension ConformanceCheck {
  static let show = ConformanceCheck("show", "It shows a listed connection", needs: .showConnection) {
    subject throws(ConformanceError) in
    let session = try ConformanceSession(subject)
    guard let id = try session.listed().first?.id else {
      throw ConformanceError("it lists no connection to show", isSkip: true)
    }
    let result = try session.result(of: .showConnection, ["id": Value(id)])
    guard let connection = result["connection"] else { throw ConformanceError("the response has no 'connection'") }
    let shown = try checkedID(of: connection)
    guard shown == id else { throw ConformanceError("the request was for '\(id)', but the response is for '\(shown)'") }
  }

  static let enable = ConformanceCheck(
    "enable", "It enables a listed connection, which is disabled again", needs: .enableConnection
  ) { subject throws(ConformanceError) in try StatusChangeCheck(subject, to: .enabled).run() }

  static let disable = ConformanceCheck(
    "disable", "It disables a listed connection, which is enabled again", needs: .disableConnection
  ) { subject throws(ConformanceError) in try StatusChangeCheck(subject, to: .disabled).run() }

  static let configure = ConformanceCheck(
    "configure", "It configures a connection with the scripted values", needs: .configureConnection
  ) { subject throws(ConformanceError) in
    guard let id = subject.answers.configured else {
      throw ConformanceError("--answers names no connection to configure", isSkip: true)
    }
    let session = try greetedSession(subject).session
    let values = subject.answers.configuredValues
    let result = try session.result(of: .configureConnection, ["id": Value(id), "values": values])
    guard let connection = result["connection"] else { throw ConformanceError("the response has no 'connection'") }
    _ = try checkedID(of: connection)
  }

  static let credentialStatus = ConformanceCheck(
    "credential-status", "It reports the states of its credentials", needs: .credentialStatus
  ) { subject throws(ConformanceError) in
    let session = try greetedSession(subject).session
    guard let result = try session.resultOrError(of: .credentialStatus, .emptyObject) else { return }
    guard let credentials = result["credentials"]?.array else {
      throw ConformanceError("the response has no array 'credentials'")
    }
    for credential in credentials {
      guard let name = credential["name"]?.string else { throw ConformanceError("a credential has no 'name'") }
      let state = credential["state"]?.string
      guard let state, CredentialState.State(rawValue: state) != nil else {
        throw ConformanceError("credential '\(name)' has the invalid state \(credential["state"] ?? .null)")
      }
    }
  }

  static let completion = ConformanceCheck(
    "complete", "It responds to a request for completions", needs: .complete
  ) { subject throws(ConformanceError) in
    let session = try greetedSession(subject).session
    let question = CompletionQuestion(kind: "connection", command: [], profile: subject.greeting.profile, prefix: "")
    guard let result = try session.resultOrError(of: .complete, question.params) else { return }
    guard let candidates = result["candidates"]?.array, candidates.allSatisfy({ $0["value"]?.string != nil }) else {
      throw ConformanceError("the response has no array 'candidates' of objects with 'value'")
    }
  }
}

/// A change of the status of one listed connection, which is undone afterward. A connection that already has the status
/// is used only if there is no other; the request then changes nothing.
private final class StatusChangeCheck {
  private let subject: ConformanceSubject
  private let target: ProvidedConnection.Status
  private var capability: Capability { target == .enabled ? .enableConnection : .disableConnection }
  private var opposite: Capability { target == .enabled ? .disableConnection : .enableConnection }
  private var origin: ProvidedConnection.Status { target == .enabled ? .disabled : .enabled }

  init(_ subject: ConformanceSubject, to target: ProvidedConnection.Status) {
    (self.subject, self.target) = (subject, target)
  }

  func run() throws(ConformanceError) {
    let session = try ConformanceSession(subject)
    let listed = try session.listed()
    if subject.offers(opposite), let id = listed.first(where: { $0.status == origin.rawValue })?.id {
      return try change(id, on: session)
    }
    guard let id = listed.first(where: { $0.status == target.rawValue })?.id else {
      let reason = subject.offers(opposite) ? "" : ", and '\(opposite.rawValue)', which would undo it, is not offered"
      throw ConformanceError("it lists no connection to \(verb)\(reason)", isSkip: true)
    }
    try send(capability, id, to: target, on: session)
  }

  private var verb: String { target == .enabled ? "enable" : "disable" }

  /// Changes a connection and restores it, even if the change fails or Ctrl-C interrupts it: the plugin may have made it.
  private func change(_ id: String, on session: ConformanceSession) throws(ConformanceError) {
    do throws(ConformanceError) { try send(capability, id, to: target, on: session) } catch {
      try? restore(id)
      throw error
    }
    do throws(ConformanceError) { try restore(id) } catch {
      throw ConformanceError("connection '\(id)' is now \(target.rawValue), because \(error.description)")
    }
  }

  /// Undoes the change in a session of its own: the plugin may have exited, or hang.
  private func restore(_ id: String) throws(ConformanceError) {
    let session = try ConformanceSession(subject)
    session.ignoresInterruption = true
    try session.greet()
    try send(opposite, id, to: origin, on: session)
  }

  private func send(
    _ capability: Capability, _ id: String, to target: ProvidedConnection.Status, on session: ConformanceSession
  ) throws(ConformanceError) {
    let method = capability.rawValue
    let result = try session.result(of: capability, ["id": Value(id), "options": .emptyObject])
    for member in ["status", "previous_status"]
    where result[member]?.string.flatMap(ProvidedConnection.Status.init(rawValue:)) == nil {
      throw ConformanceError("the response to '\(method)' has no valid '\(member)'")
    }
    let opposite = target == .enabled ? ProvidedConnection.Status.disabled : .enabled
    guard result["status"]?.string != opposite.rawValue else {
      throw ConformanceError("it responds to '\(method)' with the status '\(opposite.rawValue)'")
    }
  }
}

extension ConformanceSession {
  /// Greets the plugin and lists its connections; empty if it does not offer a list, or if the list fails.
  fileprivate func listed() throws(ConformanceError) -> [(id: String, status: String)] {
    guard offers(.listConnections) else {
      try greet()
      return []
    }
    // A failure is reported by the check of lists.
    guard case .success = try list(within: timeout) else { return [] }
    return items.compactMap { item in
      item["id"]?.string.map { (id: $0, status: item["status"]?.string ?? "") }
    }
  }

  /// Sends a request about a listed connection and waits for its result.
  fileprivate func result(of capability: Capability, _ params: Value) throws(ConformanceError) -> Value {
    switch try response(to: capability, params) {
    case .success(let result): return result
    case .failure(let error):
      throw ConformanceError(
        "it responds to '\(capability.rawValue)' with an error: \(error.message)",
        isSkip: error.code == "unauthorized")
    }
  }

  /// Sends a request and waits for its result; nil for an error with a code, with which a plugin without an account may
  /// respond.
  fileprivate func resultOrError(
    of capability: Capability, _ params: Value
  ) throws(ConformanceError) -> Value? {
    switch try response(to: capability, params) {
    case .success(let result): return result
    case .failure(let error) where error.code != nil: return nil
    case .failure(let error):
      throw ConformanceError("it responds with an error that has no 'code' in its 'data': \(error.message)")
    }
  }

  private func response(
    to capability: Capability, _ params: Value
  ) throws(ConformanceError) -> Result<Value, PluginError> {
    // The list of the same session has the id 2.
    send(.request(id: .number(3), method: capability.rawValue, params: params))
    return try response(to: 3, capability.rawValue, within: timeout)
  }
}
