package import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A recorder of program starts that starts nothing and returns what the test specifies.
package final class TestProcesses: Processes {
  package struct Run: Equatable {
    package let arguments: [String]
    package let input: [UInt8]
    package let limit: Duration
    /// The part of the environment that the program would receive.
    package let variables: EnvironmentFilter
  }

  package let id: Int32 = 4242
  /// All programs run so far.
  package private(set) var runs: [Run] = []
  /// All pages opened so far.
  package private(set) var pages: [String] = []
  /// The browser command for each page.
  package private(set) var browserCommands: [String?] = []
  /// The result of opening a page; nil if none is expected.
  package var browser: Result<Void, SystemError>?
  /// What the browser does before its command exits.
  package var whileBrowsing: ((String) -> Void)?
  /// The arguments of each restart of this program so far.
  package private(set) var startedAgain: [[String]] = []
  /// The result of a restart; nil if none is expected.
  package var again: Result<Void, SystemError>?
  /// The instance of this program that a restart with a log starts, given the arguments and the path of the log; nil if
  /// none is expected.
  package var background: (([String], String) throws(SystemError) -> any BackgroundProgram)?
  /// The path of this process's executable.
  package var program: String?
  package var confines = false
  /// The program that replaced this process.
  package private(set) var became: ReplacementProgram?
  /// The result of replacing this process; nil if that is not expected.
  package var becoming: Result<Void, SystemError>?
  /// The function that starts programs for communication; nil if none are expected.
  package var startProgram: ((ProgramStart) throws(SystemError) -> any RunningProgram)?
  /// All programs started for communication so far.
  package private(set) var starts: [ProgramStart] = []
  private let programs: (([String], [UInt8]) throws(SystemError) -> ProcessResult)?
  private let effects: Effects

  init(_ programs: (([String], [UInt8]) throws(SystemError) -> ProcessResult)?, _ effects: Effects) {
    (self.programs, self.effects) = (programs, effects)
  }

  /// Tests name programs that do not exist, so only a path with spaces, which may be a whole command line, is looked up.
  package func problem(finding program: String) -> SystemError? {
    guard program.contains("/"), program.contains(" "), access(program, F_OK) != 0 else { return nil }
    return SystemError(number: errno, call: "access")
  }

  package func run(
    _ arguments: [String], input: [UInt8], limit: Duration, seeing variables: EnvironmentFilter
  ) throws(SystemError) -> ProcessResult {
    runs.append(Run(arguments: arguments, input: input, limit: limit, variables: variables))
    guard let programs else {
      effects.unexpected("\(arguments) was run, but the test provides no programs")
      return ProcessResult(status: 127, output: [])
    }
    return try programs(arguments, input)
  }

  package func start(_ start: ProgramStart) throws(SystemError) -> any RunningProgram {
    starts.append(start)
    guard let startProgram else {
      effects.unexpected("\(start.path) was started, but the test provides no program")
      throw SystemError(number: ENOENT, call: start.path)
    }
    return try startProgram(start)
  }

  /// Wait without advancing the clock if a program has events.
  package func wait(for programs: [any RunningProgram], atMost limit: Duration) {
    let scripted = programs.compactMap { $0 as? ScriptedProgram }
    if !scripted.contains(where: \.hasEvents) { scripted.first?.pass(limit) }
  }

  package func openBrowser(_ url: String, with command: String?) throws(SystemError) {
    pages.append(url)
    browserCommands.append(command)
    guard let browser else { return effects.unexpected("a browser was opened at \(url), but the test provides none") }
    whileBrowsing?(url)
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

  package func startAgain(_ arguments: [String], log: String) throws(SystemError) -> any BackgroundProgram {
    startedAgain.append(arguments)
    guard let background else {
      effects.unexpected("the program was started in the background with \(arguments)")
      throw SystemError(number: ENOENT, call: "start this program again")
    }
    return try background(arguments, log)
  }
}
