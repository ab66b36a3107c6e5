package import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Starts nothing: records what would be started, and answers as the test says.
package final class TestProcesses: Processes {
  package struct Run: Equatable {
    package let arguments: [String]
    package let input: [UInt8]
    package let limit: Duration
    /// What it would see of the environment.
    package let variables: EnvironmentFilter
  }

  package let id: Int32 = 4242
  /// Every program run so far.
  package private(set) var runs: [Run] = []
  /// Every page shown so far.
  package private(set) var pages: [String] = []
  /// What was named to open each of them with.
  package private(set) var browserCommands: [String?] = []
  /// Set to let pages be shown; a failure is thrown.
  package var browser: Result<Void, SystemError>?
  /// How this program was started once more, so far.
  package private(set) var startedAgain: [[String]] = []
  /// Set to let it be; a failure is thrown.
  package var again: Result<Void, SystemError>?
  /// The file that this process was started from.
  package var program: String?
  /// What this process became.
  package private(set) var became: ReplacementProgram?
  /// Set to let it become another; a failure is thrown.
  package var becoming: Result<Void, SystemError>?
  /// Set to let programs be started and talked with.
  package var talks: ((ProgramStart) throws(SystemError) -> any RunningProgram)?
  /// Every program started so.
  package private(set) var starts: [ProgramStart] = []
  private let programs: (([String], [UInt8]) throws(SystemError) -> ProcessResult)?
  private let effects: Effects

  init(_ programs: (([String], [UInt8]) throws(SystemError) -> ProcessResult)?, _ effects: Effects) {
    (self.programs, self.effects) = (programs, effects)
  }

  package func run(_ arguments: [String], input: [UInt8], limit: Duration) throws(SystemError) -> ProcessResult {
    try run(arguments, input: input, limit: limit, seeing: .basic)
  }

  package func run(
    _ arguments: [String], input: [UInt8], limit: Duration, seeing variables: EnvironmentFilter
  ) throws(SystemError) -> ProcessResult {
    runs.append(Run(arguments: arguments, input: input, limit: limit, variables: variables))
    guard let programs else {
      effects.unexpected("\(arguments) was run, but the test gave no programs")
      return ProcessResult(status: 127, output: [])
    }
    return try programs(arguments, input)
  }

  package func start(_ start: ProgramStart) throws(SystemError) -> any RunningProgram {
    starts.append(start)
    guard let talks else {
      effects.unexpected("\(start.path) was started, but the test gave no program to talk with")
      throw SystemError(number: ENOENT, call: start.path)
    }
    return try talks(start)
  }

  /// Takes no time where one of them has something to say.
  package func wait(for programs: [any RunningProgram], atMost limit: Duration) {
    let scripted = programs.compactMap { $0 as? ScriptedProgram }
    if !scripted.contains(where: \.hasEvents) { scripted.first?.pass(limit) }
  }

  package func openBrowser(_ url: String, with command: String?) throws(SystemError) {
    pages.append(url)
    browserCommands.append(command)
    guard let browser else { return effects.unexpected("a browser was opened at \(url), but the test gave none") }
    try browser.get()
  }

  package func become(_ program: ReplacementProgram) throws(SystemError) {
    became = program
    guard let becoming else { return effects.unexpected("the program became \(program.path)") }
    try becoming.get()
  }

  package func startAgain(_ arguments: [String]) throws(SystemError) {
    startedAgain.append(arguments)
    guard let again else { return effects.unexpected("the program was started again with \(arguments)") }
    try again.get()
  }
}
