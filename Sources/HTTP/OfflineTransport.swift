/// A transport that fails every request without sending it. `--offline` uses it in place of the network.
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
          TransportError(kind: .offline, message: "the network is disabled for this run", mayHaveArrived: false)))
    }
  }

  package func cancel(_ ticket: Int) { refused.removeAll { $0 == ticket } }
}
