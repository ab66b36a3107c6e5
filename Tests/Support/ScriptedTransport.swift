package import HTTP
import Testing
package import World

/// A transport that answers from a script, one answer a request, and keeps what it was asked.
///
/// A request that finds the script at its end gets a `broken` failure and fails the test; so does an answer that was
/// never used, once the transport goes away.
package final class ScriptedTransport: Transport {
  package typealias Answer = (Request) -> Result<Response, TransportError>

  /// In the order in which they were started.
  package private(set) var requests: [Request] = []
  /// The time each of them was given.
  package private(set) var limits: [Duration] = []
  package private(set) var cancelled: [Int] = []
  /// Requests under way.
  package private(set) var underWay: [(ticket: Int, result: Result<Response, TransportError>)] = []
  /// Called at the beginning of each `wait`, for a test that lets something happen meanwhile.
  package var whileWaiting: () -> Void = {}

  /// What it says it is made of.
  package var facts: TransportDescription?

  private var answers: [Answer]
  private let clock: (any Clock)?

  /// - Parameter clock: is slept on when the client waits with nothing under way, as before a retry.
  package init(answers: [Answer], clock: (any Clock)? = nil) {
    (self.answers, self.clock) = (answers, clock)
  }

  package convenience init(_ responses: Response..., clock: (any Clock)? = nil) {
    self.init(answers: responses.map { response in { _ in .success(response) } }, clock: clock)
  }

  deinit {
    if !answers.isEmpty { Issue.record("\(answers.count) scripted answers were never asked for") }
  }

  /// Answers that are left over are no fault.
  package func forget() { answers = [] }

  package func start(_ request: Request, as ticket: Int, limit: Duration) {
    requests.append(request)
    limits.append(limit)
    guard !answers.isEmpty else {
      Issue.record("no scripted answer is left for \(request.method.rawValue) \(request.url.redacted)")
      let failure = TransportError(kind: .broken, message: "the script is at its end", mayHaveArrived: true)
      underWay.append((ticket, .failure(failure)))
      return
    }
    underWay.append((ticket, answers.removeFirst()(request)))
  }

  /// Ends the oldest request under way.
  package func wait(atMost limit: Duration) -> [TransportResult] {
    whileWaiting()
    guard !underWay.isEmpty else {
      clock?.sleep(for: limit)
      return []
    }
    let first = underWay.removeFirst()
    return [TransportResult(ticket: first.ticket, result: first.result)]
  }

  package func cancel(_ ticket: Int) {
    underWay.removeAll { $0.ticket == ticket }
    cancelled.append(ticket)
  }
}
