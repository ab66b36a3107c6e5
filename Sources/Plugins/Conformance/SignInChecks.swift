import PluginProtocol
import Text
import World

// The checks that involve a user, a browser and credentials, with scripted answers.

extension ConformanceCheck {
  static let activate = ConformanceCheck(
    "activate", "It activates a connection, with the scripted answers", needs: .activateConnection
  ) { subject throws(ConformanceError) in
    let session = try ConformanceSession(subject)
    let request = try ScriptedRequest.activation(subject, session)
    let result = try request.run(on: session, within: subject.timeout)
    guard let connection = result["connection"] else { throw ConformanceError("the response has no 'connection'") }
    _ = try checkedID(of: connection)
  }

  static let commands = ConformanceCheck(
    "commands", "It runs the scripted commands", needs: .runCommand
  ) { subject throws(ConformanceError) in
    let requests = ScriptedRequest.commands(subject)
    guard !requests.isEmpty else { throw ConformanceError("--answers names no commands", isSkip: true) }
    for request in requests {
      let session = try greetedSession(subject).session
      _ = try request.run(on: session, within: subject.timeout)
    }
  }

  static let secrets = ConformanceCheck("secrets", "It shows no secret that it received or saved") {
    subject throws(ConformanceError) in
    var hasSecrets = false
    for request in try ScriptedRequest.all(subject) {
      let session = try greetedSession(subject).session
      // A failure is reported by another check.
      do throws(ConformanceError) { _ = try request.run(on: session, within: subject.timeout) } catch {}
      _ = try? session.closeInput()
      hasSecrets = hasSecrets || !session.secrets.isEmpty
      let texts = session.shown + session.items.map(\.description)
      if session.secrets.contains(where: { secret in texts.contains { $0.includes(secret) } }) {
        throw ConformanceError("what it shows during '\(request.method)' contains a secret that it received or saved")
      }
    }
    guard hasSecrets else { throw ConformanceError("it used no secret", isSkip: true) }
  }

  static let cancelInRequest = ConformanceCheck(
    "cancel-in-request", "It responds to a canceled request while it waits for a response itself"
  ) { subject throws(ConformanceError) in
    let (session, request) = try waitingSession(subject)
    session.send(.notification(method: "$/cancel", params: ["id": Value(ScriptedRequest.id)]))
    _ = try session.response(to: ScriptedRequest.id, request.method, within: PluginSession.graceTime)
    session.withholdsResponses = false
    try checkUnknownRequest(3, in: session)
  }

  static let endInRequest = ConformanceCheck(
    "end-in-request", "It exits within 2 s even while it waits for a response"
  ) { subject throws(ConformanceError) in
    _ = try waitingSession(subject).session.closeInput()
  }

  /// A session in which the plugin waits for a response.
  private static func waitingSession(
    _ subject: ConformanceSubject
  ) throws(ConformanceError) -> (session: ConformanceSession, request: ScriptedRequest) {
    for request in try ScriptedRequest.all(subject) {
      try subject.unanswered.check(request.method)
      let session = try greetedSession(subject).session
      session.withholdsResponses = true
      session.send(request.message)
      if try session.hasRequest(within: subject.timeout, or: ScriptedRequest.id) { return (session, request) }
    }
    throw ConformanceError("it sends no requests", isSkip: true)
  }
}

/// A request to the plugin in which it may use the services of the program.
private struct ScriptedRequest {
  static let id = 2

  let method: String
  let params: Value

  var message: Message { .request(id: .number(Self.id), method: method, params: params) }

  /// All requests that the plugin offers and for which there are parameters.
  static func all(_ subject: ConformanceSubject) throws(ConformanceError) -> [ScriptedRequest] {
    var requests: [ScriptedRequest] = []
    if subject.offers(.listConnections) {
      requests.append(ScriptedRequest(method: Capability.listConnections.rawValue, params: ["status": nil]))
    }
    if subject.offers(.activateConnection) {
      // Without a connection there is nothing to activate.
      do throws(ConformanceError) { requests.append(try activation(subject, ConformanceSession(subject))) } catch {
        guard error.isSkip else { throw error }
      }
    }
    return requests + commands(subject)
  }

  /// The activation of the scripted connection, or of the first that is listed.
  /// - Parameter session: a session that was not greeted yet.
  static func activation(
    _ subject: ConformanceSubject, _ session: ConformanceSession
  ) throws(ConformanceError) -> ScriptedRequest {
    var id = subject.answers.connection
    if id == nil, subject.offers(.listConnections) {
      if case .success = try session.list(within: subject.timeout) { id = session.items.first?["id"]?.string }
    } else {
      try session.greet()
    }
    guard let id else { throw ConformanceError("it lists no connection to activate", isSkip: true) }
    return ScriptedRequest(
      method: Capability.activateConnection.rawValue, params: ["id": Value(id), "values": subject.answers.values])
  }

  static func commands(_ subject: ConformanceSubject) -> [ScriptedRequest] {
    guard subject.offers(.runCommand) else { return [] }
    return subject.answers.commands.map { call in
      let arguments = CommandCall(
        command: call.command, options: call.options, arguments: call.arguments, words: call.arguments, output: "json")
      return ScriptedRequest(method: Capability.runCommand.rawValue, params: arguments.params)
    }
  }

  /// Sends the request and waits for the result.
  func run(on session: ConformanceSession, within limit: Duration) throws(ConformanceError) -> Value {
    // The list of the same session has the id 2.
    let id = Self.id + 1
    session.send(.request(id: .number(id), method: method, params: params))
    switch try session.response(to: id, method, within: limit) {
    case .success(let result): return result
    case .failure(let error): throw ConformanceError("it responds to '\(method)' with an error: \(error.message)")
    }
  }
}

extension ConformanceSubject {
  func offers(_ capability: Capability) -> Bool { plugin.capabilities.contains(capability.rawValue) }
}

extension ConformanceSession {
  /// Waits for a request of the plugin.
  /// - Returns: false if it responds without one.
  fileprivate func hasRequest(within limit: Duration, or id: Int) throws(ConformanceError) -> Bool {
    let end = now + limit
    while requests == 0, !hasResponse(to: id) {
      guard now < end, try waitForMessage(atMost: end - now) || requests > 0 else { return false }
    }
    return requests > 0
  }
}
