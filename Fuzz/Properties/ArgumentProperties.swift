import Arguments
import CommandContext
import Commands
import HTTP
import Time
import World

/// A command line, run without files, network or terminal, ends with a documented exit code. It writes nothing to
/// standard error that a terminal would interpret, and behaves the same when repeated.
///
/// The arguments are separated by NUL, as for `xargs -0`.
enum ArgumentProperties {
  static func problem(in bytes: [UInt8]) -> String? {
    let words = bytes.split(separator: 0, omittingEmptySubsequences: false).map { Word(bytes: $0) }
    let (first, second) = (run(words), run(words))
    guard first == second else { return "the second run has a different result" }
    guard first.code == .usage || first.code == .success || !first.errors.isEmpty else {
      return "it fails without an error message"
    }
    guard first.code != .usage || first.output.isEmpty else { return "a usage error prints a result" }
    for scalar in String(decoding: first.errors, as: UTF8.self).unicodeScalars where scalar != "\n" {
      if scalar.value < 0x20 || (0x7f..<0xa0).contains(scalar.value) {
        return "standard error contains a control character"
      }
    }
    return nil
  }

  private struct Ending: Equatable {
    var code: ExitCode
    var output: [UInt8]
    var errors: [UInt8]
  }

  private static func run(_ words: [Word]) -> Ending {
    let (output, errors, nothing) = (KeptBytes(), KeptBytes(), NothingThere())
    let world = World(
      environment: [:], clock: nothing, input: nothing, output: output, errors: errors,
      terminal: Terminal(inputIsTerminal: false, outputIsTerminal: false, errorIsTerminal: false, columns: nil),
      files: nothing, random: nothing, processes: nothing, interruption: nothing)
    let code = Program.run(words, world: world) { _ in OfflineTransport() }
    return Ending(code: code, output: output.bytes, errors: errors.bytes)
  }
}

private final class KeptBytes: ByteSink {
  private(set) var bytes: [UInt8] = []
  func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) { self.bytes += bytes }
}

/// A world in which time does not advance, and nothing can be found, created or run.
private final class NothingThere: Clock, Input, Files, RandomBytes, Processes, Interruption {
  private func failure(_ call: String) -> SystemError { SystemError(number: 2, call: call) }

  func now() -> Timestamp { Timestamp(milliseconds: 1_800_000_000_000) }
  func monotonic() -> Duration { .zero }
  func sleep(for duration: Duration) {}
  func readAll(limit: Int) throws(InputError) -> [UInt8] { [] }
  func readSome() throws(InputError) -> [UInt8] { [] }
  func readLine() throws(InputError) -> String? { nil }
  func readSecret() throws(InputError) -> String? { nil }
  func discardTypeAhead() {}
  func wait(for descriptor: Int32, expectsInput: Bool, atMost limit: Duration) throws(InputError) -> WakeReason {
    throw .interrupted
  }
  func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8] { throw failure("read") }
  func readRegular(_ path: String, limit: Int) throws(SystemError) -> [UInt8] { throw failure("read") }
  func read(_ path: String, each body: ([UInt8]) throws -> Void) throws { throw failure("read") }
  func reader(_ path: String) throws(SystemError) -> any FileReader { throw failure("open") }
  func scratchFile(in folder: String) throws(SystemError) -> any ScratchFile { throw failure("open") }
  func replace(_ path: String, mode: UInt32, writing body: FileWriting) throws(SystemError) { throw failure("write") }
  func append(_ bytes: [UInt8], to path: String) throws(SystemError) { throw failure("write") }
  func makeFolder(_ path: String) throws(SystemError) { throw failure("mkdir") }
  func makeNewFolder(_ path: String) throws(SystemError) { throw failure("mkdir") }
  func removeFolder(_ path: String) throws(SystemError) { throw failure("rmdir") }
  func resolved(_ path: String) throws(SystemError) -> String { throw failure("lstat") }
  func facts(_ path: String) throws(SystemError) -> FileFacts { throw failure("lstat") }
  func remove(_ path: String) throws(SystemError) { throw failure("unlink") }
  func names(in folder: String) throws(SystemError) -> [String] { throw failure("opendir") }
  func stamp(_ path: String) throws(SystemError) -> FileStamp { throw failure("lstat") }
  func exchange(_ folder: String, with other: String) throws(SystemError) -> Bool { throw failure("rename") }
  func locked<T>(_ path: String, after notice: LockNotice?, _ body: () throws -> T) throws -> T {
    throw failure("flock")
  }
  func lockedAtOnce<T>(_ path: String, _ body: () throws -> T) throws -> T? { throw failure("flock") }
  var id: Int32 { 1 }
  func bytes(_ count: Int) -> [UInt8] { Array(repeating: 7, count: count) }
  func run(_ arguments: [String], input: [UInt8], limit: Duration) throws(SystemError) -> ProcessResult {
    throw failure("run")
  }
  func openBrowser(_ url: String, with command: String?) throws(SystemError) { throw failure("open") }
  func startAgain(_ arguments: [String]) throws(SystemError) { throw failure("open") }
  var isInterrupted: Bool { false }
  var descriptor: Int32 { -1 }
}
