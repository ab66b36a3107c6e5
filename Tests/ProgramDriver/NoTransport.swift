import ConnectionCommands
package import HTTP
import Plugins
import Session
import Testing
import World

/// A transport that fails the test when a request is sent.
package final class NoTransport: Transport {
  private var asked: [Int] = []

  package init() {}

  package func start(_ request: Request, as ticket: Int, limit: Duration) {
    Issue.record("\(request.method.rawValue) \(request.url.redacted) was sent")
    asked.append(ticket)
  }

  package func wait(atMost limit: Duration, orReadable descriptor: Int32) -> [TransportResult] {
    defer { asked = [] }
    let failure = TransportError(kind: .offline, message: "the test has no network", mayHaveArrived: false)
    return asked.map { TransportResult(ticket: $0, result: .failure(failure)) }
  }

  package func cancel(_ ticket: Int) { asked.removeAll { $0 == ticket } }
}
