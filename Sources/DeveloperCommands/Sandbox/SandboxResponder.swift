import HTTP
import Output
import Sandbox
import Session
import Text
import World

/// The responses of a sandbox server: from the emulator, modified by injected faults, and from the control endpoint.
///
/// With a partner's server, the server's thread responds to requests while another thread sends the emulator's own
/// requests. All mutable state is guarded by `lock`.
final class SandboxResponder: HTTPResponder, @unchecked Sendable {
  /// The initial state of a server, which a reset restores.
  struct InitialState: Sendable {
    var emulator: Emulator
    var faults = FaultPlan()
    /// The credentials of the seed.
    var credentials: SandboxCredentials?
    /// The name of the built-in seed; nil for the contents of a file.
    var seedName: String?
    /// The API URL prefix of the partner's server; nil without one.
    var serviceURL: String?
    /// Creates the emulator for a seed that replaces this one, with the options of the server.
    var makeEmulator: @Sendable (SandboxSeed) -> Emulator = { Emulator(state: .seed, seed: $0) }

    /// Replaces the seed.
    /// - Throws: If the partner's server would have no service.
    mutating func load(_ seed: SandboxSeed) throws(ControlError) {
      guard serviceURL == nil || seed.credentials != nil else {
        throw ControlError(409, "The seed has no service with a key, which --service-url requires")
      }
      (emulator, credentials, seedName) = (makeEmulator(seed), seed.credentials, nil)
    }
  }

  /// A client that waits for a response of the partner's server.
  private struct WaitingClient {
    let reply: DeferredReply
    let received: ReceivedRequest
    let appliedFaults: AppliedFaults
    let start: Duration
    let cause: LogEntry?
  }

  /// A client of the control endpoint that waits for the response to a request, and the form of its entry.
  struct WaitingSender {
    let reply: DeferredReply
    let view: LogView
  }

  var initialState: InitialState
  let key: String
  let clock: any Clock
  let startedAt: Timestamp
  private let accessLog: AccessLog?
  /// Wakes the thread that sends requests to the partner's server; nil without one.
  private let wake: Mailbox<Void>?
  /// Ends the server once the current request has its reply.
  let end: @Sendable () -> Void
  var emulator: Emulator
  var faults: FaultPlan
  private var waitingClients: [Int: WaitingClient] = [:]
  /// The clients of the control endpoint that wait for the response to a request sent again, by its ticket.
  var waitingSenders: [Int: WaitingSender] = [:]
  let lock = Mutex()

  /// The maximum time that a client waits for the partner's server before it gets an error. It is longer than the
  /// consecutive requests of a sign-in can take: the exchange of a code, the user, and options.
  static let longestWait = Duration.seconds(60)

  init(
    _ initialState: InitialState, key: String, clock: any Clock, accessLog: AccessLog?, wake: Mailbox<Void>? = nil,
    end: @escaping @Sendable () -> Void = {}
  ) {
    self.end = end
    startedAt = clock.now()
    (self.initialState, self.key, self.clock, self.accessLog) = (initialState, key, clock, accessLog)
    (self.wake, emulator, faults) = (wake, initialState.emulator, initialState.faults)
  }

  func respond(to request: ReceivedRequest) -> Reply {
    lock.withLock {
      defer { if emulator.runtime != nil { wake?.send(()) } }
      if let page = InspectorPage.reply(to: request) { return page }
      if request.target == "/openapi.json", ["GET", "HEAD"].contains(request.method) {
        return .json(emulator.description(version: programVersion))
      }
      return SandboxControl.serves(request.target) ? control(request) : emulate(request).reply
    }
  }

  /// - Parameter cause: The entry whose request a person sends again.
  /// - Returns: The reply, and the key of the request in the log.
  func emulate(_ request: ReceivedRequest, causedBy cause: LogEntry? = nil) -> (reply: Reply, key: Int) {
    let (now, start) = (clock.now(), clock.monotonic())
    let appliedFaults = faults.selectFaults(method: request.method, path: String(request.target.prefix { $0 != "?" }))
    var reply: EmulatorReply?
    let faulty = appliedFaults.response(to: request.target, at: now) {
      let received = Request(
        receivedMethod: request.method, target: request.target,
        headers: request.fields.map { Header($0.name, $0.value) }, body: request.body)
      guard let received else { return emulator.rejection(ofMethodAt: request.target, at: now) }
      let evaluated = emulator.respond(to: received, target: request.target, at: now)
      reply = evaluated
      return evaluated.response ?? Response(status: 504)
    }
    let client = WaitingClient(
      reply: DeferredReply(
        atMost: Self.longestWait, else: .text(504, "The service's server did not respond in time")),
      received: request, appliedFaults: appliedFaults, start: start, cause: cause)
    let key = reply?.key ?? emulator.makeKey()
    if let reply, reply.response == nil {
      waitingClients[key] = client
      return (Reply(deferred: client.reply), key)
    }
    return (finish(client, faulty, key, at: now), key)
  }

  /// Records the request of a client, and creates its reply.
  private func finish(_ client: WaitingClient, _ faulty: FaultyResponse, _ key: Int, at now: Timestamp) -> Reply {
    let exchange = LoggedExchange(
      received: client.received, faulty.response, faults: client.appliedFaults.text,
      duration: clock.monotonic() - client.start)
    accessLog?.note(exchange, at: now, hiding: emulator.runtime?.secrets ?? [])
    emulator.record(exchange, of: key, causedBy: client.cause, at: now)
    return Reply(faulty)
  }
}

// MARK: The partner's server

extension SandboxResponder {
  /// The requests to send now, and the time until there may be more.
  func takeRequests() -> (requests: [PartnerRequest], pause: Duration) {
    lock.withLock {
      let now = clock.now()
      let requests = emulator.takeRequests(at: now)
      let next = emulator.nextRuntimeTime.map { $0.milliseconds - now.milliseconds } ?? 3_600_000
      return (requests, .milliseconds(max(0, next)))
    }
  }

  /// - Parameter exchange: The request and response as they were sent, for the log.
  func receive(_ response: PartnerResponse, _ exchange: LoggedExchange? = nil, for id: Int) {
    lock.withLock {
      let now = clock.now()
      for (key, response) in emulator.receive(response, exchange, for: id, at: now) {
        guard let client = waitingClients.removeValue(forKey: key) else { continue }
        let faulty = client.appliedFaults.response(to: client.received.target, at: now) { response }
        client.reply.fulfill(finish(client, faulty, key, at: now))
        finishWaiting(for: key, with: key)
      }
      for (ticket, key) in emulator.takeSentAgain() {
        finishWaiting(for: ticket, with: key)
      }
    }
  }

  /// The credentials that the server has received or issued.
  var partnerSecrets: [Secret] { lock.withLock { emulator.runtime?.secrets ?? [] } }

  /// Responds with an error to all clients that wait for the partner's server, which gets no further requests.
  func stop() { lock.withLock { expireWaitingClients() } }

  func expireWaitingClients() {
    for reply in waitingClients.values.map(\.reply) + waitingSenders.values.map(\.reply) { reply.expire() }
    (waitingClients, waitingSenders) = ([:], [:])
  }
}

extension Reply {
  fileprivate init(_ faulty: FaultyResponse) {
    self.init(
      status: faulty.response.status, fields: faulty.response.headers.map { HeaderField($0.name, $0.value) },
      body: faulty.response.body)
    delivery.delay = faulty.delay
    switch faulty.delivery {
    case .plain: break
    case .reset: delivery.completion = .reset(afterBody: nil)
    case .resetInBody: delivery.completion = .reset(afterBody: body.count / 2)
    case .truncated: delivery.completion = .cut(afterBody: body.count / 2)
    case .dripping(let pause): delivery.drip = Delivery.Drip(bytes: 1, pause: pause)
    case .chunked(let hasTrailer): (delivery.isChunked, delivery.hasTrailer) = (true, hasTrailer)
    case .padded(let size): delivery.padding = max(0, size - body.count)
    }
  }
}

/// A log of requests on stderr for `--verbose`, one line per request.
///
/// `@unchecked Sendable`: the lock of ``SandboxResponder``, which calls `note`, guards `sink`.
struct AccessLog: @unchecked Sendable {
  private let sink: any ByteSink

  init(_ sink: any ByteSink) { self.sink = sink }

  func note(_ exchange: LoggedExchange, at time: Timestamp, hiding secrets: [Secret]) {
    let fault = exchange.faults.map { ", \($0)" } ?? ""
    let status = exchange.status.map(String.init) ?? "-"
    let target = ShownExchange(exchange, hiding: secrets).target
    let size = exchange.response?.bodySize ?? 0
    var line = "\(time.rfc3339) \(exchange.method) \(target) \(status) \(size) bytes\(fault)"
    line = TerminalText.escaped(line) + "\n"
    line.withUTF8 { try? sink.write(UnsafeRawBufferPointer($0)) }
  }
}
