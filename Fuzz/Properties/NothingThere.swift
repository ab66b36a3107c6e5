import World

/// A world in which time does not advance, and nothing can be found, created or run.
final class NothingThere: Clock, Input, Files, RandomBytes, Processes, Interruption {
  private func failure(_ call: String) -> SystemError { SystemError(number: 2, call: call) }

  func now() -> Timestamp { Timestamp(milliseconds: 1_800_000_000_000) }
  func monotonic() -> Duration { .zero }
  func sleep(for duration: Duration) {}
  func readAll(limit: Int) throws(InputError) -> [UInt8] { [] }
  func readSome() throws(InputError) -> [UInt8] { [] }
  func readLine() throws(InputError) -> String? { nil }
  func readSecret(prompt: () -> Void) throws(InputError) -> String? { nil }
  func discardTypeAhead() {}
  func wait(for descriptor: Int32, expectsInput: Bool, atMost limit: Duration) throws(InputError) -> WakeReason {
    throw .interrupted
  }
  func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8] { throw failure("read") }
  func readRegular(_ path: String, limit: Int) throws(SystemError) -> [UInt8] { throw failure("read") }
  func reader(_ path: String) throws(SystemError) -> FileReader { throw failure("open") }
  func scratchFile(in folder: String) throws(SystemError) -> ScratchFile { throw failure("open") }
  func replace(_ path: String, mode: UInt32, writing body: FileWriting) throws(SystemError) { throw failure("write") }
  func append(_ bytes: [UInt8], to path: String) throws(SystemError) { throw failure("write") }
  func makeFolder(_ path: String) throws(SystemError) { throw failure("mkdir") }
  func makeNewFolder(_ path: String) throws(SystemError) { throw failure("mkdir") }
  func removeFolder(_ path: String) throws(SystemError) { throw failure("rmdir") }
  func resolved(_ path: String) throws(SystemError) -> String { throw failure("lstat") }
  func status(_ path: String) throws(SystemError) -> FileStatus { throw failure("lstat") }
  func remove(_ path: String) throws(SystemError) { throw failure("unlink") }
  func names(in folder: String) throws(SystemError) -> [String] { throw failure("opendir") }
  func exchange(_ folder: String, with other: String) throws(SystemError) -> Bool { throw failure("rename") }
  func locked<T>(_ path: String, after notice: LockNotice?, _ body: () throws -> T) throws -> T {
    throw failure("flock")
  }
  func lockedAtOnce<T>(_ path: String, _ body: () throws -> T) throws -> T? { throw failure("flock") }
  func lock(_ path: String) throws(SystemError) -> FileLock? { throw failure("flock") }
  func sharedLock(_ path: String) throws(SystemError) -> FileLock? { throw failure("flock") }
  var id: Int32 { 1 }
  func bytes(_ count: Int) -> [UInt8] { Array(repeating: 7, count: count) }
  func run(_ arguments: [String], input: [UInt8], limit: Duration, seeing variables: EnvironmentFilter)
    throws(SystemError) -> ProcessResult
  {
    throw failure("run")
  }
  func openBrowser(_ url: String, with command: String?) throws(SystemError) { throw failure("open") }
  func startAgain(_ arguments: [String]) throws(SystemError) { throw failure("open") }
  var isInterrupted: Bool { false }
  var descriptor: Int32 { -1 }
}
