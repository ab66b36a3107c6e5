import PluginProtocol
import Support
import Testing
import World

@testable import Plugins

/// The process and the session together, with a scripted program on a test clock.
@Suite struct PluginProcessTests {
  private final class Services: HostServices {
    var result: Result<Value, PluginError> = .success([:])
    var served: [String] = []
    var limits: [Duration] = []
    var shown: [String] = []
    var releases = 0

    /// The number of calls before it responds.
    var delays = 0

    func serve(
      _ method: String, _ params: Value, waited: Duration, atMost limit: Duration
    ) -> Result<Value, PluginError>? {
      served.append(method)
      limits.append(limit)
      delays -= 1
      return delays < 0 ? result : nil
    }
    func progress(_ done: Int, of total: Int?, _ message: String?) { shown.append("\(done)/\(total ?? 0)") }
    func log(_ level: String, _ message: String) { shown.append("\(level): \(message)") }
    func errorLine(_ text: String) { shown.append(text) }
    func diagnose(_ text: String) { shown.append("v: \(text)") }
    func release() { releases += 1 }
  }

  private let services = Services()
  private let test: TestWorld
  private let plugin = PluginProgram(
    name: .shelf, version: "1", path: "/shelf/ifttt-shelf", folder: "/shelf",
    capabilities: ["connections/list", "connections/show"], credentials: [], environment: ["PATH=/bin"])

  init() { test = TestWorld(now: Timestamp(milliseconds: 0)) }

  private static let hello = ProgramEvent.line(
    #"{"jsonrpc":"2.0","id":1,"result":{"name":"shelf","version":"1","protocol":"1","capabilities":["connections/list"]}}"#
  )

  private func start(_ program: ScriptedProgram) throws -> PluginProcess {
    test.processes.startProgram = { _ in program }
    return try PluginProcess(plugin, greeting: Greeting(), in: test.world, services: services)
  }

  /// Responds to the greeting, and to the first request with these events.
  private func shelf(_ events: [ProgramEvent]) -> ScriptedProgram {
    var greeted = false
    return ScriptedProgram(clock: test.clock) { _ in
      defer { greeted = true }
      return greeted ? events : [Self.hello]
    }
  }

  private static let done = ProgramEvent.line(#"{"jsonrpc":"2.0","id":2,"result":{}}"#)
  private static func item(_ id: String) -> ProgramEvent {
    .line(#"{"jsonrpc":"2.0","method":"item","params":{"id":2,"item":{"id":"\#(id)"}}}"#)
  }

  @Test func aListIsRequestedAndTheProgramEnded() throws {
    let program = shelf([Self.item("a"), Self.item("b"), Self.done])
    let process = try start(program)
    #expect(test.processes.starts == [ProgramStart(path: "/shelf/ifttt-shelf", environment: ["PATH=/bin"])])
    var ids: [String] = []
    #expect(
      try process.call("connections/list", [:], limit: .seconds(30)) { ids.append($0["id"]?.string ?? "") } == [:])
    #expect(ids == ["a", "b"])
    process.close()
    #expect(program.inputIsClosed)
    #expect(program.graceOfEnd == .zero)
    #expect(services.releases == 1)
    process.close()
    #expect(services.releases == 1)
  }

  @Test func aPluginThatDoesNotGreetIsEnded() {
    let program = ScriptedProgram(clock: test.clock) { _ in [] }
    #expect(throws: PluginSessionError.timeUp(method: "initialize", limit: .seconds(2))) { try start(program) }
    #expect(program.graceOfEnd == .seconds(2))
    #expect(test.clock.monotonic() == .seconds(2))
  }

  @Test func aFailedStartIsReported() {
    let error = SystemError(number: 2, call: "x")
    test.processes.startProgram = { _ throws(SystemError) in throw error }
    #expect(throws: PluginSessionError.notStarted(error)) {
      try PluginProcess(plugin, greeting: Greeting(), in: test.world, services: services)
    }
  }

  @Test func aSlowResponseEndsThePlugin() throws {
    let program = shelf([Self.item("a")])
    let process = try start(program)
    #expect(throws: PluginSessionError.timeUp(method: "connections/list", limit: .seconds(7))) {
      try process.call("connections/list", limit: .seconds(7))
    }
    #expect(program.graceOfEnd == .seconds(2))
  }

  @Test(arguments: [true, false])
  func anExitInMidStreamReportsTheStatus(_ outputEndsFirst: Bool) throws {
    let status: Int32 = 139
    let end = (outputEndsFirst ? [.outputEnded] : []) + [ProgramEvent.ended(status: status)]
    let process = try start(shelf([Self.item("a")] + end))
    var count = 0
    #expect(throws: PluginSessionError.died(status: status)) {
      try process.call("connections/list", limit: .seconds(30)) { _ in count += 1 }
    }
    #expect(count == 1)
    // Further requests fail.
    #expect(throws: PluginSessionError.died(status: status)) {
      try process.call("connections/list", limit: .seconds(30))
    }
  }

  @Test func closingTheOutputCountsAsAnExit() throws {
    let process = try start(shelf([.outputEnded]))
    #expect(throws: PluginSessionError.died(status: nil)) { try process.call("connections/list", limit: .seconds(30)) }
  }

  @Test func standardErrorIsReportedWithoutEscapes() throws {
    let process = try start(
      shelf([
        .errors(Array("\u{1b}[31mcare".utf8)), .errors(Array("ful\nand more".utf8)),
        .line(#"{"jsonrpc":"2.0","method":"log","params":{"level":"info","message":"\u001b[2Jnote"}}"#),
        .line(#"{"jsonrpc":"2.0","method":"progress","params":{"id":2,"done":1,"total":4}}"#), Self.done,
      ]))
    _ = try process.call("connections/list", limit: .seconds(30))
    process.close()
    #expect(services.shown == ["careful", "info: note", "1/4", "and more"])
  }

  @Test func requestsOfThePluginAreServedWithinTheTimeout() throws {
    services.result = .success(["value": "x"])
    var count = 0
    let program = ScriptedProgram(clock: test.clock) { line in
      count += 1
      switch count {
      case 1: return [Self.hello]
      case 2: return [.line(#"{"jsonrpc":"2.0","id":"q","method":"lock/acquire","params":{"name":"l"}}"#)]
      default: return [Self.done]
      }
    }
    let process = try start(program)
    _ = try process.call("connections/list", limit: .seconds(30))
    #expect(services.served == ["lock/acquire"])
    #expect(services.limits == [.seconds(30)])
    #expect(program.lines.last == #"{"jsonrpc":"2.0","id":"q","result":{"value":"x"}}"#)
  }

  @Test func aRequestThatMustWaitIsRetried() throws {
    services.delays = 3
    let program = ScriptedProgram(clock: test.clock) { line in
      if line.contains("initialize") { return [Self.hello] }
      if line.contains("connections/list") {
        return [.line(#"{"jsonrpc":"2.0","id":"q","method":"lock/acquire","params":{"name":"l"}}"#)]
      }
      return [Self.done]
    }
    let process = try start(program)
    _ = try process.call("connections/list", limit: .seconds(30))
    #expect(services.served == ["lock/acquire", "lock/acquire", "lock/acquire", "lock/acquire"])
    #expect(program.lines.last == #"{"jsonrpc":"2.0","id":"q","result":{}}"#)
    // With growing pauses, which count against the timeout.
    #expect(services.limits == [30_000, 29_995, 29_985, 29_965].map { .milliseconds($0) })
  }

  @Test func aWaitingRequestIsRejectedWhenTheProgramsRequestEnds() throws {
    services.delays = .max
    let program = ScriptedProgram(clock: test.clock) { line in
      if line.contains("initialize") { return [Self.hello] }
      guard line.contains("connections/list") else { return [] }
      return [.line(#"{"jsonrpc":"2.0","id":"q","method":"lock/acquire","params":{"name":"l"}}"#), Self.done]
    }
    _ = try start(program).call("connections/list", limit: .seconds(30))
    #expect(
      program.lines.last
        == #"{"jsonrpc":"2.0","id":"q","error":{"code":-32800,"message":"cancelled"}}"#)
  }

  @Test func dataThatArrivedInTimeCountsEvenIfReadLate() throws {
    let process = try start(shelf([Self.item("a"), Self.done]))
    try process.begin("connections/list", limit: .seconds(5))
    // The program was busy with something else.
    test.clock.advance(by: .seconds(9))
    var ids: [String] = []
    #expect(try process.result { ids.append($0["id"]?.string ?? "") } == [:])
    #expect(ids == ["a"])
  }

  @Test func aPluginThatNeverStopsIsEndedAtTheDeadline() throws {
    let process = try start(shelf((0..<1000).map { Self.item("\($0)") }))
    try process.begin("connections/list", limit: .seconds(5))
    test.clock.advance(by: .seconds(5))
    var count = 0
    #expect(throws: PluginSessionError.timeUp(method: "connections/list", limit: .seconds(5))) {
      try process.result { _ in count += 1 }
    }
    #expect(count < 50)
  }

  @Test func anInterruptionCancelsAndWaitsBriefly() throws {
    let program = shelf([.interrupted])
    let process = try start(program)
    #expect(throws: PluginSessionError.cancelled) { try process.call("connections/list", limit: .seconds(30)) }
    #expect(program.lines.last == #"{"jsonrpc":"2.0","method":"$/cancel","params":{"id":2}}"#)
    #expect(test.clock.monotonic() < .seconds(3))
  }

  @Test func anErrorInTheItemClosureCancelsTheRequest() throws {
    struct Enough: Error {}
    let program = shelf([Self.item("a"), Self.item("b"), Self.done])
    let process = try start(program)
    #expect(throws: Enough.self) {
      try process.call("connections/list", limit: .seconds(30)) { _ in throw Enough() }
    }
    #expect(program.lines.last == #"{"jsonrpc":"2.0","method":"$/cancel","params":{"id":2}}"#)
    #expect(program.graceOfEnd != nil)
  }

  @Test func theProgramEndsWithItsOwner() throws {
    let program = shelf([])
    do { _ = try start(program) }
    #expect(program.inputIsClosed)
    #expect(services.releases == 1)
  }
}
