#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// All side effects of the program: clock, terminal, files, processes and randomness. Tests replace each of them, so
/// that a command runs there exactly as it does for a user.
package struct World {
  package var environment: Environment
  package var clock: any Clock
  package var input: any Input
  package var output: any ByteSink
  package var errors: any ByteSink
  package var terminal: Terminal
  package var files: any Files
  package var random: any RandomBytes
  package var processes: any Processes
  package var interruption: any Interruption
  package var tcp: any TCPConnections = NoTCPConnections()
  /// The current size of the terminal behind a stream, which can change at any time; nil if the stream is not a
  /// terminal.
  package var screenSize: (StandardStream) -> ScreenSize? = { _ in nil }
  /// The folder that relative paths are resolved against.
  package var workingFolder = "."

  package init(
    environment: Environment, clock: any Clock, input: any Input, output: any ByteSink, errors: any ByteSink,
    terminal: Terminal, files: any Files, random: any RandomBytes, processes: any Processes,
    interruption: any Interruption
  ) {
    self.environment = environment
    self.clock = clock
    self.input = input
    self.output = output
    self.errors = errors
    self.terminal = terminal
    self.files = files
    self.random = random
    self.processes = processes
    self.interruption = interruption
  }
}

extension World {
  /// Waits until a descriptor is readable, the time has passed, or the program is interrupted.
  /// - Parameter descriptor: -1 for none.
  /// - Returns: Whether the descriptor is readable.
  @discardableResult
  package func wait(untilReadable descriptor: Int32, atMost limit: Duration) -> Bool {
    guard descriptor >= 0 else {
      if limit > .zero { clock.sleep(for: limit) }
      return false
    }
    return Readiness.wait(
      for: [.init(descriptor, .reading), .init(interruption.descriptor, .reading)], atMost: limit)[0]
  }

  /// Resolves a path from the user against the working folder.
  package func path(_ name: String) -> String {
    name.hasPrefix("/") || workingFolder == "." ? name : "\(workingFolder)/\(name)"
  }

  /// The real world. Creating it is cheap: signal handlers are installed and files opened only on first use.
  package static func live() -> World {
    openMissingStandardStreams()
    // A write to a closed pipe then fails with EPIPE, which the writer can distinguish from other failures.
    signal(SIGPIPE, SIG_IGN)
    // Likewise, a write beyond the file size limit (ulimit -f) fails with EFBIG instead of ending the program
    // halfway.
    signal(SIGXFSZ, SIG_IGN)
    let environment = Environment.live
    let interruption = LiveInterruption()
    var world = World(
      environment: environment, clock: LiveClock(interruption: interruption),
      input: LiveInput(interruption: interruption), output: DescriptorSink(STDOUT_FILENO),
      errors: DescriptorSink(STDERR_FILENO), terminal: .live(environment: environment),
      files: LiveFiles(interruption: interruption), random: LiveRandom(),
      processes: LiveProcesses(interruption: interruption, environment: environment), interruption: interruption)
    world.screenSize = ScreenSize.live
    world.tcp = LiveConnections(interruption: interruption)
    return world
  }
}

/// Opens descriptors 0 to 2 if the caller closed them. Otherwise a file that the program opens could take one of
/// these numbers and be written to as stdout. Each is opened for the wrong direction, so that using it still
/// fails.
private func openMissingStandardStreams() {
  for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
    _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
  }
}
