import PluginProtocol
import World

// The checks that involve a person, a browser and credentials, played by scripted answers.

extension ConformanceCheck {
  static let activate = ConformanceCheck(
    "activate", "It activates a connection, with the scripted answers", needs: .activateConnection
  ) { subject throws(ConformanceError) in
    let talk = try ConformanceSession(subject)
    let scene = try Scene.activation(subject, talk)
    let result = try scene.play(on: talk, within: subject.timeout)
    guard let connection = result["connection"] else { throw ConformanceError("the response has no 'connection'") }
    _ = try checkedID(of: connection)
  }

  static let commands = ConformanceCheck(
    "commands", "It runs the scripted commands", needs: .runCommand
  ) { subject throws(ConformanceError) in
    let scenes = Scene.commands(subject)
    guard !scenes.isEmpty else { throw ConformanceError("--answers names no commands", isSkip: true) }
    for scene in scenes {
      let talk = try greeted(subject).talk
      _ = try scene.play(on: talk, within: subject.timeout)
    }
  }

  static let secrets = ConformanceCheck("secrets", "It shows no secret that it received or saved") {
    subject throws(ConformanceError) in
    var hasSecrets = false
    for scene in try Scene.all(subject) {
      let talk = try greeted(subject).talk
      // A failure is reported by another check.
      do throws(ConformanceError) { _ = try scene.play(on: talk, within: subject.timeout) } catch {}
      _ = try? talk.closeInput()
      hasSecrets = hasSecrets || !talk.secrets.isEmpty
      let texts = talk.shown + talk.items.map(\.description)
      if talk.secrets.contains(where: { secret in texts.contains { $0.holds(secret) } }) {
        throw ConformanceError("what it shows during '\(scene.method)' contains a secret that it received or saved")
      }
    }
    guard hasSecrets else { throw ConformanceError("it used no secret", isSkip: true) }
  }

  static let cancelInRequest = ConformanceCheck(
    "cancel-in-request", "It responds to a canceled request while it waits for a response itself"
  ) { subject throws(ConformanceError) in
    let (talk, scene) = try waiting(subject)
    talk.send(.notification(method: "$/cancel", params: ["id": Value(Scene.id)]))
    _ = try talk.answer(to: Scene.id, scene.method, within: PluginSession.graceTime)
    talk.withholdsResponses = false
    try ask(talk, nonsense(3), 3)
  }

  static let endInRequest = ConformanceCheck(
    "end-in-request", "It exits within 2 s even while it waits for a response"
  ) { subject throws(ConformanceError) in
    _ = try waiting(subject).talk.closeInput()
  }

  /// A session in which the plugin waits for a response.
  private static func waiting(
    _ subject: ConformanceSubject
  ) throws(ConformanceError) -> (talk: ConformanceSession, scene: Scene) {
    for scene in try Scene.all(subject) {
      try subject.unanswered.check(scene.method)
      let talk = try greeted(subject).talk
      talk.withholdsResponses = true
      talk.send(scene.request)
      if try talk.hasRequest(within: subject.timeout, or: Scene.id) { return (talk, scene) }
    }
    throw ConformanceError("it sends no requests", isSkip: true)
  }
}

/// A request to the plugin in which it may use the services of the program.
private struct Scene {
  static let id = 2

  let method: String
  let params: Value

  var request: Message { .request(id: .number(Self.id), method: method, params: params) }

  /// All requests that the plugin offers and for which there are parameters.
  static func all(_ subject: ConformanceSubject) throws(ConformanceError) -> [Scene] {
    var scenes: [Scene] = []
    if subject.offers(.listConnections) {
      scenes.append(Scene(method: Capability.listConnections.rawValue, params: ["status": nil]))
    }
    if subject.offers(.activateConnection) {
      // Without a connection there is nothing to activate.
      do throws(ConformanceError) { scenes.append(try activation(subject, ConformanceSession(subject))) } catch {
        guard error.isSkip else { throw error }
      }
    }
    return scenes + commands(subject)
  }

  /// The activation of the scripted connection, or of the first that is listed.
  /// - Parameter talk: a session that was not greeted yet.
  static func activation(
    _ subject: ConformanceSubject, _ talk: ConformanceSession
  ) throws(ConformanceError) -> Scene {
    var id = subject.answers.connection
    if id == nil, subject.offers(.listConnections) {
      if case .success = try talk.list(within: subject.timeout) { id = talk.items.first?["id"]?.string }
    } else {
      try talk.greet()
    }
    guard let id else { throw ConformanceError("it lists no connection to activate", isSkip: true) }
    return Scene(
      method: Capability.activateConnection.rawValue, params: ["id": Value(id), "values": subject.answers.values])
  }

  static func commands(_ subject: ConformanceSubject) -> [Scene] {
    guard subject.offers(.runCommand) else { return [] }
    return subject.answers.commands.map { call in
      let arguments = CommandCall(
        command: call.command, options: call.options, arguments: call.arguments, words: call.arguments, output: "json")
      return Scene(method: Capability.runCommand.rawValue, params: arguments.params)
    }
  }

  /// Sends the request and waits for the result.
  func play(on talk: ConformanceSession, within limit: Duration) throws(ConformanceError) -> Value {
    // The list of the same session has the id 2.
    let id = Self.id + 1
    talk.send(.request(id: .number(id), method: method, params: params))
    switch try talk.answer(to: id, method, within: limit) {
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
      guard now < end, try hear(atMost: end - now) || requests > 0 else { return false }
    }
    return requests > 0
  }
}
