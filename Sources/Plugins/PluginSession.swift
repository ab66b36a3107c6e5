package import PluginProtocol
import World

/// The program's side of the session with one plugin: a state machine that turns input into actions and has no
/// effects.
///
/// One request is in flight at a time. A protocol violation ends the request and the session; an error response ends
/// only the request.
package struct PluginSession {
  package enum Action: Sendable, Equatable {
    case send(Message)
    /// The handshake succeeded: requests may follow.
    case ready
    case item(Value)
    case progress(done: Int, total: Int?, message: String?)
    case log(level: String, message: String)
    /// A request of the plugin; ``PluginSession/respond(to:_:at:)`` follows.
    case serve(id: MessageID, method: String, params: Value)
    case finished(Result<Value, PluginSessionError>)
    /// A diagnostic for `--verbose`.
    case note(String)
    /// The plugin must be ended.
    case end
  }

  private enum Phase: Equatable {
    case new, greeting, ready
    case calling(method: String, limit: Duration)
    /// The request was canceled, and its response is awaited for a short time.
    case cancelling
    case over(PluginSessionError)
  }

  /// The timeout of the greeting, and of a canceled request.
  package static let greetingTime = Duration.seconds(2)
  package static let graceTime = Duration.seconds(2)
  /// The longest total pause in one request. Without a limit a plugin could block a request forever by prompting
  /// again.
  package static let longestPause = Duration.seconds(3600)
  /// The maximum number of the plugin's requests that wait for a response. Each may have the size of a message, and is
  /// held in memory.
  package static let waitingLimit = 64

  /// The range of a plugin's progress counts.
  private static let counts = 0...1_000_000_000_000

  private let name: PluginName
  private let greeting: Greeting
  private let allowed: Set<String>
  private let greetingTime: Duration
  private var phase = Phase.new
  private var framing = MessageFraming()
  private var lastID = 0
  private var quota = RequestQuota()
  private var serving: [MessageID: Duration?] = [:]
  /// The part of ``longestPause`` that is left.
  private var pauseLeft = Self.longestPause
  /// The deadline of the current request; nil if none is in flight.
  package private(set) var deadline: Duration?
  /// The methods that may be called, which both the plugin and its manifest name.
  package private(set) var capabilities: Set<String> = []

  /// - Parameter capabilities: The capabilities that the manifest names.
  package init(
    with name: PluginName, _ greeting: Greeting, capabilities: Set<String>, greetingTime: Duration = Self.greetingTime
  ) {
    (self.name, self.greeting, allowed, self.greetingTime) = (name, greeting, capabilities, greetingTime)
  }

  /// The reason why the session has ended; nil if requests are still possible.
  package var failure: PluginSessionError? { if case .over(let failure) = phase { failure } else { nil } }

  // MARK: Requests of the program

  package mutating func begin(at now: Duration) -> [Action] {
    phase = .greeting
    deadline = now + greetingTime
    lastID += 1
    return [.send(.request(id: .number(lastID), method: "initialize", params: greeting.params))]
  }

  /// Starts a request.
  /// - Parameters:
  ///   - limit: the timeout of the whole request, without the time spent waiting for the user.
  ///   - start: the time from which the limit counts, such as the start of the plugin; nil for now.
  ///   - holding: whether all items are held in memory until the response.
  package mutating func call(
    _ method: String, _ params: Value, limit: Duration, since start: Duration? = nil, holding: Bool, at now: Duration
  ) -> [Action] {
    if let failure { return [.finished(.failure(failure))] }
    guard phase == .ready, capabilities.contains(method) else {
      return [.finished(.failure(.notAnnounced(method: method)))]
    }
    phase = .calling(method: method, limit: limit)
    deadline = (start ?? now) + limit
    pauseLeft = Self.longestPause
    quota = RequestQuota(isHolding: holding)
    lastID += 1
    return [.send(.request(id: .number(lastID), method: method, params: params))]
  }

  package mutating func cancel(at now: Duration) -> [Action] {
    switch phase {
    case .calling:
      phase = .cancelling
      deadline = now + Self.graceTime
      return [.send(.notification(method: "$/cancel", params: ["id": Value(lastID)]))]
    case .greeting: return fail(.cancelled)
    case .new, .ready, .cancelling, .over: return []
    }
  }

  /// Responds to a request that was passed on with ``Action/serve(id:method:params:)``.
  package mutating func respond(to id: MessageID, _ result: Result<Value, PluginError>, at now: Duration) -> [Action] {
    guard let pausedAt = serving.removeValue(forKey: id), failure == nil else { return [] }
    if let pausedAt, let end = deadline {
      let pause = min(now - pausedAt, pauseLeft)
      pauseLeft -= pause
      deadline = end + pause
    }
    switch result {
    case .success(let value): return [.send(.response(id: id, result: value))]
    case .failure(let error): return [.send(.failure(id: id, error: error))]
    }
  }

  // MARK: Events

  /// Ends the session if the deadline has passed.
  package mutating func checkDeadline(at now: Duration) -> [Action] {
    guard let deadline, now >= deadline else { return [] }
    switch phase {
    case .greeting: return fail(.timeUp(method: "initialize", limit: greetingTime))
    case .calling(let method, let limit): return fail(.timeUp(method: method, limit: limit))
    case .cancelling: return fail(.cancelled)
    case .new, .ready, .over: return []
    }
  }

  /// - Parameter status: the status, as in ``PluginSessionError/died(status:)``.
  package mutating func died(status: Int32?) -> [Action] {
    if case .over(.died(nil)) = phase, status != nil { phase = .over(.died(status: status)) }
    return failure == nil ? fail(phase == .cancelling ? .cancelled : .died(status: status)) : []
  }

  package mutating func receive(_ bytes: [UInt8], at now: Duration) -> [Action] {
    guard failure == nil else { return [] }
    framing.append(bytes)
    var actions: [Action] = []
    do throws(MessageError) {
      while failure == nil, let line = try framing.next() { actions += receive(line: line, at: now) }
    } catch {
      actions += fail(.tooLong)
    }
    return actions
  }

  private mutating func receive(line: [UInt8], at now: Duration) -> [Action] {
    do throws(MessageError) { return receive(try Message(parsing: line), size: line.count, at: now) } catch {
      return fail(.stray(StrayOutput(line, error)))
    }
  }

  private mutating func receive(_ message: Message, size: Int, at now: Duration) -> [Action] {
    switch message {
    case .response(.number(lastID), let result) where isWaiting: return receiveResult(result)
    case .failure(.number(lastID), let error) where isWaiting: return receiveError(error)
    case .failure(nil, let error): return fail(.invalidMessage("it rejected a message: \(error.message)"))
    // A response to a request that was abandoned or never sent.
    case .response, .failure: return [.note("An unexpected response was ignored.")]
    case .notification(let method, let params):
      if let flood = quota.count(method, size: size) { return fail(.flood(flood)) }
      return receiveNotification(method, params)
    case .request(let id, let method, let params):
      if let flood = quota.count(method, size: size) { return fail(.flood(flood)) }
      return receiveRequest(id, method, params, at: now)
    }
  }

  private var isWaiting: Bool {
    switch phase {
    case .greeting, .calling, .cancelling: true
    case .new, .ready, .over: false
    }
  }

  private mutating func receiveResult(_ result: Value) -> [Action] {
    switch phase {
    case .greeting: return receiveGreeting(result)
    case .cancelling:
      becomeReady()
      return [.finished(.failure(.cancelled))]
    case .calling where result.members == nil: return fail(.invalidMessage("a response is not an object"))
    case .calling:
      becomeReady()
      return [.finished(.success(result))]
    case .new, .ready, .over: return []
    }
  }

  private mutating func receiveError(_ error: PluginError) -> [Action] {
    switch phase {
    case .greeting: return fail(.refused(error))
    case .cancelling:
      becomeReady()
      return [.finished(.failure(.cancelled))]
    default:
      becomeReady()
      return [.finished(.failure(.refused(error)))]
    }
  }

  private mutating func receiveGreeting(_ result: Value) -> [Action] {
    guard let name = result["name"]?.string else {
      return fail(.invalidMessage("the response to 'initialize' has no name"))
    }
    guard name == self.name.description else { return fail(.wrongName(name)) }
    guard let version = result["protocol"]?.string else {
      return fail(.invalidMessage("the response to 'initialize' has no protocol"))
    }
    guard greeting.versions.contains(version) else { return fail(.wrongVersion(version)) }
    let announced = result["capabilities"]?.array?.compactMap(\.string) ?? []
    capabilities = allowed.intersection(announced)
    becomeReady()
    return [.ready]
  }

  private mutating func receiveNotification(_ method: String, _ params: Value) -> [Action] {
    let isForCurrent = params["id"]?.int == lastID
    var isCalling: Bool { if case .calling = phase { true } else { false } }
    switch method {
    case "item":
      guard isForCurrent, isCalling else { return [.note("An unexpected item was ignored.")] }
      guard let item = params["item"], item.members != nil else {
        return fail(.invalidMessage("an item is not an object"))
      }
      return [.item(item)]
    case "progress":
      guard isForCurrent, isCalling, let done = params["done"]?.int(in: Self.counts) else { return [] }
      let total = params["total"]?.int(in: Self.counts)
      return [.progress(done: done, total: total, message: params["message"]?.string)]
    case "log":
      guard let message = params["message"]?.string else { return [] }
      return [.log(level: params["level"]?.string ?? "info", message: message)]
    // A notification of a later protocol version.
    default: return [.note("The unknown notification '\(method)' was ignored.")]
    }
  }

  private mutating func receiveRequest(_ id: MessageID, _ method: String, _ params: Value, at now: Duration) -> [Action]
  {
    let service = HostService(rawValue: method)
    let isExpected =
      if case .calling = phase { true } else { phase == .cancelling && service?.isAllowedWhileTidying == true }
    guard isExpected else {
      return [.send(.failure(id: id, error: PluginError(.invalidRequest, "no request to this plugin is in flight")))]
    }
    guard serving[id] == nil else {
      return [.send(.failure(id: id, error: PluginError(.invalidRequest, "this id is in use")))]
    }
    if case .calling(let asked, _) = phase, Capability(rawValue: asked)?.isUnattended == true,
      service?.needsPerson == true
    {
      let error = PluginError(
        "refused", "'\(method)' is not available in '\(asked)'", reason: "lists, details and completion are unattended")
      return [.send(.failure(id: id, error: error))]
    }
    guard serving.count < Self.waitingLimit else {
      let error = PluginError(.invalidRequest, "more than \(Self.waitingLimit) requests wait for a response")
      return [.send(.failure(id: id, error: error))]
    }
    serving[id] = .some(service?.waitsForPerson == true ? now : nil)
    return [.serve(id: id, method: method, params: params)]
  }

  private mutating func becomeReady() { (phase, deadline) = (.ready, nil) }

  /// Fails the request in flight and ends the session.
  private mutating func fail(_ failure: PluginSessionError) -> [Action] {
    let wasWaiting = isWaiting
    (phase, deadline) = (.over(failure), nil)
    return (wasWaiting ? [.finished(.failure(failure))] : []) + [.end]
  }
}
