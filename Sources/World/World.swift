package import Time

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
  package enum Stream: Sendable { case output, errors }
  /// The current size of the terminal behind a stream, which can change at any time; nil if the stream is not a
  /// terminal.
  package var screenSize: (Stream) -> ScreenSize? = { _ in nil }
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
  /// Resolves a path from the user against the working folder.
  package func path(_ name: String) -> String {
    name.hasPrefix("/") || workingFolder == "." ? name : "\(workingFolder)/\(name)"
  }
}

/// Wall-clock time for display and records, and monotonic time for deadlines.
package protocol Clock: Sendable {
  func now() -> Timestamp
  /// The time since an arbitrary start, in nanoseconds. It never goes back.
  func monotonic() -> Duration
  /// Sleeps for the duration, or until an interrupt.
  func sleep(for duration: Duration)
}

/// A destination for bytes: stdout or stderr.
package protocol ByteSink: AnyObject {
  /// Writes all bytes.
  /// - Throws: ``SystemError``: `EPIPE` if the reader has closed the stream.
  func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError)
  /// Whether the reader is known to have closed the stream, so that a write would fail.
  var isAbandoned: Bool { get }
}

extension ByteSink {
  package var isAbandoned: Bool { false }
}

/// Standard input.
package protocol Input: AnyObject {
  /// Reads everything to the end, at most `limit` bytes.
  func readAll(limit: Int) throws(InputError) -> [UInt8]
  /// Returns bytes as soon as any arrive; empty at the end of input.
  func readSome() throws(InputError) -> [UInt8]
  /// Reads one line without its line ending; nil at the end of input.
  func readLine() throws(InputError) -> String?
  /// Reads one line from the terminal without echo. The echo is restored in all cases.
  func readSecret() throws(InputError) -> String?
  /// Waits for the first of several events.
  /// - Parameters:
  ///   - descriptor: The descriptor of a ``Mailbox`` whose messages end the wait; -1 for none.
  ///   - expectsInput: Whether input, or the end of input, ends the wait.
  /// - Throws: ``InputError/interrupted``.
  func wait(for descriptor: Int32, expectsInput: Bool, atMost limit: Duration) throws(InputError) -> WakeReason
  /// Discards type-ahead at a terminal, so that it cannot respond to a prompt that was not yet shown. Has no effect
  /// on a pipe.
  func discardTypeAhead()
}

/// The event that ended a wait.
package enum WakeReason: Sendable, Equatable { case letter, input, timeUp }

package enum InputError: Error, Equatable {
  case interrupted
  case tooLong(limit: Int)
  case notUTF8
  case system(SystemError)
}

/// The terminal state of the standard streams.
package struct Terminal: Sendable, Equatable {
  package var inputIsTerminal: Bool
  package var outputIsTerminal: Bool
  package var errorIsTerminal: Bool
  /// The width of the output terminal in columns; nil if stdout is not a terminal.
  package var columns: Int?
  package init(inputIsTerminal: Bool, outputIsTerminal: Bool, errorIsTerminal: Bool, columns: Int?) {
    self.inputIsTerminal = inputIsTerminal
    self.outputIsTerminal = outputIsTerminal
    self.errorIsTerminal = errorIsTerminal
    self.columns = columns
  }
}

/// The size of a terminal in characters. Each dimension is at least 1.
package struct ScreenSize: Sendable, Equatable {
  package var columns: Int
  package var rows: Int
  package init(columns: Int, rows: Int) { (self.columns, self.rows) = (columns, rows) }
}

/// A failed system call.
package struct SystemError: Error, Equatable, CustomStringConvertible {
  package let number: Int32
  package let call: String
  /// The exit status of a program that started and failed; nil for a failed system call.
  package private(set) var exitStatus: Int32?
  package init(number: Int32, call: String) { (self.number, self.call) = (number, call) }
  /// - Parameter exitStatus: A nonzero exit status; 128 + the signal number for a program ended by a signal.
  package init(exitStatus: Int32, of program: String) {
    (number, call, self.exitStatus) = (0, program, exitStatus)
  }
  /// The number for a file that is neither regular nor a link to a regular file. No system call uses it.
  package static let notRegular: Int32 = -1
  package var isNotRegular: Bool { number == Self.notRegular }
  /// The system call or program, with the system's message for the number or the exit status.
  package var description: String {
    exitStatus.map { "\(call): exit status \($0)" } ?? "\(call): \(SystemError.message(for: number))"
  }
}

/// The file system for the program's own reads and writes. SQLite opens its files itself.
package protocol Files: AnyObject {
  func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8]
  /// Reads a file that the user did not name in this run. Unlike ``read(_:limit:)``, it never waits for a pipe or
  /// device.
  /// - Throws: ``SystemError/isNotRegular`` for anything but a regular file.
  func readRegular(_ path: String, limit: Int) throws(SystemError) -> [UInt8]
  /// Calls `body` with each piece of the file as soon as it is available, without buffering the whole file.
  /// - Throws: ``SystemError``, with `EINTR` once interrupted; also rethrows the errors of `body`.
  func read(_ path: String, each body: ([UInt8]) throws -> Void) throws
  /// Writes a temporary file next to the old one, syncs it and renames it into place. `mode` is as in chmod.
  func replace(_ path: String, with bytes: [UInt8], mode: UInt32) throws(SystemError)
  /// Appends to a regular file, which is created if it does not exist.
  func append(_ bytes: [UInt8], to path: String) throws(SystemError)
  /// Creates the folder and its missing parents, each with mode 0700.
  func makeFolder(_ path: String) throws(SystemError)
  /// Creates a folder with mode 0700 that does not exist or is empty. Missing parents are created as in
  /// ``makeFolder(_:)``.
  func makeNewFolder(_ path: String) throws(SystemError)
  /// Removes a folder and its contents. Links are removed, not followed.
  func removeFolder(_ path: String) throws(SystemError)
  func facts(_ path: String) throws(SystemError) -> FileFacts
  func remove(_ path: String) throws(SystemError)
  /// Returns the names in a folder, in byte order.
  func names(in folder: String) throws(SystemError) -> [String]
  /// Returns metadata that distinguishes the file from any other file, and from itself after a change.
  func stamp(_ path: String) throws(SystemError) -> FileStamp
  /// Moves a folder to another path. If that path already has a folder, the two are swapped, atomically if the system
  /// supports it.
  /// - Returns: Whether there was another folder.
  func exchange(_ folder: String, with other: String) throws(SystemError) -> Bool
  /// Runs `body` while holding an exclusive lock on `path`, which is created with mode 0600.
  /// - Parameter notice: An action for when another process holds the lock for too long.
  func locked<T>(_ path: String, after notice: LockNotice?, _ body: () throws -> T) throws -> T
  /// Like `locked`, but returns nil immediately if another process holds the lock.
  func lockedAtOnce<T>(_ path: String, _ body: () throws -> T) throws -> T?
  /// Acquires the same lock until it is released or the process ends. Returns nil immediately if another holder has
  /// it.
  func lock(_ path: String) throws(SystemError) -> (any FileLock)?
}

/// An action that runs once if waiting for a lock takes too long.
package struct LockNotice {
  package var delay: Duration
  package var give: () -> Void
  package init(after delay: Duration, _ give: @escaping () -> Void) { (self.delay, self.give) = (delay, give) }
}

extension Files {
  /// Runs `body` while holding the lock, without a notice.
  package func locked<T>(_ path: String, _ body: () throws -> T) throws -> T { try locked(path, after: nil, body) }
}

/// The results of `lstat` that matter for trust.
package struct FileFacts: Sendable, Equatable {
  package enum Kind: Sendable { case file, folder, link, other }
  package var kind: Kind
  /// The permission bits, such as `0o600`.
  package var mode: UInt32
  package var isOwn: Bool
  package var size: Int
  package init(kind: Kind, mode: UInt32, isOwn: Bool, size: Int) {
    (self.kind, self.mode, self.isOwn, self.size) = (kind, mode, isOwn, size)
  }
}

package protocol RandomBytes: Sendable {
  /// Returns cryptographically secure random bytes, suitable for keys and nonces.
  func bytes(_ count: Int) -> [UInt8]
}

package protocol Processes: AnyObject {
  /// The process id of this program.
  var id: Int32 { get }
  /// Runs a program found on PATH, never through a shell, and waits for it. Its environment is
  /// ``EnvironmentFilter/basic``.
  /// - Parameter limit: The timeout, after which the program gets SIGTERM, then SIGKILL.
  func run(_ arguments: [String], input: [UInt8], limit: Duration) throws(SystemError) -> ProcessResult
  /// Runs a program with the given variables.
  func run(
    _ arguments: [String], input: [UInt8], limit: Duration, seeing variables: EnvironmentFilter
  ) throws(SystemError) -> ProcessResult
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
  /// The path of this process's executable; nil if the system does not provide it.
  var program: String? { get }
  /// Replaces this process with another program, which keeps the terminal, standard streams, signals and process id.
  /// Its exit status becomes this process's. Returns only by throwing, except in a test double.
  func become(_ program: ReplacementProgram) throws(SystemError)
}

extension Processes {
  package func run(
    _ arguments: [String], input: [UInt8], limit: Duration, seeing variables: EnvironmentFilter
  ) throws(SystemError) -> ProcessResult {
    try run(arguments, input: input, limit: limit)
  }

  package func wait(for programs: [any RunningProgram], atMost limit: Duration) {}

  /// Starts the user's browser and leaves it running.
  package func openBrowser(_ url: String) throws(SystemError) { try openBrowser(url, with: nil) }
}

package struct ProcessResult: Sendable, Equatable {
  /// The exit status, or 128 + the signal number.
  package var status: Int32
  package var output: [UInt8]
  package init(status: Int32, output: [UInt8]) { (self.status, self.output) = (status, output) }
}

/// Notices Ctrl-C (SIGINT), SIGTERM and SIGHUP.
package protocol Interruption: AnyObject, Sendable {
  var isInterrupted: Bool { get }
  /// The descriptor that is readable once interrupted; -1 if there is none.
  var descriptor: Int32 { get }
}
