import Foundation
import Synchronization
import Testing
import World

/// A clock that moves only when something sleeps on it or a test moves it.
final class FakeClock: Clock {
  private let passed = Mutex(Duration.zero)
  let start: Timestamp

  init(start: Timestamp = Timestamp(milliseconds: 1_700_000_000_000)) { self.start = start }

  func now() -> Timestamp { start - (.zero - monotonic()) }
  func monotonic() -> Duration { passed.withLock { $0 } }
  func sleep(for duration: Duration) { passed.withLock { $0 += duration } }
}

/// The machine's clock, for tests against real servers.
struct RealClock: Clock {
  private static let start = ContinuousClock.now
  func now() -> Timestamp { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) }
  func monotonic() -> Duration { ContinuousClock.now - RealClock.start }
  func sleep(for duration: Duration) { Issue.record("nothing sleeps against a real server") }
}

/// Every byte the same: 0 makes every wait the shortest, 255 the longest.
struct ConstantBytes: RandomBytes {
  var value: UInt8
  func bytes(_ count: Int) -> [UInt8] { Array(repeating: value, count: count) }
}

/// Ctrl-C by hand, with a pipe that becomes readable as the real one does.
final class FakeInterruption: Interruption {
  private let pressed = Mutex(false)
  private let pipe = Pipe()

  var isInterrupted: Bool { pressed.withLock { $0 } }
  var descriptor: Int32 { pipe.fileHandleForReading.fileDescriptor }

  func press() {
    pressed.withLock { $0 = true }
    pipe.fileHandleForWriting.write(Data([0]))
  }
}

func makeWorld(
  environment: [String: String] = [:], clock: any Clock = RealClock(), random: UInt8 = 0,
  interruption: any Interruption = FakeInterruption()
) -> World {
  let unused = Unused()
  return World(
    environment: Variables(environment), clock: clock, input: unused, output: unused, errors: unused,
    terminal: Terminal(inputIsTerminal: false, outputIsTerminal: false, errorIsTerminal: false, columns: nil),
    files: unused, random: ConstantBytes(value: random), processes: unused, interruption: interruption)
}

/// The effects that sending requests has no business with.
private final class Unused: Input, ByteSink, Files, Processes {
  private func complain(_ name: String = #function) -> SystemError {
    Issue.record("\(name) was called")
    return SystemError(number: ENOSYS, call: name)
  }
  func readAll(limit: Int) throws(InputError) -> [UInt8] { throw .system(complain()) }
  func readLine() throws(InputError) -> String? { throw .system(complain()) }
  func readSecret() throws(InputError) -> String? { throw .system(complain()) }
  func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) { throw complain() }
  func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8] { throw complain() }
  func replace(_ path: String, with bytes: [UInt8], mode: UInt32) throws(SystemError) { throw complain() }
  func makeFolder(_ path: String) throws(SystemError) { throw complain() }
  func facts(_ path: String) throws(SystemError) -> FileFacts { throw complain() }
  func remove(_ path: String) throws(SystemError) { throw complain() }
  func locked<T>(_ path: String, _ body: () throws -> T) throws -> T { throw complain() }
  func run(_ arguments: [String], input: [UInt8], limit: Duration) throws(SystemError) -> ProcessResult {
    throw complain()
  }
  func openBrowser(_ url: String) throws(SystemError) { throw complain() }
}
