package import PluginProtocol
package import World

/// What a plugin is given while it is asked something, and who is told what it says.
package protocol HostServices: AnyObject {
  /// - Parameter limit: what is left of the request's time.
  func serve(_ method: String, _ params: Value, atMost limit: Duration) -> Result<Value, PluginError>
  func progress(_ done: Int, of total: Int?, _ message: String?)
  func log(_ level: String, _ message: String)
  /// A line of the plugin's standard error, escapes removed.
  func errorLine(_ text: String)
  /// For `--verbose`.
  func diagnose(_ text: String)
  /// Gives back what the plugin holds: it has ended.
  func release()
}

/// A plugin's process and the conversation with it: performs the actions of ``Conversation``.
package final class PluginProcess {
  private let program: any RunningProgram
  private var conversation: Conversation
  private let clock: any Clock
  private unowned let services: any HostServices
  private var errorLines = ErrorLines()
  private var outcome: Result<Value, ConversationFailure>?
  private var hasEnded = false
  private var isClosed = false

  /// Starts the plugin and greets it.
  /// - Throws: ``ConversationFailure``; then nothing of the plugin is left.
  package init(
    _ plugin: PluginProgram, greeting: Greeting, greetingTime: Duration = Conversation.greetingTime, in world: World,
    services: any HostServices
  ) throws(ConversationFailure) {
    do throws(SystemError) {
      program = try world.processes.start(
        ProgramStart(path: plugin.path, environment: plugin.environment))
    } catch { throw world.interruption.isInterrupted ? .cancelled : .notStarted(error) }
    (clock, self.services) = (world.clock, services)
    conversation = Conversation(
      with: plugin.name, greeting, capabilities: plugin.capabilities, greetingTime: greetingTime)
    do {
      try perform(conversation.begin(at: clock.monotonic())) { _ in }
      try run { _ in }
    } catch {
      close()
      throw (error as? ConversationFailure) ?? .cancelled
    }
  }

  deinit { close() }

  /// What may be asked.
  package var capabilities: Set<String> { conversation.capabilities }
  package var version: String { conversation.version }

  /// Asks for something and waits for the answer.
  /// - Parameters:
  ///   - holding: whether the caller keeps all items in memory.
  ///   - item: takes each as it comes. What it throws cancels the request.
  /// - Throws: ``ConversationFailure``, and what `item` throws.
  package func call(
    _ method: String, _ params: Value = .emptyObject, limit: Duration, holding: Bool = true,
    item: (Value) throws -> Void = { _ in }
  ) throws -> Value {
    outcome = nil
    do {
      try perform(
        conversation.call(method, params, limit: limit, holding: holding, at: clock.monotonic()), item)
      return try run(item)
    } catch let failure as ConversationFailure {
      throw failure
    } catch {
      // Whoever takes the items takes no more.
      try? perform(conversation.cancel(at: clock.monotonic())) { _ in }
      _ = try? run { _ in }
      close()
      throw error
    }
  }

  /// Ends the plugin: its input is closed, it gets two seconds, then SIGTERM and SIGKILL follow.
  /// - Parameter grace: how long each of the two is waited for.
  package func close(grace: Duration = Conversation.graceTime) {
    guard !isClosed else { return }
    isClosed = true
    if conversation.failure == nil {
      program.closeInput()
      let end = clock.monotonic() + grace
      while !hasEnded, clock.monotonic() < end {
        guard let event = try? program.next(atMost: end - clock.monotonic(), noticesInterruption: false) else { break }
        closing(event)
      }
    }
    program.end(grace: hasEnded ? .zero : grace)
    for line in errorLines.end() { services.errorLine(line) }
    services.release()
  }

  /// What is said after the last answer goes to nobody, errors apart.
  private func closing(_ event: ProgramEvent) {
    switch event {
    case .errors(let bytes): for line in errorLines.take(bytes) { services.errorLine(line) }
    case .ended: hasEnded = true
    case .output, .outputEnded, .timeUp, .interrupted: break
    }
  }

  /// Goes on until the request, or the greeting, has its outcome.
  @discardableResult
  private func run(_ item: (Value) throws -> Void) throws -> Value {
    var noticesInterruption = true
    while true {
      if let outcome { return try outcome.get() }
      let now = clock.monotonic()
      try perform(conversation.time(at: now), item)
      guard outcome == nil, let deadline = conversation.deadline else {
        return try outcome?.get() ?? .emptyObject
      }
      let event: ProgramEvent
      do throws(SystemError) {
        event = try program.next(atMost: deadline - now, noticesInterruption: noticesInterruption)
      } catch { throw ConversationFailure.notStarted(error) }
      switch event {
      case .output(let bytes): try perform(conversation.receive(bytes, at: clock.monotonic()), item)
      case .errors(let bytes): for line in errorLines.take(bytes) { services.errorLine(line) }
      // How it ended says more, and follows at once where it did.
      case .outputEnded: try perform(conversation.died(status: try statusAtEnd()), item)
      case .ended(let status):
        hasEnded = true
        try perform(conversation.died(status: status), item)
      case .timeUp: break
      case .interrupted:
        noticesInterruption = false
        try perform(conversation.cancel(at: clock.monotonic()), item)
      }
    }
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

  private func perform(_ actions: [Conversation.Action], _ item: (Value) throws -> Void) throws {
    for action in actions {
      switch action {
      case .send(let message): program.send(message.line)
      case .ready: outcome = .success(.emptyObject)
      case .item(let value): try item(value)
      case .progress(let done, let total, let message): services.progress(done, of: total, message)
      case .log(let level, let message): services.log(level, PlainText.withoutEscapes(message))
      case .serve(let id, let method, let params):
        let left = (conversation.deadline ?? .zero) - clock.monotonic()
        let result = services.serve(method, params, atMost: max(.zero, left))
        try perform(conversation.answer(id, result, at: clock.monotonic()), item)
      case .finished(let result): outcome = result
      case .note(let text): services.diagnose(text)
      case .end: program.end(grace: hasEnded ? .zero : Conversation.graceTime)
      }
    }
  }
}
