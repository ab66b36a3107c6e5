import HTTP
import Listener
import Sandbox
import World

/// The responses of a sandbox server: those of the emulator, modified by injected faults, and those of the control
/// endpoint.
final class SandboxResponder: HTTPResponder {
  /// The initial state of a server, which a reset restores.
  struct Beginning: Sendable {
    var emulator: Emulator
    var faults = FaultPlan()
  }

  private let beginning: Beginning
  private let key: String
  private let clock: any Clock
  private let access: AccessLog?
  private var emulator: Emulator
  private var faults: FaultPlan
  private var log = RequestLog()

  init(_ beginning: Beginning, key: String, clock: any Clock, access: AccessLog?) {
    (self.beginning, self.key, self.clock, self.access) = (beginning, key, clock, access)
    (emulator, faults) = (beginning.emulator, beginning.faults)
  }

  func answer(_ request: ReceivedRequest) -> Reply {
    if SandboxControl.serves(request.target) {
      let control = SandboxControl(request, key: key)
      if control.isReset { (emulator, faults, log) = (beginning.emulator, FaultPlan(), RequestLog()) }
      return control.answer(faults: &faults, log: log)
    }
    let now = clock.now()
    let headers = request.fields.map { Header($0.name, $0.value) }
    let received = Request(
      receivedMethod: request.method, target: request.target, headers: headers, body: request.body)
    let struck = faults.strike(method: request.method, path: String(request.target.prefix { $0 != "?" }))
    let faulty = struck.answer(to: request.target, at: now) {
      guard let received else { return Response(status: 501) }
      return emulator.answer(received, target: request.target, at: now)
    }
    let record = RecordedRequest(
      method: request.method, target: request.target, headers: headers, body: request.body,
      status: faulty.response.status, struck: struck, at: now)
    access?.note(record, answered: faulty.response.body.count)
    log.add(record)
    for webhook in emulator.takeWebhooks() { log.add(RecordedRequest(webhook, at: now)) }
    return Reply(faulty)
  }
}

extension Reply {
  fileprivate init(_ faulty: FaultyResponse) {
    self.init(
      status: faulty.response.status, fields: faulty.response.headers.map { HeaderField($0.name, $0.value) },
      body: faulty.response.body)
    delivery.delay = faulty.delay
    switch faulty.manner {
    case .plain: break
    case .reset: delivery.ending = .reset(afterBody: nil)
    case .resetInBody: delivery.ending = .reset(afterBody: body.count / 2)
    case .truncated: delivery.ending = .cut(afterBody: body.count / 2)
    case .dripping(let pause): delivery.drip = Delivery.Drip(bytes: 1, pause: pause)
    case .chunked(let hasTrailer): (delivery.isChunked, delivery.hasTrailer) = (true, hasTrailer)
    case .padded(let size): delivery.padding = max(0, size - body.count)
    }
  }
}
