internal import CSystem

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
  import MachO
#endif

/// Other programs, and this process itself.
package protocol Processes: AnyObject {
  /// The process id of this program.
  var id: Int32 { get }
  /// The reason why ``run(_:input:limit:)`` would not find a program; nil if it would.
  func problem(finding program: String) -> SystemError?
  /// Runs a program found on PATH, never through a shell, and waits for it.
  /// - Parameters:
  ///   - limit: The timeout, after which the program gets SIGTERM, then SIGKILL.
  ///   - variables: The environment variables of this program that are visible to it.
  func run(
    _ arguments: [String], input: [UInt8], limit: Duration, seeing variables: EnvironmentFilter
  ) throws(SystemError) -> ProcessResult
  /// Runs a program that uses the terminal, such as for a passphrase, and waits for it. Its stdout goes to stderr.
  /// - Parameter environment: All its variables, as `NAME=value`.
  /// - Returns: The exit status, or 128 + the signal number.
  func runAtTerminal(_ arguments: [String], environment: [String]) throws(SystemError) -> Int32
  /// Starts a program that exchanges messages with this one while it runs. None of its descendants outlives it.
  func start(_ start: ProgramStart) throws(SystemError) -> any RunningProgram
  /// Waits until one of several programs may have an event, at most for `limit`.
  func wait(for programs: [any RunningProgram], atMost limit: Duration)
  /// Starts a browser and leaves it running.
  /// - Parameter command: The browser command, in the format of `BROWSER`; nil for the user's default.
  /// - Throws: ``SystemError`` if no command starts, or if every command fails immediately.
  func openBrowser(_ url: String, with command: String?) throws(SystemError)
  /// Starts another instance of this program in the background: detached from the terminal, without open files of
  /// this process, and with its output discarded.
  /// - Parameter arguments: The arguments without the program name.
  func startAgain(_ arguments: [String]) throws(SystemError)
  /// Starts another instance of this program in the background: detached from the terminal, without open files of
  /// this process, with its stdout discarded, and with its stderr in a new file that only the user can read.
  /// - Throws: ``SystemError``: `EEXIST` if the file exists.
  func startAgain(_ arguments: [String], log: String) throws(SystemError) -> any BackgroundProgram
  /// Interrupts this program, as SIGTERM from another program does.
  func interruptThisProgram()
  /// Whether the system enforces a ``Confinement``.
  var confines: Bool { get }
  /// The path of this process's executable; nil if the system does not provide it.
  var program: String? { get }
  /// Replaces this process with another program, which keeps the terminal, standard streams, signals and process id.
  /// Its exit status becomes this process's. Returns only by throwing, except in a test double.
  func become(_ program: ReplacementProgram) throws(SystemError)
}

extension Processes {
  /// Runs a program with the variables that every program needs.
  package func run(_ arguments: [String], input: [UInt8], limit: Duration) throws(SystemError) -> ProcessResult {
    try run(arguments, input: input, limit: limit, seeing: .basic)
  }

  /// Runs a program that prints a secret, such as a password manager. It may wait for its user for 30 s. It sees no variable
  /// of this program, and its stderr is this program's.
  package func run(forSecret arguments: [String]) throws(SystemError) -> ProcessResult {
    try run(arguments, input: [], limit: .seconds(30), seeing: .others)
  }

  /// Starts the user's browser and leaves it running.
  package func openBrowser(_ url: String) throws(SystemError) { try openBrowser(url, with: nil) }
}

/// The defaults for implementations that start no programs: a replay, and doubles in tests.
extension Processes {
  package var confines: Bool { false }
  package var program: String? { nil }
  package func interruptThisProgram() {}
  package func problem(finding program: String) -> SystemError? { nil }
  package func wait(for programs: [any RunningProgram], atMost limit: Duration) {}

  package func runAtTerminal(_ arguments: [String], environment: [String]) throws(SystemError) -> Int32 {
    throw SystemError(number: ENOSYS, call: arguments.first ?? "")
  }

  package func start(_ start: ProgramStart) throws(SystemError) -> any RunningProgram {
    throw SystemError(number: ENOSYS, call: start.path)
  }

  package func startAgain(_ arguments: [String], log: String) throws(SystemError) -> any BackgroundProgram {
    throw SystemError(number: ENOSYS, call: "start this program again")
  }

  package func become(_ program: ReplacementProgram) throws(SystemError) {
    throw SystemError(number: ENOSYS, call: "start \(program.path)")
  }
}

/// The result of a program that has ended.
package struct ProcessResult: Sendable, Equatable {
  /// The exit status, or 128 + the signal number.
  package var status: Int32
  package var output: [UInt8]
  package init(status: Int32, output: [UInt8]) { (self.status, self.output) = (status, output) }
}

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
  /// The processor time, in seconds.
  package var seconds: UInt
  package init(fileSize: UInt, memory: UInt, seconds: UInt) {
    (self.fileSize, self.memory, self.seconds) = (fileSize, memory, seconds)
  }
}

/// An instance of this program in the background, which goes on after this one has ended.
package protocol BackgroundProgram: AnyObject {
  var id: Int32 { get }
  /// The exit status, or 128 + the signal number; nil while the program runs.
  var status: Int32? { get }
  /// Ends the program: SIGTERM, and SIGKILL if it does not end.
  func end()
}

/// A running program whose three standard streams are connected to this program.
package protocol RunningProgram: AnyObject {
  /// Sends bytes to the program's stdin. Bytes the program has not read when it ends are lost.
  func send(_ bytes: [UInt8])
  /// Closes the program's stdin after the bytes already sent have been read.
  func closeInput()
  /// Whether some of the bytes sent have not been passed to the program, because it has not read those before them.
  var hasUnsentInput: Bool { get }
  /// Waits for the next event. Each event is reported once; after ``ProgramEvent/ended(status:)`` only that event is
  /// reported.
  /// - Parameter noticesInterruption: Whether Ctrl-C ends the wait.
  func next(atMost limit: Duration, noticesInterruption: Bool) throws(SystemError) -> ProgramEvent
  /// Whether any descendants were still running when the program exited by itself.
  var leftBehind: Bool { get }
  /// Ends the program and all of its descendants: SIGTERM, at most `grace`, then SIGKILL.
  func end(grace: Duration)
}

extension RunningProgram {
  /// The default for doubles in tests, which take any number of bytes.
  package var hasUnsentInput: Bool { false }
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

/// The search for programs in the folders of PATH, as the system makes it.
package struct ProgramSearch {
  /// The folders, in order.
  package let folders: [String]
  private let files: any Files

  /// - Parameters:
  ///   - path: The value of PATH; nil for the system's default.
  ///   - skipsRelative: Whether to skip relative folders, so that no file of the working folder is found.
  package init(_ path: String?, in files: any Files, skipsRelative: Bool) {
    self.files = files
    folders = (path ?? "/bin:/usr/bin").utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "." : String(Substring($0)) }
      .filter { !skipsRelative || $0.hasPrefix("/") }
  }

  /// Returns the path of a program; nil if there is none. A name with a slash is a path, which is not searched.
  package func find(_ name: String) -> String? { candidates(name).first { problem(with: $0) == nil } }

  /// The reason why a program is not found; nil if it is found. A file that cannot be executed is a better reason than
  /// a missing file.
  package func problem(finding name: String) -> SystemError? {
    let problems = candidates(name).map { problem(with: $0) }
    guard problems.allSatisfy({ $0 != nil }) else { return nil }
    return problems.compactMap { $0 }.first { $0.number != ENOENT } ?? SystemError(number: ENOENT, call: name)
  }

  private func candidates(_ name: String) -> [String] {
    name.utf8.contains(UInt8(ascii: "/")) ? [name] : folders.map { "\($0)/\(name)" }
  }

  /// The reason why a file cannot be executed; nil if it can.
  package func problem(with path: String) -> SystemError? {
    do throws(SystemError) {
      let status = try files.status(try files.resolved(path))
      guard status.kind == .file, status.mode & 0o111 != 0 else { throw SystemError(number: EACCES, call: path) }
      return nil
    } catch {
      return error
    }
  }
}

/// The executable file of this process.
enum CurrentExecutable {
  /// The path of the executable with symbolic links resolved; nil if the system does not provide it.
  static var file: String? {
    guard let path, let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// A path for executing this program again; nil if the system does not provide it. On Linux it refers to the
  /// running program even if its file has been replaced since.
  static var path: String? {
    #if canImport(Glibc)
      // The child resolves this path while it still runs the parent's executable.
      return access("/proc/self/exe", X_OK) == 0 ? "/proc/self/exe" : nil
    #else
      var size = UInt32(0)
      _NSGetExecutablePath(nil, &size)
      var path = [CChar](repeating: 0, count: Int(size))
      guard _NSGetExecutablePath(&path, &size) == 0 else { return nil }
      return String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    #endif
  }
}

/// The program's arguments as bytes, because they may not be valid UTF-8.
package enum ProcessArguments {
  /// Returns all arguments, including the program name if the system provides it.
  package static func raw() -> [[UInt8]] {
    (0..<Int(CommandLine.argc)).compactMap { CommandLine.unsafeArgv[$0] }
      .map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
  }
}

/// The memory of this process, which may contain secrets.
package enum ProcessMemory {
  /// Prevents core dumps. On Linux, other processes of the same user can no longer read the memory either. Programs
  /// that this one starts are not affected.
  package static func hide() { secret_memory_hide() }
}

/// The line on stderr that a crash leaves, because a core dump would contain secrets.
package enum CrashReport {
  /// Prints the line from now on, with the program's name and version. `script/symbolize` reads it.
  package static func install(program: String) { crash_report_install(program) }
}
