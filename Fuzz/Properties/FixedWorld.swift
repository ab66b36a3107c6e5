import World

/// Bytes that a run wrote.
final class KeptBytes: ByteSink {
  private(set) var bytes: [UInt8] = []
  func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) { self.bytes += bytes }
}

extension World {
  /// A world with the real file system, in which nothing else can be found, entered or run, and time does not pass by
  /// itself.
  static var fixed: World { fixed(clock: FuzzClock(), output: KeptBytes(), errors: KeptBytes()) }

  static func fixed(clock: any Clock, output: KeptBytes, errors: KeptBytes) -> World {
    let nothing = NothingThere()
    return World(
      environment: [:], clock: clock, input: nothing, output: output, errors: errors,
      terminal: Terminal(inputIsTerminal: false, outputIsTerminal: false, errorIsTerminal: false, columns: nil),
      files: LiveFiles(interruption: nothing), random: nothing, processes: nothing, interruption: nothing)
  }
}

/// A clock that only advances when a caller sleeps or waits.
final class FuzzClock: Clock, @unchecked Sendable {
  // Each run has one thread and a clock of its own.
  private var passed = Duration.zero

  func now() -> Timestamp { Timestamp(milliseconds: 1_800_000_000_000) - (.zero - passed) }
  func monotonic() -> Duration { passed }
  func sleep(for duration: Duration) { pass(duration) }
  func pass(_ duration: Duration) { passed += max(.zero, duration) }
}
