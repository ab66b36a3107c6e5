package import HTTP
import Sandbox
import Store
package import World

/// The state of the sandbox profile: one file, read and written under a lock, so that concurrent runs share one
/// state.
///
/// Unchecked: it has no mutable state of its own. The file lock excludes other threads as well as other processes.
package struct SandboxStateFile: @unchecked Sendable {
  package let path: String
  private let files: any Files
  private let clock: any Clock
  private let isReadOnly: Bool

  /// - Parameter isReadOnly: whether to leave the file unchanged, as in a dry run.
  package init(_ path: String, _ world: World, isReadOnly: Bool = false) {
    (self.path, files, clock, self.isReadOnly) = (path, world.files, world.clock, isReadOnly)
  }

  /// Returns the emulator's response, after saving the emulator's new state.
  ///
  /// - Parameter target: the path and query as received over the network; nil for a request of this process.
  package func response(to request: Request, target: String? = nil) throws -> Response {
    if isReadOnly {
      // The file is replaced atomically, so a reader needs no lock.
      var emulator = Emulator(state: try state())
      return emulator.response(to: request, target: target, at: clock.now())
    }
    try files.makeFolder(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
    return try files.locked(path + ".lock") {
      let before = try state()
      var emulator = Emulator(state: before)
      let response = emulator.response(to: request, target: target, at: clock.now())
      if emulator.state != before { try files.replace(path, with: emulator.state.bytes, mode: 0o600) }
      return response
    }
  }

  /// Discards all changes: the next request starts from the initial fixtures.
  package func remove() throws {
    do throws(SystemError) { _ = try files.status(path) } catch { return }
    try files.locked(path + ".lock") { try files.remove(path) }
  }

  private func state() throws -> SandboxState {
    do throws(SystemError) {
      _ = try files.status(path)
    } catch {
      return .seed
    }
    return try SandboxState(parsing: try files.readRegular(path, limit: 64 * 1024 * 1024))
  }
}

extension StoreAccess {
  /// The state file of the sandbox; nil if the profile is not the sandbox.
  ///
  /// The file is `Sendable`, but ``SandboxPages`` is not. A listener's thread receives the file and creates the pages.
  package func sandboxStateFile() throws -> SandboxStateFile? {
    guard try profileName.isSandbox else { return nil }
    return SandboxStateFile(try store.directories.data + "/sandbox.json", world, isReadOnly: options.isDryRun)
  }
}

/// A transport that passes every request to the emulator instead of the network.
final class SandboxTransport: Transport {
  private let file: SandboxStateFile
  private let world: World
  private var finished: [TransportResult] = []

  package init(_ file: SandboxStateFile, world: World) { (self.file, self.world) = (file, world) }

  package func start(_ request: Request, as ticket: Int, limit: Duration) {
    let result: Result<Response, TransportError>
    do {
      result = .success(try file.response(to: request))
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
