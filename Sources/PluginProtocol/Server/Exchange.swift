/// The messages of a plugin's side: requests that wait, the one that is answered now, and what it asks of the program.
final class Exchange {
  let wire: Wire
  /// The request that is answered now.
  private(set) var current: MessageID?
  private var waiting: [Message] = []
  private var cancelled: Set<MessageID> = []
  private var answers: [Int: Result<Value, PluginError>] = [:]
  private var lastID = 0
  /// Whether what is asked for clears up after a request that may have been cancelled.
  var isTidying = false

  /// When the request that is answered now began, later by the time in which a person was served.
  private var began = Duration.zero
  /// While a person is served, the program's clock stands still.
  private static let personal: Set<String> = ["redirect/open", "prompt", "confirm", "input/read", "wait"]

  init(_ wire: Wire) { self.wire = wire }

  /// Of the request that is answered now, as the program counts it.
  var elapsed: Duration { current == nil ? .zero : Wire.now() - began }

  /// The next request or notification; nil once the program has closed its end.
  func next() throws(HostDisconnectedError) -> Message? {
    while true {
      if !waiting.isEmpty { return waiting.removeFirst() }
      guard try receive(waits: true) else { return nil }
    }
  }

  /// Answers one request with what `body` gives. One that was cancelled before it began is not begun.
  func answer(_ id: MessageID, _ body: () throws -> Value) throws(HostDisconnectedError) {
    (current, began) = (id, Wire.now())
    defer {
      current = nil
      cancelled.remove(id)
    }
    let answer: Message
    do {
      if cancelled.contains(id) { throw PluginError.cancelled }
      answer = .response(id: id, result: try body())
    } catch let error as PluginError {
      answer = .failure(id: id, error: error)
    } catch let error as HostDisconnectedError {
      throw error
    } catch {
      answer = .failure(id: id, error: PluginError(.internalError, String(describing: error)))
    }
    try send(answer)
  }

  func send(_ message: Message) throws(HostDisconnectedError) { try wire.write(message.line) }

  var isCancelled: Bool {
    // What came meanwhile is sorted, and nothing waited for.
    while let more = try? receive(waits: false), more {}
    return current.map(cancelled.contains) ?? false || wire.isAbandoned
  }

  /// Sends a request and waits for its answer. Requests that come meanwhile wait their turn.
  func ask(_ method: String, _ params: Value) throws -> Value {
    if !isTidying, isCancelled { throw PluginError.cancelled }
    let asked = Wire.now()
    defer { if Self.personal.contains(method) { began += Wire.now() - asked } }
    lastID += 1
    let id = lastID
    try send(.request(id: .number(id), method: method, params: params))
    while true {
      if let answer = answers.removeValue(forKey: id) { return try answer.get() }
      if !isTidying, current.map(cancelled.contains) ?? false { throw PluginError.cancelled }
      guard try receive(waits: true) else { throw HostDisconnectedError() }
    }
  }

  /// Takes one message in. False where there is none.
  private func receive(waits: Bool) throws(HostDisconnectedError) -> Bool {
    do throws(MessageError) {
      guard let line = try wire.line(waits: waits) else { return false }
      switch try Message(parsing: line) {
      case .notification("$/cancel", let params): if let id = params["id"].flatMap(MessageID.init) { cancel(id) }
      case .response(.number(let id), let result): answers[id] = .success(result)
      case .failure(.number(let id), let error): answers[id] = .failure(error)
      // An answer to nothing that was asked.
      case .response, .failure: break
      case let message: waiting.append(message)
      }
    } catch {
      try send(error.answer)
      // The rest of a line that is too long cannot be told from the next one.
      if error == .tooLong { throw HostDisconnectedError() }
    }
    return true
  }

  private func cancel(_ id: MessageID) {
    let isKnown =
      id == current
      || waiting.contains { if case .request(id, _, _) = $0 { true } else { false } }
    if isKnown { cancelled.insert(id) }
  }
}
