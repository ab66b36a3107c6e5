package import Testing
package import World

/// A ``World`` for one test. Using an effect that the test does not provide fails the test and names the effect.
/// Input that was provided but not read fails it at the end, and so does stderr output that was not checked.
package final class TestWorld {
  package var environment: Environment
  package var terminal: Terminal
  package let clock: TestClock
  package let input: TestInput
  package let output: CapturedOutput
  package let errors: CapturedOutput
  package let folder: TemporaryFolder?
  package let files: TestFiles
  package let random: SeededRandom
  package let processes: TestProcesses
  package let connections: TestConnections
  package let interruption = TestInterruption()
  /// A closure that returns the terminal's size for each query.
  package var screenSize: (StandardStream) -> ScreenSize? = { _ in nil }

  /// - Parameters:
  ///   - now: The start time of the clock. Sleeping advances it without taking any time.
  ///   - input: The contents of stdin.
  ///   - terminal: The terminal; by default, no stream is a terminal.
  ///   - folder: The folder for files; `IFTTT_HOME` refers to it unless `environment` sets that variable.
  ///   - seed: The seed of the random bytes.
  ///   - programs: The function that returns the results of programs.
  package init(
    environment: [String: String] = [:], now: Timestamp? = nil, input: ScriptedInput? = nil,
    terminal: Terminal = .none, folder: TemporaryFolder? = nil, seed: UInt64? = nil,
    programs: (([String], [UInt8]) throws(SystemError) -> ProcessResult)? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let effects = Effects(sourceLocation: sourceLocation)
    self.environment = Environment(environment)
    if let folder, environment["IFTTT_HOME"] == nil { self.environment[named: "IFTTT_HOME"] = folder.path }
    self.terminal = terminal
    self.folder = folder
    clock = TestClock(startingAt: now, effects)
    self.input = TestInput(input, effects)
    output = CapturedOutput()
    errors = CapturedOutput(mustBeReadAs: "stderr", effects)
    files = TestFiles(in: folder, interruption: interruption, effects)
    random = SeededRandom(seed, effects)
    processes = TestProcesses(programs, effects)
    connections = TestConnections(effects)
  }

  package var world: World {
    var world = World(
      environment: environment, clock: clock, input: input, output: output, errors: errors, terminal: terminal,
      files: files, random: random, processes: processes, interruption: interruption)
    world.screenSize = screenSize
    world.tcp = connections
    if let folder { world.workingFolder = folder.path }
    return world
  }
}

extension Terminal {
  /// No stream is a terminal, as in a pipeline or a script.
  package static let none = Terminal(
    inputIsTerminal: false, outputIsTerminal: false, errorIsTerminal: false, columns: nil)

  /// All streams are a terminal, as in an interactive session.
  package static func interactive(columns: Int = 80) -> Terminal {
    Terminal(inputIsTerminal: true, outputIsTerminal: true, errorIsTerminal: true, columns: columns)
  }
}

/// A reporter for unexpected effects, which attributes them to the line of the test that created the world.
package struct Effects: Sendable {
  let sourceLocation: SourceLocation

  /// Fail the test.
  func unexpected(_ what: String) {
    Issue.record(Comment(rawValue: what), sourceLocation: sourceLocation)
  }
}
