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
  package var connections: any TCPConnections = NoTCPConnections()
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
}
