import PluginProtocol
import World

// The checks of lists, which most providers offer.

extension ConformanceCheck {
  static let connections = ConformanceCheck(
    "connections", "It lists connections with an id, a name and a status", needs: .listConnections
  ) { subject throws(ConformanceError) in
    let talk = try ConformanceSession(subject)
    try talk.list()
    switch try talk.answer(to: 2, "connections/list", within: subject.timeout) {
    // A plugin without an account may respond with an error.
    case .failure(let error) where error.code != nil: break
    case .failure(let error):
      throw ConformanceError("it responds with an error that has no 'code' in its 'data': \(error.message)")
    case .success(let result):
      guard result.members != nil else { throw ConformanceError("the response is not an object") }
    }
    var seen: Set<String> = []
    for item in talk.items {
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
    let talk = try ConformanceSession(subject)
    try talk.list()
    talk.send(.notification(method: "$/cancel", params: ["id": 2]))
    // Canceling a request that is not in flight must be harmless.
    talk.send(.notification(method: "$/cancel", params: ["id": 999]))
    _ = try talk.answer(to: 2, "connections/list", within: PluginSession.graceTime)
    try ask(talk, nonsense(3), 3)
  }

  static let slowResponse = ConformanceCheck(
    "slow-response", "It waits if ifttt responds slowly", needs: .listConnections
  ) { subject throws(ConformanceError) in
    let pause = min(.seconds(1), subject.timeout / 4)
    // A missing account fails either way.
    guard case .success = try ConformanceSession(subject).list(within: subject.timeout) else { return }
    let talk = try ConformanceSession(subject)
    talk.pause = pause
    switch try talk.list(within: subject.timeout) {
    case .success: break
    case .failure(let error): throw ConformanceError("it does not wait \(pause.wholeMilliseconds) ms: \(error.message)")
    }
    talk.pause = .zero
    try ask(talk, nonsense(3), 3)
  }

  static let endInMidStream = ConformanceCheck(
    "end-in-mid-stream", "It exits within 2 s even during a list", needs: .listConnections
  ) { subject throws(ConformanceError) in
    let talk = try ConformanceSession(subject)
    try talk.list()
    _ = try talk.hear(atMost: quick)
    _ = try talk.closeInput()
  }
}
