/// Sends nothing and says so: what `--offline` puts in the network's place.
package final class OfflineTransport: Transport {
  private var refused: [Int] = []

  package init() {}

  package func start(_ request: Request, as ticket: Int, limit: Duration) { refused.append(ticket) }

  package func wait(atMost limit: Duration) -> [TransportResult] {
    defer { refused = [] }
    return refused.map {
      TransportResult(
        ticket: $0,
        result: .failure(
          TransportError(kind: .offline, message: "the network is switched off for this run", mayHaveArrived: false)))
    }
  }

  package func cancel(_ ticket: Int) { refused.removeAll { $0 == ticket } }
}
