package import PluginProtocol
package import World

/// A plugin's process and the conversation with it: performs the actions of ``PluginSession``.
///
/// With one plugin, use ``call(_:_:limit:since:holding:item:)`` and ``close(grace:)``, which wait. With several at once, start
/// and ``begin(_:_:limit:since:holding:)`` each, then ``step(atMost:item:)`` each in turn until it ``isSettled``.
package final class PluginProcess {
  package let program: any RunningProgram
  private var conversation: PluginSession
  private let clock: any Clock
  private unowned let services: any HostServices
  /// When it was started.
  package let start: Duration
  private var errorLines = ErrorLines()
  private var outcome: Result<Value, PluginSessionError>?
  private var waiting: [WaitingRequest] = []
  private var noticesInterruption = true
  private var piecesTooLate = 0
  private var isClosed = false
  private var isLeaving = false
  /// Whether the process is gone.
  package private(set) var hasEnded = false

  /// How much may be read after the deadline: what came in time, while this program was busy with something else.
  private static let latestPieces = 16

  /// Starts the plugin and sends the greeting; ``result(_:)`` waits for what it says to it.
  /// - Throws: ``PluginSessionError``; then nothing of the plugin is left.
  package init(
    starting plugin: PluginProgram, greeting: Greeting, greetingTime: Duration = PluginSession.greetingTime,
    in world: World, services: any HostServices
  ) throws(PluginSessionError) {
    start = world.clock.monotonic()
    do throws(SystemError) {
      program = try world.processes.start(
        ProgramStart(path: plugin.path, environment: plugin.environment))
    } catch { throw world.interruption.isInterrupted ? .cancelled : .notStarted(error) }
    (clock, self.services) = (world.clock, services)
    conversation = PluginSession(
      with: plugin.name, greeting, capabilities: plugin.capabilities, greetingTime: greetingTime)
    do { try perform(conversation.begin(at: start)) { _ in } } catch {
      close()
      throw (error as? PluginSessionError) ?? .cancelled
    }
  }

  /// Starts the plugin and greets it.
  /// - Throws: ``PluginSessionError``; then nothing of the plugin is left.
  package convenience init(
    _ plugin: PluginProgram, greeting: Greeting, greetingTime: Duration = PluginSession.greetingTime, in world: World,
    services: any HostServices
  ) throws(PluginSessionError) {
    try self.init(starting: plugin, greeting: greeting, greetingTime: greetingTime, in: world, services: services)
    do { _ = try result { _ in } } catch {
      close()
      throw (error as? PluginSessionError) ?? .cancelled
    }
  }

  deinit { close() }

  /// What may be asked.
  package var capabilities: Set<String> { conversation.capabilities }
  package var version: String { conversation.version }

  // MARK: Requests

  /// Asks for something and waits for the answer.
  /// - Parameters:
  ///   - start: what the limit counts from; nil for now.
  ///   - holding: whether the caller keeps all items in memory.
  ///   - item: takes each as it comes. What it throws cancels the request.
  /// - Throws: ``PluginSessionError``, and what `item` throws.
  package func call(
    _ method: String, _ params: Value = .emptyObject, limit: Duration, since start: Duration? = nil,
    holding: Bool = true, item: (Value) throws -> Void = { _ in }
  ) throws -> Value {
    do {
      try begin(method, params, limit: limit, since: start, holding: holding)
      return try result(item)
    } catch let failure as PluginSessionError {
      throw failure
    } catch {
      // The caller takes no more items.
      try? cancel()
      _ = try? result { _ in }
      close()
      throw error
    }
  }

  /// Sends a request without waiting for the response.
  package func begin(
    _ method: String, _ params: Value = .emptyObject, limit: Duration, since start: Duration? = nil,
    holding: Bool = true
  ) throws {
    (outcome, noticesInterruption, piecesTooLate) = (nil, true, 0)
    let now = clock.monotonic()
    try perform(conversation.call(method, params, limit: limit, since: start, holding: holding, at: now)) { _ in }
  }

  /// Cancels the request; the plugin has a moment to clean up.
  package func cancel() throws {
    noticesInterruption = false
    refuseWaiting()
    try perform(conversation.cancel(at: clock.monotonic())) { _ in }
  }

  /// When ``step(atMost:item:)`` has something to do even if the plugin says nothing.
  package var wakeTime: Duration? {
    let times = waiting.map(\.next) + [conversation.deadline].compactMap { $0 }
    return times.min()
  }

  /// Whether the greeting, or the request that was begun last, has its outcome.
  package var isSettled: Bool { outcome != nil }

  /// The outcome, waited for.
  package func result(_ item: (Value) throws -> Void = { _ in }) throws -> Value {
    while true {
      if let outcome { return try outcome.get() }
      guard let deadline = conversation.deadline else { return .emptyObject }
      try step(atMost: max(.zero, deadline - clock.monotonic()), item: item)
    }
  }

  /// Deals with one thing that the plugin says or does, or with the end of its time.
  /// - Returns: whether there was any within `limit`.
  @discardableResult
  package func step(atMost limit: Duration, item: (Value) throws -> Void = { _ in }) throws -> Bool {
    if isLeaving { return stepAside(atMost: limit) }
    try serveWaiting(item)
    guard outcome == nil, let deadline = conversation.deadline else { return false }
    let now = clock.monotonic()
    let untilNext = waiting.map { $0.next - now }.min() ?? limit
    let event: ProgramEvent
    do throws(SystemError) {
      event = try program.next(
        atMost: max(.zero, min(limit, deadline - now, untilNext)), noticesInterruption: noticesInterruption)
    } catch { throw PluginSessionError.notStarted(error) }
    switch event {
    case .output(let bytes): try perform(conversation.receive(bytes, at: clock.monotonic()), item)
    case .errors(let bytes): for line in errorLines.take(bytes) { services.errorLine(line) }
    // How it ended says more, and follows at once if it did.
    case .outputEnded: try perform(conversation.died(status: try statusAtEnd()), item)
    case .ended(let status):
      hasEnded = true
      try perform(conversation.died(status: status), item)
    case .timeUp:
      try perform(conversation.time(at: clock.monotonic()), item)
      return outcome != nil
    case .interrupted: try cancel()
    }
    try checkTime(item)
    return true
  }

  /// What lies in the pipe at the deadline came in time and still counts; a plugin that never stops does not.
  private func checkTime(_ item: (Value) throws -> Void) throws {
    guard outcome == nil, let deadline = conversation.deadline, clock.monotonic() >= deadline else { return }
    piecesTooLate += 1
    if piecesTooLate > Self.latestPieces { try perform(conversation.time(at: clock.monotonic()), item) }
  }

  private func statusAtEnd() throws -> Int32? {
    let end = clock.monotonic() + .milliseconds(200)
    while clock.monotonic() < end {
      switch try? program.next(atMost: end - clock.monotonic(), noticesInterruption: false) {
      case .ended(let status):
        hasEnded = true
        return status
      case .errors(let bytes): for line in errorLines.take(bytes) { services.errorLine(line) }
      case .output, .outputEnded, .timeUp, .interrupted: break
      case nil: return nil
      }
    }
    return nil
  }

  // MARK: The end

  /// Whether its input was closed and it is not gone yet.
  package var isLeavingStill: Bool { isLeaving && !hasEnded && !isClosed }

  /// Closes the plugin's input, upon which it is to end; ``step(atMost:item:)`` then waits for that.
  package func leave() {
    guard !isLeaving, !isClosed, conversation.failure == nil else { return }
    isLeaving = true
    program.closeInput()
  }

  /// Ends the plugin: its input is closed, it gets two seconds, then SIGTERM and SIGKILL follow.
  /// - Parameters:
  ///   - grace: how long each of the two is waited for.
  ///   - hasWaited: whether it had the first of them already, since ``leave()``.
  package func close(grace: Duration = PluginSession.graceTime, hasWaited: Bool = false) {
    guard !isClosed else { return }
    leave()
    isClosed = true
    if isLeaving, !hasWaited {
      let end = clock.monotonic() + grace
      while !hasEnded, clock.monotonic() < end, stepAside(atMost: end - clock.monotonic()) {}
    }
    program.end(grace: hasEnded ? .zero : grace)
    for line in errorLines.end() { services.errorLine(line) }
    services.release()
  }

  /// After the last answer only standard error is read.
  private func stepAside(atMost limit: Duration) -> Bool {
    switch try? program.next(atMost: limit, noticesInterruption: false) {
    case .errors(let bytes): for line in errorLines.take(bytes) { services.errorLine(line) }
    case .ended: hasEnded = true
    case .output, .outputEnded, .interrupted: break
    case .timeUp, nil: return false
    }
    return true
  }

  // MARK: Actions

  private func perform(_ actions: [PluginSession.Action], _ item: (Value) throws -> Void) throws {
    for action in actions {
      switch action {
      case .send(let message): program.send(message.line)
      case .ready: outcome = .success(.emptyObject)
      case .item(let value): try item(value)
      case .progress(let done, let total, let message): services.progress(done, of: total, message)
      case .log(let level, let message): services.log(level, PlainText.withoutEscapes(message))
      case .serve(let id, let method, let params):
        let request = WaitingRequest(id, method, params, at: clock.monotonic())
        if try !serve(request, item) { waiting.append(request) }
      case .finished(let result):
        outcome = result
        refuseWaiting()
      case .note(let text): services.diagnose(text)
      case .end: program.end(grace: hasEnded ? .zero : PluginSession.graceTime)
      }
    }
  }

  /// - Returns: whether it was answered.
  private func serve(_ request: WaitingRequest, _ item: (Value) throws -> Void) throws -> Bool {
    let now = clock.monotonic()
    let left = (conversation.deadline ?? .zero) - now
    guard
      let result = services.serve(
        request.method, request.params, waited: now - request.since, atMost: max(.zero, left))
    else { return false }
    try perform(conversation.answer(request.id, result, at: clock.monotonic()), item)
    return true
  }

  /// Tries those again that are due.
  private func serveWaiting(_ item: (Value) throws -> Void) throws {
    let now = clock.monotonic()
    for var request in waiting where request.next <= now {
      waiting.removeAll { $0.id == request.id }
      if try serve(request, item) { continue }
      request.putOff(at: now)
      waiting.append(request)
    }
  }

  /// Nothing waits for them any more.
  private func refuseWaiting() {
    let refused = waiting
    waiting = []
    for request in refused {
      try? perform(conversation.answer(request.id, .failure(.cancelled), at: clock.monotonic())) { _ in }
    }
  }
}
