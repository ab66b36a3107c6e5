import World

/// Answers requests from a recording, without a network and without waiting.
///
/// An answer is found by method, URL and body, each as it was recorded; the same request sent again gets the next one.
/// Answers come in the order in which they came then, whatever the order of the requests.
package final class ReplayTransport: Transport {
  private struct Key: Hashable {
    let method: String
    let url: String
    let body: [UInt8]?
    init(_ question: RecordedExchange.Question) {
      (method, url, body) = (question.method, question.url, question.body)
    }
  }

  private let exchanges: [RecordedExchange]
  private let clock: FrozenClock
  private var mask = ExchangeRedactor()
  /// Places in `exchanges` that are still to be asked for, first come first.
  private var open: [Key: ArraySlice<Int>] = [:]
  private var isDelivered: [Bool]
  /// All before it were delivered.
  private var next = 0
  private var underWay: [Int: Int] = [:]
  private var refused: [TransportResult] = []
  /// Whether time was given to what waits for its turn, and nothing came of it.
  private var hasPaused = false
  /// What was asked for and is not in the recording: `GET https://…`, in the order asked.
  package private(set) var missing: [String] = []

  /// - Parameters:
  ///   - exchanges: in the order in which they ended.
  ///   - clock: of the replayed run; moved to the recorded times.
  package init(_ exchanges: [RecordedExchange], clock: FrozenClock) {
    (self.exchanges, self.clock) = (exchanges, clock)
    isDelivered = exchanges.map { $0.result == nil }
    for (place, exchange) in exchanges.enumerated() where exchange.result != nil {
      open[Key(exchange.question), default: []].append(place)
    }
  }

  /// How many of the recorded answers nobody has asked for.
  package var unused: Int { isDelivered.count { !$0 } }

  package func start(_ request: Request, as ticket: Int, limit: Duration) {
    hasPaused = false
    let question = mask.masked(request)
    if let place = open[Key(question)]?.popFirst() {
      underWay[ticket] = place
      return
    }
    let words = "\(question.method) \(question.url)"
    missing.append(words)
    let failure = TransportError(kind: .notRecorded, message: "\(words) was not recorded", mayHaveArrived: false)
    refused.append(TransportResult(ticket: ticket, result: .failure(failure)))
  }

  package func wait(atMost limit: Duration) -> [TransportResult] {
    if !refused.isEmpty {
      defer { refused = [] }
      return refused
    }
    guard let (ticket, place) = underWay.min(by: { $0.value < $1.value }) else {
      clock.pass(limit)
      return []
    }
    while next < place, isDelivered[next] { next += 1 }
    // What came before this may be a try that is still waiting for its time; an hour is nobody's.
    if next < place, !hasPaused, limit < .seconds(3600) {
      hasPaused = true
      clock.pass(limit)
      return []
    }
    underWay[ticket] = nil
    isDelivered[place] = true
    guard let result = exchanges[place].result else { return [] }
    clock.move(to: exchanges[place].endedAt, after: exchanges[place].endedAfter)
    return [TransportResult(ticket: ticket, result: result)]
  }

  package func cancel(_ ticket: Int) {
    underWay[ticket] = nil
    refused.removeAll { $0.ticket == ticket }
  }
}
