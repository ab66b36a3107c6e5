import CommandLine
package import HTTP
package import Sandbox
import Store
import Text
package import World

/// The file with the state of the sandbox profile. It is read and written under a lock, so that concurrent runs share
/// one state.
///
/// Unchecked: it has no mutable state in memory. The file lock excludes other threads as well as other processes.
package struct SandboxStateFile: @unchecked Sendable {
  package let path: String
  private let files: any Files
  private let clock: any Clock
  private let requestedSeed: BuiltInSeed?
  private let isReadOnly: Bool

  /// - Parameters:
  ///   - seed: the seed of a new state; nil for the default. An existing state keeps its seed.
  ///   - isReadOnly: whether to leave the file unchanged, as in a dry run.
  package init(_ path: String, _ world: World, seed: BuiltInSeed? = nil, isReadOnly: Bool = false) {
    (self.path, files, clock, self.isReadOnly) = (path, world.files, world.clock, isReadOnly)
    requestedSeed = seed
  }

  /// The seed of the existing state, if it differs from the requested one; nil also if the state cannot be read.
  var keptSeed: BuiltInSeed? {
    guard let requestedSeed, let kept = try? state().builtInSeed, kept != requestedSeed else { return nil }
    return kept
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
    try makeFolder()
    return try files.locked(path + ".lock") {
      let before = try state()
      var emulator = Emulator(state: before)
      let response = emulator.response(to: request, target: target, at: clock.now())
      if emulator.state != before { try files.replace(path, with: emulator.state.bytes, mode: 0o600) }
      return response
    }
  }

  /// Discards all changes: the next request starts from the fixtures of the requested seed, also in a run that requests
  /// no seed.
  package func reset() throws {
    guard let requestedSeed else {
      guard exists else { return }
      return try files.locked(path + ".lock") { try files.remove(path) }
    }
    try makeFolder()
    try files.locked(path + ".lock") {
      try files.replace(path, with: SandboxState(requestedSeed).bytes, mode: 0o600)
    }
  }

  private func makeFolder() throws {
    try files.makeFolder(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
  }

  private var exists: Bool {
    do throws(SystemError) { _ = try files.status(path) } catch { return false }
    return true
  }

  private func state() throws -> SandboxState {
    guard exists else { return SandboxState(requestedSeed ?? .plain) }
    return try SandboxState(parsing: try files.readRegular(path, limit: 64 * 1024 * 1024))
  }
}

extension StoreAccess {
  /// The state file of the sandbox; nil if the profile is not the sandbox.
  ///
  /// The file is `Sendable`, but ``SandboxPages`` is not. A listener's thread receives the file and creates the pages.
  package func sandboxStateFile() throws -> SandboxStateFile? {
    guard try profileName.isSandbox else { return nil }
    return try openSandboxState(isReadOnly: options.isDryRun)
  }

  /// Notes that the sandbox keeps its seed if the environment requests another one.
  /// - Throws: `usage` if the environment requests an unknown seed.
  func noteKeptSeed() throws {
    guard let kept = try openSandboxState(isReadOnly: true).keptSeed else { return }
    console.note(
      "Profile 'sandbox' keeps its seed '\(kept.rawValue)' until you run \(ifttt: "--profile sandbox sandbox reset").")
  }

  /// - Parameter seed: The seed of a new state; nil for the one that the environment requests.
  /// - Throws: `usage` if the environment requests an unknown seed.
  func openSandboxState(seed: BuiltInSeed? = nil, isReadOnly: Bool = false) throws -> SandboxStateFile {
    var seed = seed
    if seed == nil, let name = world.environment[.sandboxSeed], !name.isEmpty {
      seed = BuiltInSeed(named: name)
      guard seed != nil else { throw Problem.unknownSeed(name, in: EnvironmentVariable.sandboxSeed.name) }
    }
    return SandboxStateFile(
      try store.directories.data + "/sandbox.json", world, seed: seed, isReadOnly: isReadOnly)
  }
}

extension Problem {
  /// - Parameter source: the option or the variable that contains the name.
  package static func unknownSeed(_ name: String, in source: String) -> Problem {
    let near = NearestNames.of(name, among: BuiltInSeed.names)
    return Problem(
      .usage, "unknown seed '\(name)' in \(source)",
      hint: Hint(near.isEmpty ? "" : "Did you mean '\(near[0])'? ")
        + Hint("Built-in seeds: \(BuiltInSeed.names.joined(separator: ", "))."))
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
