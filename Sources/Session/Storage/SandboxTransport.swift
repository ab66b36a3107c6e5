import HTTP
import Sandbox
import World

/// A transport that returns the emulator's response to every request. The emulator's state is stored in one file.
final class SandboxTransport: Transport {
  private let file: SandboxStateFile
  private let world: World
  private var finished: [TransportResult] = []

  package init(_ file: SandboxStateFile, world: World) { (self.file, self.world) = (file, world) }

  package func start(_ request: Request, as ticket: Int, limit: Duration) {
    let result: Result<Response, TransportError>
    do {
      result = .success(try file.answer(request))
    } catch {
      let kind: TransportError.Kind = error is SandboxStateError ? .damagedState : .inaccessibleState
      let reason = (error as? SystemError)?.description ?? String(describing: error)
      result = .failure(TransportError(kind: kind, message: "\(file.path): \(reason)", mayHaveArrived: false))
    }
    finished.append(TransportResult(ticket: ticket, result: result))
  }

  package func wait(atMost limit: Duration, orReadable descriptor: Int32) -> [TransportResult] {
    if finished.isEmpty { world.wait(untilReadable: descriptor, atMost: limit) }
    defer { finished = [] }
    return finished
  }

  package func cancel(_ ticket: Int) { finished.removeAll { $0.ticket == ticket } }
}
