import HTTP
import Sandbox
import World

/// Answers every request from the emulator. Its state is kept in one file, read and written under a lock, so that several
/// runs at once see one world.
final class SandboxTransport: Transport {
  private let file: String
  private let world: World
  private var finished: [Outcome] = []

  init(file: String, world: World) {
    self.file = file
    self.world = world
  }

  func start(_ request: Request, as ticket: Int, limit: Duration) {
    let result: Result<Response, TransportFailure>
    do {
      result = .success(try answer(request))
    } catch {
      let reason = (error as? SystemError)?.description ?? String(describing: error)
      result = .failure(
        TransportFailure(kind: .broken, message: "the sandbox's state \(file): \(reason)", mayHaveArrived: false))
    }
    finished.append(Outcome(ticket: ticket, result: result))
  }

  func wait(atMost limit: Duration) -> [Outcome] {
    if finished.isEmpty { world.clock.sleep(for: limit) }
    defer { finished = [] }
    return finished
  }

  func cancel(_ ticket: Int) { finished.removeAll { $0.ticket == ticket } }

  private func answer(_ request: Request) throws -> Response {
    try world.files.makeFolder(folder)
    return try world.files.locked(file + ".lock") {
      let before = try state()
      var emulator = Emulator(state: before)
      let response = emulator.answer(request, at: world.clock.now())
      if emulator.state != before { try world.files.replace(file, with: emulator.state.bytes, mode: 0o600) }
      return response
    }
  }

  private var folder: String {
    String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)])
  }

  private func state() throws -> SandboxState {
    do throws(SystemError) {
      _ = try world.files.facts(file)
    } catch {
      return .seed
    }
    return try SandboxState(parsing: try world.files.read(file, limit: 64 * 1024 * 1024))
  }
}
