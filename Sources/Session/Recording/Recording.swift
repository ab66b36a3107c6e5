package import CommandLine
package import HTTP
package import IFTTT
package import Store
package import Text
package import World

/// A run that is recorded with `--record`: its folder, its clock, and the credentials to mask.
///
/// Each file is written completely as soon as its contents are known, so a killed run leaves everything up to that
/// point.
package final class Recording {
  /// The effects of the run. The clock is frozen between responses, so that a replay prints the same times.
  package let world: World
  package let jitter: SeededJitter
  private let folder: RecordingFolder
  private let clock: FrozenClock
  private var run: RecordedRun
  private var mask = ExchangeRedactor()
  private var transport: RecordingTransport?
  private var exchanges = 0
  /// The contents of `recording.json`.
  private var writtenRun: [UInt8] = []
  /// The error of the first file that could not be written. The run continues, because its effects matter more than its
  /// recording.
  private var failure: SystemError?

  /// - Throws: ``Problem`` if the folder cannot be created or is in use.
  package init(
    in path: String, command: [String], options: [OptionSchema], world: World
  ) throws {
    folder = RecordingFolder(path: path, files: world.files)
    try folder.make()
    clock = FrozenClock(following: world.clock)
    var recorded = world
    (recorded.clock, recorded.input) = (clock, ClockedInput(world.input, clock))
    self.world = recorded
    let seed = world.random.bytes(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    jitter = SeededJitter(seed: seed)
    run = RecordedRun(command: command, began: clock.now(), seed: seed)
    for name in CredentialName.allCases {
      mask.learn([world.environment[name.variable].flatMap(Secret.init(parsing:))].compactMap(\.self))
    }
    for option in options {
      if let name = option.environment, let value = world.environment[named: name], !value.isEmpty { note(name, value) }
    }
    for base in BaseURL.allCases {
      guard let value = world.environment[base.variable], !value.isEmpty else { continue }
      // An invalid URL may contain anything, and only its invalidity matters.
      run.setVariable(base.variable.name, (try? WebURL.beforeHostCheck(value)) == nil ? "unusable" : mask.masked(value))
    }
    if let hosts = world.environment[.allowHTTP], !hosts.isEmpty { note(EnvironmentVariable.allowHTTP.name, hosts) }
    run.command = run.command.map { mask.masked($0) }
    writeRun()
  }

  private func note(_ name: String, _ value: String) {
    run.setVariable(name, EnvironmentVariable.isSecret(named: name) ? mask.standIn(of: value) : mask.masked(value))
  }

  /// Records the profile's data in the store. If the store cannot be read, the command itself reports that.
  /// - Parameters:
  ///   - path: the path of the command.
  ///   - secrets: the secrets that are known after the store is read.
  package func begin(profile name: String, store: Store, path: [String], secrets: () -> [Secret]) {
    run.profile = name
    writeRun()
    let snapshot = try? StoreSnapshot(
      of: name, in: store, arguments: run.command,
      readsConnections: ["connections", "configure", "location"].contains(path.first))
    // The store is open by now, so its secrets are known and can be masked in responses.
    mask.learn(secrets())
    guard let snapshot else { return }
    write(snapshot.bytes(&mask), to: folder.storeFile)
  }

  /// The transport that records the session's requests.
  package func recording(_ underlying: any Transport) -> any Transport {
    let transport = RecordingTransport(underlying, clock: clock, mask: mask) { [unowned self] exchange in
      exchanges = exchange.number
      write(exchange.bytes, to: folder.exchangeFile(exchange.number))
    }
    self.transport = transport
    return transport
  }

  /// Adds credentials that may appear in responses.
  package func learn(_ secrets: [Secret]) {
    mask.learn(secrets)
    transport?.learn(secrets)
  }

  /// Records the use of a credential, whatever its source.
  package func note(_ secret: Secret, as name: CredentialName) {
    mask.learn([secret])
    transport?.learn([secret])
    run.command = run.command.map { mask.masked($0) }
    run.setVariable(name.variable.name, secret.standIn.revealed)
    writeRun()
  }

  package func note(_ level: Authentication.Level) {
    guard run.level == nil else { return }
    run.level = level.rawValue
    writeRun()
  }

  package func note(cacheIsOwn: Bool) {
    guard run.cacheIsOwn == nil else { return }
    run.cacheIsOwn = cacheIsOwn
    writeRun()
  }

  /// Writes the run if it has changed. A run for many users notes the service key again for each user.
  private func writeRun() {
    let bytes = run.bytes
    guard bytes != writtenRun else { return }
    writtenRun = bytes
    write(bytes, to: folder.runFile)
  }

  private func write(_ bytes: [UInt8], to file: String) {
    guard failure == nil else { return }
    do throws(SystemError) { try folder.write(bytes, to: file) } catch { failure = error }
  }

  /// The note at the end of the run.
  /// - Throws: ``Problem`` if part of the recording is missing.
  package func end() throws -> Hint {
    if let failure {
      throw Problem(
        .outputFailed, "the recording in '\(folder.path)' is incomplete", reason: failure.description,
        hint: "The command itself was executed.")
    }
    let count = exchanges.counted("exchange")
    return "Recorded \(count) in '\(folder.path)'; review it before you share it."
  }
}

/// The input of a recorded run or a replay. Its waits advance the clock, which is otherwise frozen between responses.
/// Without this, other waits would never time out.
final class ClockedInput: Input {
  private let input: any Input
  private let clock: FrozenClock

  init(_ input: any Input, _ clock: FrozenClock) { (self.input, self.clock) = (input, clock) }

  var descriptor: Int32 { input.descriptor }

  func wait(for descriptor: Int32, expectsInput: Bool, atMost limit: Duration) throws(InputError) -> WakeReason {
    let reason = try input.wait(for: descriptor, expectsInput: expectsInput, atMost: limit)
    clock.pass(reason == .timeUp ? limit : .zero)
    return reason
  }

  func readAll(limit: Int) throws(InputError) -> [UInt8] { try input.readAll(limit: limit) }
  func readSome() throws(InputError) -> [UInt8] { try input.readSome() }
  func readLine() throws(InputError) -> String? { try input.readLine() }
  func readSecret(prompt: () -> Void) throws(InputError) -> String? { try input.readSecret(prompt: prompt) }
  func discardTypeAhead() { input.discardTypeAhead() }
}

/// Random bytes for retry jitter and request ids only, identical in a recorded run and its replay.
///
/// Unchecked: only the thread that runs the command uses it.
package final class SeededJitter: RandomBytes, @unchecked Sendable {
  private var generator: SplitMix64

  package init(seed: UInt32) { generator = SplitMix64(state: UInt64(seed)) }

  package func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next() >> 32) }
  }
}
