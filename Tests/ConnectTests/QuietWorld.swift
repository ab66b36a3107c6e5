import Testing
import World

/// A world in which nothing but sending may happen: anything else fails the test.
func quietWorld(isInterrupted: Bool = false) -> World {
  let nothing = Nothing()
  return World(
    environment: [:], clock: StillClock(), input: nothing, output: nothing, errors: nothing,
    terminal: Terminal(inputIsTerminal: false, outputIsTerminal: false, errorIsTerminal: false, columns: nil),
    files: nothing, random: Zeros(), processes: nothing, interruption: Pressed(isInterrupted: isInterrupted))
}

private struct StillClock: Clock {
  func now() -> Timestamp { Timestamp(milliseconds: 0) }
  func monotonic() -> Duration { .zero }
  func sleep(for duration: Duration) {}
}

private struct Zeros: RandomBytes {
  func bytes(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }
}

private final class Pressed: Interruption {
  let isInterrupted: Bool
  let descriptor: Int32 = -1
  init(isInterrupted: Bool) { self.isInterrupted = isInterrupted }
}

private final class Nothing: Input, ByteSink, Files, Processes {
  private func refused(_ name: String = #function) -> SystemError {
    Issue.record("\(name) was called")
    return SystemError(number: 38, call: name)
  }
  func readAll(limit: Int) throws(InputError) -> [UInt8] { throw .system(refused()) }
  func readLine() throws(InputError) -> String? { throw .system(refused()) }
  func readSecret() throws(InputError) -> String? { throw .system(refused()) }
  func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) { throw refused() }
  func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8] { throw refused() }
  func replace(_ path: String, with bytes: [UInt8], mode: UInt32) throws(SystemError) { throw refused() }
  func makeFolder(_ path: String) throws(SystemError) { throw refused() }
  func facts(_ path: String) throws(SystemError) -> FileFacts { throw refused() }
  func remove(_ path: String) throws(SystemError) { throw refused() }
  func locked<T>(_ path: String, _ body: () throws -> T) throws -> T { throw refused() }
  func run(_ arguments: [String], input: [UInt8], limit: Duration) throws(SystemError) -> ProcessResult {
    throw refused()
  }
  func openBrowser(_ url: String) throws(SystemError) { throw refused() }
}
