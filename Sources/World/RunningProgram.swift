#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// How a program is started that is talked with while it runs.
package struct ProgramStart: Sendable, Equatable {
  /// Of the executable file; nothing is looked for on PATH.
  package var path: String
  /// Behind the program's name.
  package var arguments: [String]
  /// All its variables, `NAME=value`: none of this program's besides.
  package var environment: [String]
  package init(path: String, arguments: [String] = [], environment: [String]) {
    (self.path, self.arguments, self.environment) = (path, arguments, environment)
  }
}

/// A program that runs with all three standard streams in this program's hands.
package protocol RunningProgram: AnyObject {
  /// Goes to its standard input as it reads; what it does not read is lost with it.
  func send(_ bytes: [UInt8])
  /// Ends its standard input once what was sent is read.
  func closeInput()
  /// Waits for what comes first. Each thing is told once; after ``ProgramEvent/ended(status:)`` only that comes.
  /// - Parameter noticesInterruption: whether Ctrl-C ends the wait.
  func next(atMost limit: Duration, noticesInterruption: Bool) throws(SystemError) -> ProgramEvent
  /// Whether processes that it had started were still there when it ended by itself.
  var leftBehind: Bool { get }
  /// Ends it and everything that it started: SIGTERM, at most `grace`, SIGKILL.
  func end(grace: Duration)
}

/// What comes from a running program.
package enum ProgramEvent: Sendable, Equatable {
  case output([UInt8])
  case errors([UInt8])
  /// It closed its standard output, and may still run.
  case outputEnded
  /// It is gone, and so is everything that it started; the exit status, or 128 + the signal's number.
  case ended(status: Int32)
  case timeUp
  case interrupted
}

extension Processes {
  /// Where nothing may be started.
  package func start(_ start: ProgramStart) throws(SystemError) -> any RunningProgram {
    throw SystemError(number: ENOSYS, call: start.path)
  }
}
