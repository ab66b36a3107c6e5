import HTTP
import Output
import Sandbox
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
  }

  /// A client that waits for a response of the partner's server.
  private struct WaitingClient {
    let reply: DeferredReply
    let received: ReceivedRequest
    let appliedFaults: AppliedFaults
  }

  private let initialState: InitialState
  private let key: String
  private let clock: any Clock
  private let accessLog: AccessLog?
  /// Wakes the thread that sends requests to the partner's server; nil without one.
  private let wake: Mailbox<Void>?
  private var emulator: Emulator
  private var faults: FaultPlan
  private var log = RequestLog()
  private var waitingClients: [Int: WaitingClient] = [:]
  private let lock = Mutex()

  /// The maximum time that a client waits for the partner's server before it gets an error. It is longer than two
  /// consecutive requests to that server can take.
  private static let longestWait = Duration.seconds(30)

  init(
    _ initialState: InitialState, key: String, clock: any Clock, accessLog: AccessLog?, wake: Mailbox<Void>? = nil
  ) {
    (self.initialState, self.key, self.clock, self.accessLog) = (initialState, key, clock, accessLog)
    (self.wake, emulator, faults) = (wake, initialState.emulator, initialState.faults)
  }

  func respond(to request: ReceivedRequest) -> Reply {
    lock.withLock {
      defer { if emulator.runtime != nil { wake?.send(()) } }
      return SandboxControl.serves(request.target) ? control(request) : emulate(request)
    }
  }

  private func control(_ request: ReceivedRequest) -> Reply {
    let control = SandboxControl(request, key: key)
    if control.isReset {
      let old = emulator
      (emulator, faults, log) = (initialState.emulator, FaultPlan(), RequestLog())
      emulator.replace(old)
      expireWaitingClients()
    }
    return control.respond(faults: &faults, log: log, emulator: emulator)
  }

  private func emulate(_ request: ReceivedRequest) -> Reply {
    let now = clock.now()
    let appliedFaults = faults.selectFaults(method: request.method, path: String(request.target.prefix { $0 != "?" }))
    var number: Int?
    let faulty = appliedFaults.response(to: request.target, at: now) {
      let received = Request(
        receivedMethod: request.method, target: request.target,
        headers: request.fields.map { Header($0.name, $0.value) }, body: request.body)
      guard let received else { return Response(status: 501) }
      switch emulator.respond(to: received, target: request.target, at: now) {
      case .response(let response): return response
      case .waiting(let id):
        number = id
        return Response(status: 504)
      }
    }
    guard let number else { return finish(request, faulty, appliedFaults, at: now) }
    let reply = DeferredReply(
      atMost: Self.longestWait, else: .text(504, "The service's server did not respond in time"))
    waitingClients[number] = WaitingClient(reply: reply, received: request, appliedFaults: appliedFaults)
    return Reply(deferred: reply)
  }

  private func finish(
    _ request: ReceivedRequest, _ faulty: FaultyResponse, _ appliedFaults: AppliedFaults, at now: Timestamp
  ) -> Reply {
    let record = RecordedRequest(
      method: request.method, target: request.target, headers: request.fields.map { Header($0.name, $0.value) },
      body: request.body, status: faulty.response.status, faults: appliedFaults, at: now)
    accessLog?.note(record, bodySize: faulty.response.body.count, hiding: emulator.runtime?.secrets ?? [])
    log.add(record)
    logWebhooks(at: now)
    return Reply(faulty)
  }

  private func logWebhooks(at now: Timestamp) {
    for webhook in emulator.takeWebhooks() { log.add(RecordedRequest(webhook, at: now)) }
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

  func receive(_ response: PartnerResponse, for id: Int) {
    lock.withLock {
      let now = clock.now()
      for (number, response) in emulator.receive(response, for: id, at: now) {
        guard let pending = waitingClients.removeValue(forKey: number) else { continue }
        let faulty = pending.appliedFaults.response(to: pending.received.target, at: now) { response }
        pending.reply.fulfill(finish(pending.received, faulty, pending.appliedFaults, at: now))
      }
      logWebhooks(at: now)
    }
  }

  /// The credentials that the server has received or issued.
  var partnerSecrets: [Secret] { lock.withLock { emulator.runtime?.secrets ?? [] } }

  /// Responds with an error to all clients that wait for the partner's server, which gets no further requests.
  func stop() { lock.withLock { expireWaitingClients() } }

  private func expireWaitingClients() {
    for pending in waitingClients.values { pending.reply.expire() }
    waitingClients = [:]
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

  func note(_ record: RecordedRequest, bodySize: Int, hiding secrets: [Secret]) {
    let fault = record.faults.text.map { ", \($0)" } ?? ""
    let shown = ShownRequest(record, hiding: secrets)
    let status = record.status.map(String.init) ?? "-"
    var line = "\(record.at.rfc3339) \(record.method) \(shown.target) \(status) \(bodySize) bytes\(fault)"
    line = TerminalText.escaped(line) + "\n"
    line.withUTF8 { try? sink.write(UnsafeRawBufferPointer($0)) }
  }
}
