package import Text
package import World

/// Sends requests through another transport, and records each exchange without credentials.
package final class RecordingTransport: Transport {
  private let carrier: any Transport
  private let clock: FrozenClock
  private let record: (RecordedExchange) -> Void
  private var mask: ExchangeRedactor
  private var inFlight: [Int: (request: RecordedExchange.RecordedRequest, start: Duration)] = [:]
  private var number = 0

  /// - Parameters:
  ///   - clock: the run's clock, which advances with each response.
  ///   - mask: replaces the credentials, including those that may appear only in responses.
  ///   - record: receives each exchange once it has ended.
  package init(
    _ carrier: any Transport, clock: FrozenClock, mask: ExchangeRedactor = ExchangeRedactor(),
    record: @escaping (RecordedExchange) -> Void
  ) {
    (self.carrier, self.clock, self.mask, self.record) = (carrier, clock, mask, record)
  }

  /// Adds credentials that may appear in responses.
  package func learn(_ secrets: [Secret]) { mask.learn(secrets) }

  package func start(_ request: Request, as ticket: Int, limit: Duration) {
    inFlight[ticket] = (mask.masked(request), clock.monotonic())
    carrier.start(request, as: ticket, limit: limit)
  }

  package func wait(atMost limit: Duration, orReadable descriptor: Int32) -> [TransportResult] {
    let outcomes = carrier.wait(atMost: limit, orReadable: descriptor)
    clock.follow()
    for outcome in outcomes { write(outcome.ticket, mask.masked(outcome.result)) }
    return outcomes
  }

  package func cancel(_ ticket: Int) {
    carrier.cancel(ticket)
    clock.follow()
    write(ticket, nil)
  }

  private func write(_ ticket: Int, _ result: Result<Response, TransportError>?) {
    guard let (request, start) = inFlight.removeValue(forKey: ticket) else { return }
    number += 1
    record(
      RecordedExchange(
        number: number, request: request, result: result, endedAt: clock.now(), startedAfter: start,
        endedAfter: clock.monotonic()))
  }
}

/// Serves responses from a recording, without a network and without waiting.
///
/// A response is found by method, URL and body, each as recorded. The same request sent again gets the next response.
/// Responses are delivered in the recorded order, whatever the order of the requests.
package final class ReplayTransport: Transport {
  private struct Key: Hashable {
    let method: String
    let url: String
    let body: [UInt8]?
    init(_ request: RecordedExchange.RecordedRequest) {
      (method, url, body) = (request.method, request.url, request.body)
    }
  }

  private let exchanges: [RecordedExchange]
  private let clock: FrozenClock
  private let world: World
  private var mask = ExchangeRedactor()
  /// The indices of the exchanges that were not requested yet, in recorded order.
  private var unrequested: [Key: ArraySlice<Int>] = [:]
  private var isDelivered: [Bool]
  /// All exchanges before this index were delivered.
  private var next = 0
  private var inFlight: [Int: Int] = [:]
  private var rejected: [TransportResult] = []
  /// Whether a wait has already ended without a result since the last request was started, because a retry may be due
  /// first.
  private var hasPaused = false
  /// Requests that are not in the recording, as `GET https://…`, in the order they were sent.
  package private(set) var missing: [String] = []

  /// - Parameters:
  ///   - exchanges: in the order in which they ended.
  ///   - clock: the clock of the replayed run; moved to the recorded times.
  ///   - world: the effects outside the replay, for the descriptors that it waits for.
  package init(_ exchanges: [RecordedExchange], clock: FrozenClock, world: World) {
    (self.exchanges, self.clock, self.world) = (exchanges, clock, world)
    isDelivered = exchanges.map { $0.result == nil }
    for (index, exchange) in exchanges.enumerated() where exchange.result != nil {
      unrequested[Key(exchange.request), default: []].append(index)
    }
  }

  /// The number of recorded responses that were not requested.
  package var unused: Int { isDelivered.count { !$0 } }

  package func start(_ request: Request, as ticket: Int, limit: Duration) {
    hasPaused = false
    let recorded = mask.masked(request)
    if let index = unrequested[Key(recorded)]?.popFirst() {
      inFlight[ticket] = index
      return
    }
    let line = "\(recorded.method) \(recorded.url)"
    missing.append(line)
    let failure = TransportError(kind: .notRecorded, message: "\(line) was not recorded", mayHaveArrived: false)
    rejected.append(TransportResult(ticket: ticket, result: .failure(failure)))
  }

  package func wait(atMost limit: Duration, orReadable descriptor: Int32) -> [TransportResult] {
    if !rejected.isEmpty {
      defer { rejected = [] }
      return rejected
    }
    guard let (ticket, index) = inFlight.min(by: { $0.value < $1.value }) else {
      // The descriptor is outside the replay. The time of the replay does not advance if it becomes readable.
      if descriptor >= 0, world.wait(untilReadable: descriptor, atMost: limit) { return [] }
      clock.pass(limit)
      return []
    }
    while next < index, isDelivered[next] { next += 1 }
    // An earlier exchange may be a retry that is still waiting for its time. A limit of an hour means that no retry
    // is waiting.
    if next < index, !hasPaused, limit < .seconds(3600) {
      hasPaused = true
      clock.pass(limit)
      return []
    }
    inFlight[ticket] = nil
    isDelivered[index] = true
    guard let result = exchanges[index].result else { return [] }
    clock.move(to: exchanges[index].endedAt, after: exchanges[index].endedAfter)
    return [TransportResult(ticket: ticket, result: result)]
  }

  package func cancel(_ ticket: Int) {
    inFlight[ticket] = nil
    rejected.removeAll { $0.ticket == ticket }
  }
}

/// A clock that advances only at events: a response, or the end of a sleep or a wait. A recorded run and its replay
/// both use it, so both see the same times.
///
/// Used by one thread.
package final class FrozenClock: Clock, @unchecked Sendable {
  private let followed: (any Clock)?
  private let began: Duration
  private var wall: Timestamp
  private var passed = Duration.zero

  /// Creates a clock for recording. At each event, it is set to the time of `clock`.
  package init(following clock: any Clock) {
    (followed, began, wall) = (clock, clock.monotonic(), clock.now())
  }

  /// Creates a clock for replay. It advances only at recorded events, sleeps and waits.
  package init(from moment: Timestamp) { (followed, began, wall) = (nil, .zero, moment) }

  package func now() -> Timestamp { wall }

  /// The time since the run began, in whole microseconds.
  package func monotonic() -> Duration { passed }

  package func sleep(for duration: Duration) {
    if let followed { followed.sleep(for: duration) }
    pass(duration)
  }

  /// Advances to the time of the followed clock, after an event.
  func follow() {
    guard let followed else { return }
    wall = followed.now()
    passed = .microseconds((followed.monotonic() - began).wholeMicroseconds)
  }

  /// Advances after a wait: to the time of the followed clock, or by `duration` if there is none.
  package func pass(_ duration: Duration) {
    if followed == nil { passed += max(.zero, duration) } else { follow() }
  }

  /// Moves to the recorded time of an event.
  func move(to moment: Timestamp, after: Duration) {
    wall = moment
    passed = max(passed, after)
  }
}
