package import HTTP
import Sandbox
import Store
package import World

/// The sandbox profile's world: one file, read and written under a lock, so that several runs at once see one state.
///
/// Unchecked: it holds no state of its own, and the lock keeps threads apart as it does processes.
package struct SandboxStateFile: @unchecked Sendable {
  package let path: String
  private let files: any Files
  private let clock: any Clock
  private let isReadOnly: Bool

  /// - Parameter isReadOnly: whether requests leave no trace, as in a dry run.
  package init(_ path: String, _ world: World, isReadOnly: Bool = false) {
    (self.path, files, clock, self.isReadOnly) = (path, world.files, world.clock, isReadOnly)
  }

  /// What the emulator says, once its new state is kept.
  ///
  /// - Parameter target: the path and query as they came over the wire, where they did.
  package func answer(_ request: Request, target: String? = nil) throws -> Response {
    if isReadOnly {
      // The file is replaced as a whole, so that a reader needs no lock.
      var emulator = Emulator(state: try state())
      return emulator.answer(request, target: target, at: clock.now())
    }
    try files.makeFolder(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
    return try files.locked(path + ".lock") {
      let before = try state()
      var emulator = Emulator(state: before)
      let response = emulator.answer(request, target: target, at: clock.now())
      if emulator.state != before { try files.replace(path, with: emulator.state.bytes, mode: 0o600) }
      return response
    }
  }

  /// Forgets every change: the next request finds the fixtures as they were in the beginning.
  package func remove() throws {
    do throws(SystemError) { _ = try files.facts(path) } catch { return }
    try files.locked(path + ".lock") { try files.remove(path) }
  }

  private func state() throws -> SandboxState {
    do throws(SystemError) {
      _ = try files.facts(path)
    } catch {
      return .seed
    }
    return try SandboxState(parsing: try files.readRegular(path, limit: 64 * 1024 * 1024))
  }
}

extension Session {
  /// Nil where the profile is not the sandbox.
  ///
  /// The file alone may be handed to a listener's thread, which then makes the pages: `SandboxPages(file)`.
  package func sandboxStateFile() throws -> SandboxStateFile? {
    guard try profileName.isSandbox else { return nil }
    return SandboxStateFile(try store.places.data + "/sandbox.json", world, isReadOnly: options.isDryRun)
  }
}
