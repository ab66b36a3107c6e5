/// The plugin's side of the message exchange: queued requests, the request in progress, and requests to the program.
final class Exchange {
  let wire: Wire
  /// The id of the request in progress.
  private(set) var current: MessageID?
  private var waiting: [Message] = []
  private var cancelled: Set<MessageID> = []
  private var answers: [Int: Result<Value, PluginError>] = [:]
  private var lastID = 0
  /// Whether requests are sent even if the request in progress was canceled, in order to clean up.
  var isTidying = false

  /// The start of the request in progress, moved forward by the time spent waiting for the user.
  private var began = Duration.zero
  /// The methods during which the program's timeout is paused, because they wait for the user.
  private static let personal: Set<String> = ["redirect/open", "prompt", "confirm", "input/read", "wait"]

  init(_ wire: Wire) { self.wire = wire }

  /// The time that counts against the timeout of the request in progress.
  var elapsed: Duration { current == nil ? .zero : Wire.now() - began }

  /// The next request or notification; nil once the program has closed its end.
  func next() throws(HostDisconnectedError) -> Message? {
    while true {
      if !waiting.isEmpty { return waiting.removeFirst() }
      guard try receive(waits: true) else { return nil }
    }
  }

  /// Responds to one request with the result of `body`. A request that was canceled before it began is not started.
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
    // Process the messages that have arrived, without waiting for more.
    while let more = try? receive(waits: false), more {}
    return current.map(cancelled.contains) ?? false || wire.isAbandoned
  }

  /// Sends a request and waits for its response. Requests that arrive meanwhile are queued.
  func request(_ method: String, _ params: Value) throws -> Value {
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

  /// Receives one message. Returns false if there is none.
  private func receive(waits: Bool) throws(HostDisconnectedError) -> Bool {
    do throws(MessageError) {
      guard let line = try wire.line(waits: waits) else { return false }
      switch try Message(parsing: line) {
      case .notification("$/cancel", let params): if let id = params["id"].flatMap(MessageID.init) { cancel(id) }
      case .response(.number(let id), let result): answers[id] = .success(result)
      case .failure(.number(let id), let error): answers[id] = .failure(error)
      // A response to a request that was never sent.
      case .response, .failure: break
      case let message: waiting.append(message)
      }
    } catch {
      try send(error.answer)
      // After a line that is too long, its rest cannot be told from the next line.
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
