package import Text
import World

/// Sends requests through another transport, and passes each request and response on without credentials.
package final class RecordingTransport: Transport {
  private let carrier: any Transport
  private let clock: FrozenClock
  private let record: (RecordedExchange) -> Void
  private var mask: ExchangeRedactor
  private var underWay: [Int: (question: RecordedExchange.Question, start: Duration)] = [:]
  private var number = 0

  /// - Parameters:
  ///   - clock: the run's clock, which advances with each response.
  ///   - mask: knows the credentials that may appear in responses.
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
    underWay[ticket] = (mask.masked(request), clock.monotonic())
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
    guard let (question, start) = underWay.removeValue(forKey: ticket) else { return }
    number += 1
    record(
      RecordedExchange(
        number: number, question: question, result: result, endedAt: clock.now(), startedAfter: start,
        endedAfter: clock.monotonic()))
  }
}
