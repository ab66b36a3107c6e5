import PluginProtocol
import Text
import World

/// The reason why a plugin failed a check, as a sentence without a period.
package struct ConformanceError: Error, Sendable, Equatable {
  package let description: String
  /// Whether the check could not be run, so that the plugin neither passes nor fails it.
  package let isSkip: Bool
  package init(_ description: String, isSkip: Bool = false) { (self.description, self.isSkip) = (description, isSkip) }
}

/// A session with a plugin that sends malformed and unexpected messages and checks every response.
final class ConformanceSession {
  private let subject: ConformanceSubject
  /// The timeout of a request.
  var timeout: Duration { subject.timeout }
  private let program: any RunningProgram
  private let clock: any Clock
  private var framing = MessageFraming()
  private var quota = RequestQuota()
  private var messages: [Message] = []
  private var status: Int32?
  private var errorLines = ErrorLines()
  private let trace: TracedProcess?
  private var host: ScriptedHost
  /// The method of the latest request to the plugin.
  private var method = ""
  private(set) var items: [Value] = []
  /// The text that the plugin shows to the user: its stderr, log lines, progress titles and errors.
  private(set) var shown: [String] = []
  /// Whether the plugin's requests are left without a response, and their number so far.
  var withholdsResponses = false
  private(set) var requests = 0
  /// The secrets that the plugin received or saved.
  var secrets: Set<String> { host.secrets }
  /// Whether Ctrl-C does not end the session.
  var ignoresInterruption = false
  /// The pause before each response to a request of the plugin, and before the program reads a list.
  var pause = Duration.zero
  /// The total time of the pauses so far.
  private var paused = Duration.zero

  init(_ subject: ConformanceSubject) throws(ConformanceError) {
    self.subject = subject
    clock = subject.world.clock
    trace = subject.trace?.process(of: subject.plugin.name)
    host = ScriptedHost(for: subject.plugin, subject.answers)
    do throws(SystemError) {
      program = try subject.world.processes.start(
        ProgramStart(path: subject.plugin.path, environment: subject.plugin.environment))
    } catch { throw ConformanceError("it cannot be started: \(SystemError.message(for: error.number))") }
  }

  deinit {
    program.end(grace: .milliseconds(500))
    trace?.end()
    for line in errorLines.end() { subject.report(line) }
  }

  var now: Duration { clock.monotonic() }

  func offers(_ capability: Capability) -> Bool { subject.offers(capability) }

  func hasResponse(to id: Int) -> Bool { messages.contains { $0.isResponse(to: .number(id)) } }

  /// Whether its child processes outlived it.
  var leftBehind: Bool { program.leftBehind }

  // MARK: Sending

  func send(_ message: Message) {
    if case .request(_, let method, _) = message { self.method = method }
    send(message.line)
  }

  func send(_ bytes: [UInt8]) {
    trace?.sent(bytes)
    program.send(bytes)
  }

  /// - Returns: the plugin's response to the greeting.
  @discardableResult
  func greet(_ versions: [String] = ProtocolVersion.supported) throws(ConformanceError) -> Result<Value, PluginError> {
    var greeting = subject.greeting
    greeting.versions = versions
    greeting.isInteractive = subject.answers.isAttended
    send(.request(id: .number(1), method: "initialize", params: greeting.params))
    return try response(to: 1, "initialize", within: PluginSession.greetingTime)
  }

  /// Greets the plugin and requests its connections.
  func list() throws(ConformanceError) {
    try greet()
    send(.request(id: .number(2), method: "connections/list", params: ["status": nil]))
  }

  /// Greets the plugin, requests its connections and waits for all of them.
  func list(within limit: Duration) throws(ConformanceError) -> Result<Value, PluginError> {
    try list()
    applyPause()
    return try response(to: 2, "connections/list", within: limit)
  }

  private func applyPause() {
    guard pause > .zero else { return }
    clock.sleep(for: pause)
    paused += pause
  }

  /// Closes the plugin's input and waits for its exit.
  func closeInput(within limit: Duration = PluginSession.graceTime) throws(ConformanceError) -> Int32 {
    program.closeInput()
    let end = clock.monotonic() + limit
    while status == nil, clock.monotonic() < end { try step(atMost: end - clock.monotonic(), isEnding: true) }
    guard let status else {
      throw ConformanceError("it was still running \(limit.inSeconds) after its stdin was closed")
    }
    return status
  }

  // MARK: Receiving

  /// The response to the request with this number. Other messages that arrive meanwhile are stored.
  func response(
    to id: Int, _ method: String, within limit: Duration
  ) throws(ConformanceError) -> Result<Value, PluginError> {
    try response(to: .number(id), method, within: limit)
  }

  func response(
    to id: MessageID, _ method: String, within limit: Duration
  ) throws(ConformanceError) -> Result<Value, PluginError> {
    try subject.unanswered.check(method)
    let (begin, before) = (clock.monotonic(), paused)
    while true {
      if let index = messages.firstIndex(where: { $0.isResponse(to: id) }) {
        switch messages.remove(at: index) {
        case .response(_, let value): return .success(value)
        case .failure(_, let error):
          shown += [error.message] + [error.reason, error.hint].compactMap(\.self)
          return .failure(error)
        case .request, .notification: continue
        }
      }
      guard status == nil else {
        throw ConformanceError("it exited with status \(status ?? 0) instead of responding to '\(method)'")
      }
      // The program's own pauses do not count against the plugin.
      let left = begin + limit + (paused - before) - clock.monotonic()
      guard left > .zero else {
        subject.unanswered.add(method, in: subject.check, isFullTimeout: limit >= subject.timeout)
        throw ConformanceError("it did not respond to '\(method)' within \(limit.wholeMilliseconds) ms")
      }
      try step(atMost: left)
    }
  }

  /// Waits for another message.
  /// - Returns: false after the timeout or the plugin's exit.
  func waitForMessage(atMost limit: Duration) throws(ConformanceError) -> Bool {
    let (before, items, requests) = (messages.count, items.count, requests)
    let end = clock.monotonic() + limit
    while status == nil, clock.monotonic() < end {
      try step(atMost: end - clock.monotonic())
      if messages.count > before || self.items.count > items || self.requests > requests { return true }
    }
    return false
  }

  private func step(atMost limit: Duration, isEnding: Bool = false) throws(ConformanceError) {
    let event: ProgramEvent
    do throws(SystemError) { event = try program.next(atMost: limit, noticesInterruption: !ignoresInterruption) } catch
    {
      throw ConformanceError("\(error)")
    }
    switch event {
    case .output(let bytes):
      trace?.received(bytes)
      if !isEnding { try receive(bytes) }
    case .ended(let status): self.status = status
    case .interrupted: throw ConformanceError("interrupted")
    case .errors(let bytes):
      for line in errorLines.receive(bytes) {
        shown.append(line)
        // The check for secrets reports them without repeating them.
        subject.report(secrets.contains(where: line.includes) ? "(a line with a secret)" : line)
      }
    case .outputEnded, .timeUp: break
    }
  }

  private func receive(_ bytes: [UInt8]) throws(ConformanceError) {
    framing.append(bytes)
    while let message = try next() { try receive(message.message, size: message.size) }
  }

  private func next() throws(ConformanceError) -> (message: Message, size: Int)? {
    var line: [UInt8] = []
    do throws(MessageError) {
      guard let next = try framing.next() else { return nil }
      line = next
      return (try Message(parsing: line), line.count)
    } catch {
      let output = StrayOutput(line, error).masked { text in
        secrets.reduce(text) { $0.replacing($1, by: TraceMask.mask) }
      }
      throw ConformanceError(output.description)
    }
  }

  private func receive(_ message: Message, size: Int) throws(ConformanceError) {
    switch message {
    case .response, .failure: messages.append(message)
    case .notification(let method, let params):
      if let flood = quota.count(method, size: size) { throw ConformanceError("it sent too much: \(flood)") }
      if method == "item" {
        guard let item = params["item"], item.members != nil, params["id"].flatMap(MessageID.init) != nil else {
          throw ConformanceError("an item is not an object, or has no request id")
        }
        items.append(item)
      }
      if let text = params["message"]?.string { shown.append(text) }
    case .request(let id, let method, let params):
      if let flood = quota.count(method, size: size) { throw ConformanceError("it sent too much: \(flood)") }
      try serve(id, method, params)
    }
  }

  private func serve(_ id: MessageID, _ method: String, _ params: Value) throws(ConformanceError) {
    requests += 1
    guard !withholdsResponses else { return }
    applyPause()
    let isAttended = Capability(rawValue: self.method)?.isUnattended != true
    switch try host.respond(to: method, params, isAttended: isAttended) {
    case .success(let result): send(.response(id: id, result: result))
    case .failure(let error): send(.failure(id: id, error: error))
    }
  }
}

extension Message {
  fileprivate func isResponse(to request: MessageID) -> Bool {
    switch self {
    case .response(request, _), .failure(request?, _): true
    default: false
    }
  }
}
