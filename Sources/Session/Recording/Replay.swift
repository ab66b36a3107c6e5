package import HTTP
package import Store
import Text
package import World

/// A run whose responses come from a recording. It does not use the network or the user's credentials, programs and
/// stores.
///
/// Its store is in a temporary folder, which is filled with the recorded data and removed at the end.
package final class Replay {
  package let world: World
  package let jitter: SeededJitter
  package let run: RecordedRun
  private let home: String
  private let files: any Files
  private let snapshot: StoreSnapshot?
  package let transport: ReplayTransport

  /// - Throws: ``Problem`` if the folder is not a recording.
  package init(from path: String, in world: World) throws {
    let folder = RecordingFolder(path: path, files: world.files)
    run = try folder.readRun()
    snapshot = try folder.readStore()
    let clock = FrozenClock(from: run.began)
    transport = ReplayTransport(try folder.readExchanges(), clock: clock, world: world)
    jitter = SeededJitter(seed: run.seed)
    files = world.files
    let temporaryFolder = world.environment[.temporaryFolder].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    let random = world.random.bytes(8).hex
    home = "\(temporaryFolder)/ifttt-replay-\(random)"
    var environment = Environment([:])
    // Only the display depends on these; their values come from the environment of the replay.
    for variable in EnvironmentVariable.inherited(by: .replay) { environment[variable] = world.environment[variable] }
    // Accept only these variables: a forged recording could misuse others.
    for (name, value) in run.variables {
      guard let variable = EnvironmentVariable(named: name), variable.isInherited(by: .recording) else { continue }
      environment[variable] = value
    }
    environment[.directory] = home
    var replayWorld = world
    (replayWorld.environment, replayWorld.clock, replayWorld.processes, replayWorld.tcp) = (
      environment, clock, NoProcesses(), NoTCPConnections()
    )
    replayWorld.input = ClockedInput(world.input, clock)
    self.world = replayWorld
    try files.makeNewFolder(home)
  }

  deinit { try? files.removeFolder(home) }

  /// Restores the recorded data in the store of the replay.
  package func begin(_ store: () throws -> Store) throws {
    guard let profile = run.profile else { return }
    try snapshot?.restore(profile, in: store())
    // The profile may have been selected with `profile use`, which the command line does not show.
    if profile != ProfileName.standard.description { try store().useProfile(profile) }
  }

  /// - Throws: ``Problem`` if the run sent a request that was not recorded.
  package func end() throws {
    if let first = transport.missing.first {
      let more = transport.missing.count - 1
      throw Problem(
        .notRecorded, "the recording contains no response to a request",
        reason: first + (more > 0 ? ", and \(more) more" : ""),
        hint: "The recording was made with 'ifttt \(run.command.joined(separator: " "))' by \(run.program).")
    }
  }
}

/// Starts no processes, because a replay has no outside effects.
private final class NoProcesses: Processes {
  let id: Int32 = 0

  func run(_ arguments: [String], input: [UInt8], limit: Duration, seeing variables: EnvironmentFilter)
    throws(SystemError) -> ProcessResult
  {
    throw SystemError(number: noSuchFile, call: "start \(arguments.first ?? "") in a replay")
  }

  func openBrowser(_ url: String, with command: String?) throws(SystemError) {
    throw SystemError(number: noSuchFile, call: "start a browser in a replay")
  }

  func startAgain(_ arguments: [String]) throws(SystemError) {
    throw SystemError(number: noSuchFile, call: "start this program in a replay")
  }
}

/// ENOENT
private let noSuchFile: Int32 = 2
