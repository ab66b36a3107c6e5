package import HTTP
import Testing
package import World

/// A transport with scripted responses, one per request, that records the requests.
///
/// A request beyond the end of the script gets a `broken` failure and fails the test. So does an unused response when
/// the transport is deallocated.
package final class ScriptedTransport: Transport {
  package typealias Answer = (Request) -> Result<Response, TransportError>

  /// The requests, in the order they were started.
  package private(set) var requests: [Request] = []
  /// The timeout of each request.
  package private(set) var limits: [Duration] = []
  package private(set) var cancelled: [Int] = []
  /// The requests in flight.
  package private(set) var inFlight: [(ticket: Int, result: Result<Response, TransportError>)] = []
  /// A closure that runs at the start of each `wait`, for tests that need something to happen in the meantime.
  package var whileWaiting: () -> Void = {}

  /// The description of the transport.
  package var description: TransportDescription?

  private var answers: [Answer]
  private let clock: (any Clock)?

  /// - Parameter clock: The clock that sleeps while the client waits with nothing in flight, such as before a retry.
  package init(answers: [Answer], clock: (any Clock)? = nil) {
    (self.answers, self.clock) = (answers, clock)
  }

  package convenience init(_ responses: Response..., clock: (any Clock)? = nil) {
    self.init(answers: responses.map { response in { _ in .success(response) } }, clock: clock)
  }

  deinit {
    if !answers.isEmpty { Issue.record("\(answers.count) scripted responses were not used") }
  }

  /// Discard the remaining responses, so that they do not fail the test.
  package func forget() { answers = [] }

  package func start(_ request: Request, as ticket: Int, limit: Duration) {
    requests.append(request)
    limits.append(limit)
    guard !answers.isEmpty else {
      Issue.record("no scripted response is left for \(request.method.rawValue) \(request.url.redacted)")
      let failure = TransportError(kind: .broken, message: "the script has no more responses", mayHaveArrived: true)
      inFlight.append((ticket, .failure(failure)))
      return
    }
    inFlight.append((ticket, answers.removeFirst()(request)))
  }

  /// Complete the oldest request in flight.
  package func wait(atMost limit: Duration, orReadable descriptor: Int32) -> [TransportResult] {
    whileWaiting()
    guard !inFlight.isEmpty else {
      clock?.sleep(for: limit)
      return []
    }
    let first = inFlight.removeFirst()
    return [TransportResult(ticket: first.ticket, result: first.result)]
  }

  package func cancel(_ ticket: Int) {
    inFlight.removeAll { $0.ticket == ticket }
    cancelled.append(ticket)
  }
}
