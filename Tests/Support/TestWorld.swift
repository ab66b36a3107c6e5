package import Testing
package import Time
package import World

/// A ``World`` for one test. Every effect that the test did not give fails it by name when it is used; input that
/// was given and not read, and notes on standard error that were not looked at, fail it at the end.
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
  /// What the terminal says of its size, each time it is asked.
  package var screenSize: (StandardStream) -> ScreenSize? = { _ in nil }

  /// - Parameters:
  ///   - now: where the clock starts; sleeping sets it forward and takes no time.
  ///   - input: what comes on standard input.
  ///   - terminal: nothing is a terminal unless told otherwise.
  ///   - folder: where files may be read and written; `IFTTT_HOME` names it unless `environment` does.
  ///   - seed: of the random bytes, the same for the same seed.
  ///   - programs: what programs answer when they are run.
  package init(
    environment: [String: String] = [:], now: Timestamp? = nil, input: ScriptedInput? = nil,
    terminal: Terminal = .none, folder: TemporaryFolder? = nil, seed: UInt64? = nil,
    programs: (([String], [UInt8]) throws(SystemError) -> ProcessResult)? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let effects = Effects(sourceLocation: sourceLocation)
    self.environment = Environment(environment)
    if let folder, environment["IFTTT_HOME"] == nil { self.environment["IFTTT_HOME"] = folder.path }
    self.terminal = terminal
    self.folder = folder
    clock = TestClock(startingAt: now, effects)
    self.input = TestInput(input, effects)
    output = CapturedOutput()
    errors = CapturedOutput(mustBeReadAs: "standard error", effects)
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
    world.connections = connections
    if let folder { world.workingFolder = folder.path }
    return world
  }
}

extension Terminal {
  /// As in a pipeline or a script.
  package static let none = Terminal(
    inputIsTerminal: false, outputIsTerminal: false, errorIsTerminal: false, columns: nil)

  /// As when a person types.
  package static func interactive(columns: Int = 80) -> Terminal {
    Terminal(inputIsTerminal: true, outputIsTerminal: true, errorIsTerminal: true, columns: columns)
  }
}

/// Where unexpected effects are reported: at the line of the test that made the world.
package struct Effects: Sendable {
  let sourceLocation: SourceLocation

  /// Fails the test.
  func unexpected(_ what: String) {
    Issue.record(Comment(rawValue: what), sourceLocation: sourceLocation)
  }
}
