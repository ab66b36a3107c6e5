package import Time

/// Everything outside the program: clock, terminal, files, processes, randomness. Each part is replaced in
/// tests, so that a command runs there exactly as it runs for a user.
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
  /// The size now of the terminal that a stream is, which may change at any time; nil where there is none.
  package var screenSize: (Stream) -> ScreenSize? = { _ in nil }
  /// The folder that relative names start from.
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
  /// A name that a user gave, from the folder that relative names start from.
  package func path(_ name: String) -> String {
    name.hasPrefix("/") || workingFolder == "." ? name : "\(workingFolder)/\(name)"
  }
}

/// Wall time for people and records, monotonic time for deadlines.
package protocol Clock: Sendable {
  func now() -> Timestamp
  /// Nanoseconds from an arbitrary start, never set back.
  func monotonic() -> Duration
  /// Waits, but no longer than until an interruption.
  func sleep(for duration: Duration)
}

/// A place for bytes: standard output or standard error.
package protocol ByteSink: AnyObject {
  /// Writes all of it.
  /// - Throws: ``SystemError``; `EPIPE` when the reader is gone.
  func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError)
  /// Whether the reader is known to be gone, so that a write would fail.
  var isAbandoned: Bool { get }
}

extension ByteSink {
  package var isAbandoned: Bool { false }
}

/// Standard input.
package protocol Input: AnyObject {
  /// Everything up to the end, at most `limit` bytes.
  func readAll(limit: Int) throws(InputError) -> [UInt8]
  /// What comes next, as soon as anything does; empty at the end of input.
  func readSome() throws(InputError) -> [UInt8]
  /// One line without its end; nil at the end of input.
  func readLine() throws(InputError) -> String?
  /// One line typed on the terminal without echo, which is restored however this ends.
  func readSecret() throws(InputError) -> String?
  /// Waits for whichever comes first.
  /// - Parameters:
  ///   - descriptor: of a ``Mailbox``, whose letters end the wait; -1 for none.
  ///   - expectsInput: whether input, and its end, does.
  /// - Throws: ``InputError/interrupted``.
  func wait(for descriptor: Int32, expectsInput: Bool, atMost limit: Duration) throws(InputError) -> WakeReason
  /// Discards what was typed ahead at a terminal, so that it cannot answer a prompt that was not yet shown. A pipe keeps its
  /// contents.
  func discardTypeAhead()
}

/// What ended a wait for several things at once.
package enum WakeReason: Sendable, Equatable { case letter, input, timeUp }

package enum InputError: Error, Equatable {
  case interrupted
  case tooLong(limit: Int)
  case notUTF8
  case system(SystemError)
}

/// What is known of the terminal that the standard streams may be.
package struct Terminal: Sendable, Equatable {
  package var inputIsTerminal: Bool
  package var outputIsTerminal: Bool
  package var errorIsTerminal: Bool
  /// Columns of the output terminal; nil where there is none.
  package var columns: Int?
  package init(inputIsTerminal: Bool, outputIsTerminal: Bool, errorIsTerminal: Bool, columns: Int?) {
    self.inputIsTerminal = inputIsTerminal
    self.outputIsTerminal = outputIsTerminal
    self.errorIsTerminal = errorIsTerminal
    self.columns = columns
  }
}

/// In characters, each at least one.
package struct ScreenSize: Sendable, Equatable {
  package var columns: Int
  package var rows: Int
  package init(columns: Int, rows: Int) { (self.columns, self.rows) = (columns, rows) }
}

/// A failed system call.
package struct SystemError: Error, Equatable, CustomStringConvertible {
  package let number: Int32
  package let call: String
  /// Of a program that started and failed; nil for a failure of the system.
  package private(set) var exitStatus: Int32?
  package init(number: Int32, call: String) { (self.number, self.call) = (number, call) }
  /// - Parameter exitStatus: not 0; 128 + the signal's number for a program that a signal ended.
  package init(exitStatus: Int32, of program: String) {
    (number, call, self.exitStatus) = (0, program, exitStatus)
  }
  /// The number of a file that is neither regular nor a link to one; no system call uses it.
  package static let notRegular: Int32 = -1
  package var isNotRegular: Bool { number == Self.notRegular }
  /// The system's own words for the number.
  package var description: String {
    exitStatus.map { "\(call): exit status \($0)" } ?? "\(call): \(SystemError.message(for: number))"
  }
}

/// The file system, as far as the program itself reads and writes files (SQLite opens its own).
package protocol Files: AnyObject {
  func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8]
  /// Reads a file that the user did not name for this run: unlike ``read(_:limit:)``, it never waits for a pipe or device.
  /// - Throws: ``SystemError/isNotRegular`` for anything but a regular file.
  func readRegular(_ path: String, limit: Int) throws(SystemError) -> [UInt8]
  /// Calls `body` with one piece after another, as soon as there is one, and keeps none.
  /// - Throws: ``SystemError``, `EINTR` once interrupted, and what `body` throws.
  func read(_ path: String, each body: ([UInt8]) throws -> Void) throws
  /// Writes a new file beside the old one, synchronises it and renames it into place; `mode` as in chmod.
  func replace(_ path: String, with bytes: [UInt8], mode: UInt32) throws(SystemError)
  /// Adds to the end of a regular file, which is made if it is not there.
  func append(_ bytes: [UInt8], to path: String) throws(SystemError)
  /// Makes the folder and those above it, each with mode 0700.
  func makeFolder(_ path: String) throws(SystemError)
  /// Makes a folder with mode 0700 that was not there, or was there and empty; those above it as ``makeFolder(_:)`` does.
  func makeNewFolder(_ path: String) throws(SystemError)
  /// Removes a folder and everything in it. Links are removed and not followed.
  func removeFolder(_ path: String) throws(SystemError)
  func facts(_ path: String) throws(SystemError) -> FileFacts
  func remove(_ path: String) throws(SystemError)
  /// The names in a folder, sorted by their bytes.
  func names(in folder: String) throws(SystemError) -> [String]
  /// What tells this file from any other and from itself after a change.
  func stamp(_ path: String) throws(SystemError) -> FileStamp
  /// Puts a folder where another may be, which is then where the first was: at once where the system can.
  /// - Returns: whether there was another.
  func exchange(_ folder: String, with other: String) throws(SystemError) -> Bool
  /// Runs `body` while holding an exclusive lock on `path`, which is made with mode 0600.
  /// - Parameter notice: what to do if another process holds the lock for longer.
  func locked<T>(_ path: String, after notice: LockNotice?, _ body: () throws -> T) throws -> T
  /// As `locked`, but nil at once where another process holds the lock.
  func lockedAtOnce<T>(_ path: String, _ body: () throws -> T) throws -> T?
  /// The same lock, held until it is released or the process ends; nil at once where another holder has it.
  func lock(_ path: String) throws(SystemError) -> (any FileLock)?
}

/// Something to do once while a lock is waited for.
package struct LockNotice {
  package var delay: Duration
  package var give: () -> Void
  package init(after delay: Duration, _ give: @escaping () -> Void) { (self.delay, self.give) = (delay, give) }
}

extension Files {
  /// The same without a notice.
  package func locked<T>(_ path: String, _ body: () throws -> T) throws -> T { try locked(path, after: nil, body) }
}

/// What `lstat` says of a file that matters for trust.
package struct FileFacts: Sendable, Equatable {
  package enum Kind: Sendable { case file, folder, link, other }
  package var kind: Kind
  /// Permission bits, `0o600`.
  package var mode: UInt32
  package var isOwn: Bool
  package var size: Int
  package init(kind: Kind, mode: UInt32, isOwn: Bool, size: Int) {
    (self.kind, self.mode, self.isOwn, self.size) = (kind, mode, isOwn, size)
  }
}

package protocol RandomBytes: Sendable {
  /// Bytes fit for keys and nonces.
  func bytes(_ count: Int) -> [UInt8]
}

package protocol Processes: AnyObject {
  /// Of this program itself.
  var id: Int32 { get }
  /// Runs a program found on PATH, never through a shell, and waits. It sees ``EnvironmentFilter/basic``.
  /// - Parameter limit: after which it is ended: SIGTERM, then SIGKILL.
  func run(_ arguments: [String], input: [UInt8], limit: Duration) throws(SystemError) -> ProcessResult
  /// The same with other variables.
  func run(
    _ arguments: [String], input: [UInt8], limit: Duration, seeing variables: EnvironmentFilter
  ) throws(SystemError) -> ProcessResult
  /// Starts a program that is talked with while it runs. None of its descendants outlives it.
  func start(_ start: ProgramStart) throws(SystemError) -> any RunningProgram
  /// Waits until one of several programs may have something to say, or for `limit` if that is shorter.
  func wait(for programs: [any RunningProgram], atMost limit: Duration)
  /// Starts a browser and leaves it running.
  /// - Parameter command: named for it, as `BROWSER` names one; nil for the user's.
  /// - Throws: ``SystemError`` if no command starts, or each fails at once.
  func openBrowser(_ url: String, with command: String?) throws(SystemError)
  /// Starts this program once more and leaves it to itself: away from the terminal, without any file that this one has
  /// open, and with its words going nowhere.
  /// - Parameter arguments: without the program's name.
  func startAgain(_ arguments: [String]) throws(SystemError)
  /// The file that this process was started from; nil where the system does not tell.
  var program: String? { get }
  /// Becomes another program: it has this one's terminal, standard streams, signals and process, and its exit status is
  /// this one's. Returns only by throwing, a test's double apart.
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
  /// The exit status, or 128 + the signal's number.
  package var status: Int32
  package var output: [UInt8]
  package init(status: Int32, output: [UInt8]) { (self.status, self.output) = (status, output) }
}

/// Ctrl-C, SIGTERM and SIGHUP.
package protocol Interruption: AnyObject, Sendable {
  var isInterrupted: Bool { get }
  /// Readable once interrupted; -1 where there is nothing to watch.
  var descriptor: Int32 { get }
}
