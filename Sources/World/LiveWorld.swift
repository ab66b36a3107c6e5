#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension World {
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
    world.connections = LiveConnections(interruption: interruption)
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
