import HTTP
import Sandbox
import World

/// A transport that returns the emulator's response to every request. The emulator's state is stored in one file.
final class SandboxTransport: Transport {
  private let file: SandboxStateFile
  private let clock: any Clock
  private var finished: [TransportResult] = []

  package init(_ file: SandboxStateFile, clock: any Clock) { (self.file, self.clock) = (file, clock) }

  package func start(_ request: Request, as ticket: Int, limit: Duration) {
    let result: Result<Response, TransportError>
    do {
      result = .success(try file.answer(request))
    } catch {
      let reason = (error as? SystemError)?.description ?? String(describing: error)
      result = .failure(
        TransportError(kind: .broken, message: "the sandbox's state \(file.path): \(reason)", mayHaveArrived: false))
    }
    finished.append(TransportResult(ticket: ticket, result: result))
  }

  package func wait(atMost limit: Duration) -> [TransportResult] {
    if finished.isEmpty { clock.sleep(for: limit) }
    defer { finished = [] }
    return finished
  }

  package func cancel(_ ticket: Int) { finished.removeAll { $0.ticket == ticket } }
}
