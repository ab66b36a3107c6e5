import PluginProtocol
import World

/// A plugin that writes what the input says, whatever it is asked.
final class HostilePlugin: RunningProgram {
  let clock: FuzzClock
  let leftBehind = false
  /// Everything it received.
  private(set) var received: [UInt8] = []
  private(set) var isEnded = false
  private var events: [ProgramEvent] = []
  private var steps: [Step] = []
  private var lastID = 0
  private let greets: Bool

  private enum Step {
    case message(PluginOutput), errors([UInt8]), outputEnded, ended, silence
  }

  /// - Parameter greets: whether it responds to the greeting as it should, so that requests follow.
  init(_ choices: inout InputChoices, greets: Bool, atMost limit: Int = 200, clock: FuzzClock = FuzzClock()) {
    (self.greets, self.clock) = (greets, clock)
    while !choices.isAtEnd, steps.count < limit {
      switch choices.number(below: 16) {
      case 0: steps.append(.errors(choices.piece()))
      case 1: steps.append(.silence)
      case 2: steps.append(choices.flag() ? .outputEnded : .ended)
      default: steps.append(.message(PluginOutput(&choices)))
      }
    }
    steps.reverse()
  }

  func send(_ bytes: [UInt8]) {
    // A test of the program's own sends messages of 16 MiB, which need no response.
    guard bytes.count < 1 << 16 else { return }
    received += bytes
    guard case .request(.number(let id), let method, _)? = try? Message(parsing: bytes.dropLast()) else { return }
    lastID = id
    if method == "initialize", greets {
      events.append(.output(PluginOutput.greeting(name: "shelf", version: "1").bytes(last: id)))
    }
  }

  func closeInput() { steps = [] }

  func next(atMost limit: Duration, noticesInterruption: Bool) throws(SystemError) -> ProgramEvent {
    if !events.isEmpty { return events.removeFirst() }
    switch isEnded ? nil : steps.popLast() {
    case .message(let output): return .output(output.bytes(last: lastID))
    case .errors(let bytes): return .errors(bytes)
    case .outputEnded: return .outputEnded
    case .silence:
      clock.pass(limit)
      return .timeUp
    case .ended, nil:
      isEnded = true
      return .ended(status: 0)
    }
  }

  func end(grace: Duration) { (isEnded, steps) = (true, []) }
}

/// Starts such plugins, and nothing else.
final class HostileProcesses: Processes {
  let id: Int32 = 1
  let confines = false
  let program: String? = nil
  /// The pages that were opened.
  private(set) var pages: [String] = []
  private let start: () -> HostilePlugin

  init(_ start: @escaping () -> HostilePlugin) { self.start = start }

  func run(_ arguments: [String], input: [UInt8], limit: Duration, seeing variables: EnvironmentFilter)
    throws(SystemError) -> ProcessResult
  {
    throw SystemError(number: 2, call: "run")
  }
  func start(_ start: ProgramStart) throws(SystemError) -> any RunningProgram { self.start() }
  func wait(for programs: [any RunningProgram], atMost limit: Duration) {}
  func openBrowser(_ url: String, with command: String?) throws(SystemError) { pages.append(url) }
  func startAgain(_ arguments: [String]) throws(SystemError) { throw SystemError(number: 2, call: "start") }
  func become(_ program: ReplacementProgram) throws(SystemError) { throw SystemError(number: 2, call: "exec") }
}
