#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension World {
  /// The world as it is. Cheap: signal handlers are installed and files opened only when something asks for them.
  package static func live() -> World {
    openMissingStandardStreams()
    // A reader that is gone then shows as EPIPE, which the writer can tell from other failures.
    signal(SIGPIPE, SIG_IGN)
    // So does a file that may not grow any further (ulimit -f): EFBIG, and nothing is left half done.
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

/// Fills descriptors 0 to 2 where the caller closed them, so that no file the program opens can take their place and
/// be written to as if it were standard output. Each is opened the wrong way round, so that using it still fails.
private func openMissingStandardStreams() {
  for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
    _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
  }
}
