package import PluginProtocol
package import World

/// A plugin's process and the session with it: performs the actions of ``PluginSession``.
///
/// With one plugin, use ``call(_:_:limit:since:holding:item:)`` and ``close(grace:)``, which block. With several
/// plugins at once, start each, call ``begin(_:_:limit:since:holding:)`` on each, then ``step(atMost:item:)`` on each
/// in turn until it ``isSettled``.
package final class PluginProcess {
  package let program: any RunningProgram
  private var session: PluginSession
  private let clock: any Clock
  private unowned let services: any HostServices
  private let trace: TracedProcess?
  /// Masks the secrets that the plugin received or saved.
  private var mask = TraceMask([])
  /// The start time of the process.
  package let start: Duration
  private var errorLines = ErrorLines()
  private var outcome: Result<Value, PluginSessionError>?
  private var waiting: [WaitingRequest] = []
  private var noticesInterruption = true
  private var lateChunks = 0
  private var isClosed = false
  private var inputIsClosed = false
  /// Whether the process has ended.
  package private(set) var hasEnded = false

  /// The maximum number of chunks to read after the deadline. They may have arrived in time while this program was
  /// busy.
  private static let lateChunkLimit = 16

  /// Starts the plugin and sends the greeting. ``result(_:)`` waits for the response.
  /// - Parameter trace: records all messages; nil for none.
  /// - Throws: ``PluginSessionError``; the plugin has then ended.
  package init(
    starting plugin: PluginProgram, greeting: Greeting, greetingTime: Duration = PluginSession.greetingTime,
    in world: World, services: any HostServices, trace: PluginTrace? = nil
  ) throws(PluginSessionError) {
    self.trace = trace?.process(of: plugin.name)
    start = world.clock.monotonic()
    do throws(SystemError) {
      program = try world.processes.start(
        ProgramStart(path: plugin.path, environment: plugin.environment, confinement: plugin.confinement))
    } catch { throw world.interruption.isInterrupted ? .cancelled : .notStarted(error) }
    (clock, self.services) = (world.clock, services)
    session = PluginSession(
      with: plugin.name, greeting, capabilities: plugin.capabilities, greetingTime: greetingTime)
    do { try perform(session.begin(at: start)) { _ in } } catch {
      close()
      throw (error as? PluginSessionError) ?? .cancelled
    }
  }

  /// Starts the plugin and waits for its response to the greeting.
  /// - Throws: ``PluginSessionError``; the plugin has then ended.
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

  /// Whether no further request can be sent.
  package var isOver: Bool { isClosed || hasEnded || session.failure != nil }

  // MARK: Requests

  /// Sends a request and waits for its result.
  /// - Parameters:
  ///   - start: the time from which the limit counts; nil for now.
  ///   - holding: whether the caller holds all items in memory.
  ///   - item: receives each item as it arrives. An error it throws cancels the request.
  /// - Throws: ``PluginSessionError``, and the errors that `item` throws.
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
      // The caller accepts no more items.
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
    (outcome, noticesInterruption, lateChunks) = (nil, true, 0)
    let now = clock.monotonic()
    try perform(session.call(method, params, limit: limit, since: start, holding: holding, at: now)) { _ in }
  }

  /// Cancels the request. The plugin has a short time to clean up.
  package func cancel() throws {
    noticesInterruption = false
    rejectWaiting()
    try perform(session.cancel(at: clock.monotonic())) { _ in }
  }

  /// The time at which ``step(atMost:item:)`` has work even if the plugin sends nothing.
  package var wakeTime: Duration? {
    let times = waiting.map(\.next) + [session.deadline].compactMap { $0 }
    return times.min()
  }

  /// Whether the greeting, or the most recent request, has a result.
  package var isSettled: Bool { outcome != nil }

  /// Waits for the result and returns it.
  package func result(_ item: (Value) throws -> Void = { _ in }) throws -> Value {
    while true {
      if let outcome { return try outcome.get() }
      guard let deadline = session.deadline else { return .emptyObject }
      try step(atMost: max(.zero, deadline - clock.monotonic()), item: item)
    }
  }

  /// Processes one event: a message or the end of the plugin, or an expired timeout.
  /// - Returns: whether there was an event within `limit`.
  @discardableResult
  package func step(atMost limit: Duration, item: (Value) throws -> Void = { _ in }) throws -> Bool {
    if inputIsClosed { return drainErrors(atMost: limit) }
    try serveWaiting(item)
    guard outcome == nil, let deadline = session.deadline else { return false }
    let now = clock.monotonic()
    let untilNext = waiting.map { $0.next - now }.min() ?? limit
    let event: ProgramEvent
    do throws(SystemError) {
      event = try program.next(
        atMost: max(.zero, min(limit, deadline - now, untilNext)), noticesInterruption: noticesInterruption)
    } catch { throw PluginSessionError.notStarted(error) }
    switch event {
    case .output(let bytes):
      trace?.received(bytes)
      try perform(session.receive(bytes, at: clock.monotonic()), item)
    case .errors(let bytes): for line in errorLines.receive(bytes) { services.errorLine(line) }
    // The exit status is more informative, and follows at once if the plugin has ended.
    case .outputEnded: try perform(session.died(status: try statusAtEnd()), item)
    case .ended(let status):
      hasEnded = true
      try perform(session.died(status: status), item)
    case .timeUp:
      try perform(session.checkDeadline(at: clock.monotonic()), item)
      return outcome != nil
    case .interrupted: try cancel()
    }
    try checkTime(item)
    return true
  }

  /// Checks the deadline. Data already in the pipe at the deadline still counts; an endless stream does not.
  private func checkTime(_ item: (Value) throws -> Void) throws {
    guard outcome == nil, let deadline = session.deadline, clock.monotonic() >= deadline else { return }
    lateChunks += 1
    if lateChunks > Self.lateChunkLimit { try perform(session.checkDeadline(at: clock.monotonic()), item) }
  }

  private func statusAtEnd() throws -> Int32? {
    let end = clock.monotonic() + .milliseconds(200)
    while clock.monotonic() < end {
      switch try? program.next(atMost: end - clock.monotonic(), noticesInterruption: false) {
      case .ended(let status):
        hasEnded = true
        return status
      case .errors(let bytes): for line in errorLines.receive(bytes) { services.errorLine(line) }
      case .output, .outputEnded, .timeUp, .interrupted: break
      case nil: return nil
      }
    }
    return nil
  }

  // MARK: Shutdown

  /// Whether the plugin's input was closed and the plugin is still running.
  package var isExiting: Bool { inputIsClosed && !hasEnded && !isClosed }

  /// Closes the plugin's input, which signals the plugin to exit. ``step(atMost:item:)`` then waits for its exit.
  package func closeInput() {
    guard !inputIsClosed, !isClosed, session.failure == nil else { return }
    inputIsClosed = true
    program.closeInput()
  }

  /// Ends the plugin: closes its input, waits, then sends SIGTERM and SIGKILL.
  /// - Parameters:
  ///   - grace: The time to wait after closing the input, and again after SIGTERM.
  ///   - hasWaited: Whether the first of these waits has already passed since ``closeInput()``.
  package func close(grace: Duration = PluginSession.graceTime, hasWaited: Bool = false) {
    guard !isClosed else { return }
    closeInput()
    isClosed = true
    if inputIsClosed, !hasWaited {
      let end = clock.monotonic() + grace
      while !hasEnded, clock.monotonic() < end, drainErrors(atMost: end - clock.monotonic()) {}
    }
    program.end(grace: hasEnded ? .zero : grace)
    trace?.end()
    for line in errorLines.end() { services.errorLine(line) }
    services.release()
  }

  /// Reads only stderr, after the last response.
  private func drainErrors(atMost limit: Duration) -> Bool {
    switch try? program.next(atMost: limit, noticesInterruption: false) {
    case .errors(let bytes): for line in errorLines.receive(bytes) { services.errorLine(line) }
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
      case .send(let message):
        let line = message.line
        trace?.sent(line)
        program.send(line)
      case .ready: outcome = .success(.emptyObject)
      case .item(let value): try item(value)
      case .progress(let done, let total, let message): services.progress(done, of: total, message)
      case .log(let level, let message): services.log(level, PlainText.withoutEscapes(message))
      case .serve(let id, let method, let params):
        mask.addSecrets(of: .request(id: id, method: method, params: params), from: .plugin)
        let request = WaitingRequest(id, method, params, at: clock.monotonic())
        if try !serve(request, item) { waiting.append(request) }
      case .finished(let result):
        outcome = result.mapError { [mask] in $0.masked(mask.masked) }
        rejectWaiting()
      case .note(let text): services.diagnose(text)
      case .end: program.end(grace: hasEnded ? .zero : PluginSession.graceTime)
      }
    }
  }

  /// Serves a request of the plugin.
  /// - Returns: whether a response was sent.
  private func serve(_ request: WaitingRequest, _ item: (Value) throws -> Void) throws -> Bool {
    let now = clock.monotonic()
    let left = (session.deadline ?? .zero) - now
    guard
      let result = services.serve(
        request.method, request.params, waited: now - request.since, atMost: max(.zero, left))
    else { return false }
    if case .success(let value) = result { mask.addSecrets(of: .response(id: request.id, result: value), from: .host) }
    try perform(session.respond(to: request.id, result, at: clock.monotonic()), item)
    return true
  }

  /// Retries the waiting requests that are due.
  private func serveWaiting(_ item: (Value) throws -> Void) throws {
    let now = clock.monotonic()
    for var request in waiting where request.next <= now {
      waiting.removeAll { $0.id == request.id }
      if try serve(request, item) { continue }
      request.reschedule(at: now)
      waiting.append(request)
    }
  }

  /// Rejects the waiting requests: the plugin no longer needs their results.
  private func rejectWaiting() {
    let rejected = waiting
    waiting = []
    for request in rejected {
      try? perform(session.respond(to: request.id, .failure(.cancelled), at: clock.monotonic())) { _ in }
    }
  }
}

/// Handles a plugin's requests and notifications while the plugin processes a request.
package protocol HostServices: AnyObject {
  /// Handles a request of the plugin.
  /// - Parameters:
  ///   - waited: The time since the first attempt to handle this request.
  ///   - limit: The time left for the request that the plugin is processing.
  /// - Returns: nil if there is no result yet, for example because another plugin is being served. Call again after a
  ///   short pause.
  func serve(
    _ method: String, _ params: Value, waited: Duration, atMost limit: Duration
  ) -> Result<Value, PluginError>?
  func progress(_ done: Int, of total: Int?, _ message: String?)
  func log(_ level: String, _ message: String)
  /// Receives one line of the plugin's stderr, with escape sequences removed.
  func errorLine(_ text: String)
  /// Receives a diagnostic for `--verbose`.
  func diagnose(_ text: String)
  /// Releases all locks and listeners of the plugin, after it has ended.
  func release()
}

/// A request of a plugin that could not be served at once.
struct WaitingRequest {
  let id: MessageID
  let method: String
  let params: Value
  let since: Duration
  /// The time of the next attempt.
  private(set) var next: Duration
  private static let backoff = Backoff(base: .milliseconds(5), ceiling: .milliseconds(100))
  private var attempts = 0

  init(_ id: MessageID, _ method: String, _ params: Value, at now: Duration) {
    (self.id, self.method, self.params, since, next) = (id, method, params, now, now)
    reschedule(at: now)
  }

  /// Schedules the next attempt, with growing pauses, and one attempt when the plugin's own timeout expires.
  mutating func reschedule(at now: Duration) {
    attempts += 1
    next = now + Self.backoff.delay(attempt: attempts)
    if let limit = params["timeout_ms"]?.milliseconds, since + limit > now { next = min(next, since + limit) }
  }
}
