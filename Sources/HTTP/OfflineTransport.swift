package import World

/// A transport that fails every request without sending it. `--offline` uses it in place of the network.
package final class OfflineTransport: Transport {
  private let world: World
  private var refused: [Int] = []

  package init(world: World) { self.world = world }

  package func start(_ request: Request, as ticket: Int, limit: Duration) { refused.append(ticket) }

  package func wait(atMost limit: Duration, orReadable descriptor: Int32) -> [TransportResult] {
    if refused.isEmpty { world.wait(untilReadable: descriptor, atMost: limit) }
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
