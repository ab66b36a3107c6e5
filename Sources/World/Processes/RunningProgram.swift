#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The parameters of a program that exchanges messages with this one while it runs.
package struct ProgramStart: Sendable, Equatable {
  /// The path of the executable. PATH is not searched.
  package var path: String
  /// The arguments without the program name.
  package var arguments: [String]
  /// All environment variables, as `NAME=value`. No variable of this program is added.
  package var environment: [String]
  /// The files that it may open; nil for no limit.
  package var confinement: Confinement?
  package var limits: ResourceLimits?
  package init(
    path: String, arguments: [String] = [], environment: [String], confinement: Confinement? = nil,
    limits: ResourceLimits? = nil
  ) {
    (self.path, self.arguments, self.environment) = (path, arguments, environment)
    (self.confinement, self.limits) = (confinement, limits)
  }
}

/// The limits of each process of a program. A process that exceeds one fails or is ended by the system.
package struct ResourceLimits: Sendable, Equatable {
  /// The size of a file that it writes, in bytes.
  package var fileSize: UInt
  /// The address space in bytes.
  package var memory: UInt
  /// The processor time.
  package var seconds: UInt
  package init(fileSize: UInt, memory: UInt, seconds: UInt) {
    (self.fileSize, self.memory, self.seconds) = (fileSize, memory, seconds)
  }
}

/// A running program whose three standard streams are connected to this program.
package protocol RunningProgram: AnyObject {
  /// Sends bytes to the program's stdin. Bytes the program has not read when it ends are lost.
  func send(_ bytes: [UInt8])
  /// Closes the program's stdin after the bytes already sent have been read.
  func closeInput()
  /// Waits for the next event. Each event is reported once; after ``ProgramEvent/ended(status:)`` only that event is
  /// reported.
  /// - Parameter noticesInterruption: Whether Ctrl-C ends the wait.
  func next(atMost limit: Duration, noticesInterruption: Bool) throws(SystemError) -> ProgramEvent
  /// Whether any of its child processes were still running when the program exited by itself.
  var leftBehind: Bool { get }
  /// Ends the program and all of its descendants: SIGTERM, at most `grace`, then SIGKILL.
  func end(grace: Duration)
}

/// An event of a running program.
package enum ProgramEvent: Sendable, Equatable {
  case output([UInt8])
  case errors([UInt8])
  /// The program closed its stdout. It may still be running.
  case outputEnded
  /// The program and all of its descendants have ended. The status is the exit status, or 128 + the signal number.
  case ended(status: Int32)
  case timeUp
  case interrupted
}

extension Processes {
  /// The default for implementations that do not start programs.
  package func start(_ start: ProgramStart) throws(SystemError) -> any RunningProgram {
    throw SystemError(number: ENOSYS, call: start.path)
  }
}
