import Output
import Session
import Text
import World

/// The `jq` program on PATH, which the JSON output passes through with `--jq`.
///
/// `jq` returns compact JSON. This program turns it into text, because it must not send anything to a terminal that the
/// terminal would interpret.
final class JQFilter {
  private let tool: ExternalTool
  private let arguments: [String]
  private let world: World
  private var program: (any RunningProgram)?
  /// The exit status, once the program has ended.
  private var status: Int32?
  /// The bytes of an incomplete result.
  private var result: [UInt8] = []
  /// The bytes of an incomplete line of stderr.
  private var message: [UInt8] = []
  /// The last complete line of stderr. It is the reason if the program fails, and otherwise printed.
  private var lastMessage: String?
  /// Whether an input failed. The exit status reflects only the last input.
  private var hasFailed = false
  /// The remaining time for waiting for results.
  private var waitBudget = Duration.seconds(1)
  private var lastWaitEnd: Duration?
  /// Receives each result as the JSON of one value.
  var print: (UnsafeRawBufferPointer) throws -> Void = { _ in }
  /// Whether each result is printed as soon as possible, because the next one may take a long time.
  var isFollowed = false

  /// Whether the program has ended by itself.
  var hasEnded: Bool { status != nil }

  /// Finds the program and lets it check the expression, before the command has any effect.
  /// - Throws: `refused` if the program is missing or rejects the expression.
  init(_ expression: String, in world: World) throws {
    self.world = world
    tool = try ExternalTool("jq", for: "--jq", in: world)
    // An expression that begins with a dash would be an option; jq 1.6 does not accept "--" before it.
    arguments = ["--compact-output", "--monochrome-output", expression.hasPrefix("-") ? " " + expression : expression]
    // The expression is compiled, but without an input it is never evaluated.
    let check = try tool.run(arguments)
    guard check.status != 0 else { return }
    let lines = check.errors.split(whereSeparator: \.isNewline).filter { !$0.hasSuffix("compile error") }
    throw Problem(
      .refused, "jq rejected the expression",
      reason: lines.isEmpty ? "exit status \(check.status)" : lines.joined(separator: " "),
      hint: "See the manual of jq, and quote the expression for the shell.")
  }

  /// Passes JSON on, and prints the results that are available.
  /// - Throws: `BrokenPipe` if the program needs no more input.
  func send(_ bytes: UnsafeRawBufferPointer) throws {
    guard status == nil else { throw BrokenPipe() }
    let program = try running
    program.send(Array(bytes))
    while try receive(atMost: program.hasUnsentInput ? .seconds(1) : .zero)
      || (status == nil && program.hasUnsentInput)
    {}
    if isFollowed { try awaitResult() }
    if status != nil { throw BrokenPipe() }
  }

  /// Waits briefly for the result of a row, which usually follows at once. A row may have no result, so the total wait
  /// is limited to the time that everything else takes.
  private func awaitResult() throws {
    let start = world.clock.monotonic()
    if let end = lastWaitEnd { waitBudget = min(.seconds(1), waitBudget + (start - end)) }
    if try receive(atMost: min(waitBudget, .milliseconds(100))) { while try receive(atMost: .zero) {} }
    let end = world.clock.monotonic()
    waitBudget -= min(waitBudget, end - start)
    lastWaitEnd = end
  }

  /// Ends the input and prints all other results.
  /// - Throws: `output_failed` if the program failed.
  func finish() throws {
    guard let program else { return }
    program.closeInput()
    // After Ctrl-C, wait only briefly for the remaining results.
    let end = world.interruption.isInterrupted ? world.clock.monotonic() + .seconds(2) : nil
    while status == nil {
      let remaining = end.map { $0 - world.clock.monotonic() } ?? .seconds(60)
      guard remaining > .zero else { return }
      _ = try receive(atMost: remaining)
    }
    if !message.isEmpty { receive(message: [UInt8(ascii: "\n")]) }
    guard let status, status != 0 || hasFailed else {
      if let lastMessage { world.writeMessage(lastMessage + "\n") }
      return
    }
    throw Problem(
      .outputFailed, status == 0 ? "jq failed" : "jq failed with exit status \(status)", reason: lastMessage,
      hint: "Check the expression; the command 'schema' describes each output.")
  }

  /// Ends the program.
  func end() {
    program?.end(grace: .seconds(1))
    program = nil
  }

  private var running: any RunningProgram {
    get throws {
      if let program { return program }
      let started = try tool.start((isFollowed ? ["--unbuffered"] : []) + arguments)
      program = started
      return started
    }
  }

  /// Waits for an event and handles it. Returns whether an event arrived.
  private func receive(atMost limit: Duration) throws -> Bool {
    guard let program, status == nil else { return false }
    // An interruption that has already ended the command must not end its output.
    switch try program.next(atMost: limit, noticesInterruption: !world.interruption.isInterrupted) {
    case .output(let bytes): try receive(result: bytes)
    case .errors(let bytes): receive(message: bytes)
    case .outputEnded: break
    case .ended(let status):
      self.status = status
      return false
    case .timeUp: return false
    case .interrupted: throw Problem.interrupted
    }
    return true
  }

  private func receive(result bytes: [UInt8]) throws {
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      result += rest[..<end]
      rest = rest[(end + 1)...]
      if !result.isEmpty { try result.withUnsafeBytes(print) }
      result.removeAll(keepingCapacity: true)
    }
    result += rest
  }

  private func receive(message bytes: [UInt8]) {
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      message += rest[..<end]
      rest = rest[(end + 1)...]
      if let lastMessage { world.writeMessage(lastMessage + "\n") }
      let line = TerminalText.escaped(String(decoding: message, as: UTF8.self))
      if line.hasPrefix("jq: error") { hasFailed = true }
      lastMessage = line
      message.removeAll(keepingCapacity: true)
    }
    message += rest
  }
}
