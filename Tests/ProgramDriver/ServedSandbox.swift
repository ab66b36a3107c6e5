import CommandLine
import Commands
import ConnectionCommands
package import HTTP
import IFTTT
import Plugins
package import Session
package import Support
import Testing
package import World

/// `sandbox start` in process, with other commands that run while it serves. Nothing is sent over a network.
package final class ServedSandbox {
  package let folder = TemporaryFolder()
  private let port = HeldListener()
  /// The origins of servers that respond too late.
  package var busy: Set<String> = []
  /// Origins that lead to the server in addition to its own, such as that of a published port.
  package var aliases: Set<String> = []
  /// The variables of each command.
  package var environment: [String: String] = [:]
  /// The instance of this program that `--detach` starts; nil if none is expected.
  package var background: (([String], String) throws(SystemError) -> any BackgroundProgram)?
  /// The terminal of each command.
  package var terminal = Terminal.none
  private var now = Timestamp(milliseconds: 1_772_601_007_250)
  private var seed: UInt64 = 0

  package init() {}

  package struct Run {
    package let exit: ExitCode
    package let output: String
    package let errors: String
  }

  /// Start a server, run `body`, and stop the server.
  @discardableResult
  package func start(_ line: String = "sandbox start --json", while body: @escaping (Run) throws -> Void) -> Run {
    let test = newWorld()
    var world = test.world
    world.clock = WaitingClock(now: now) {
      let shown = Run(exit: .success, output: test.output.text, errors: "")
      #expect(throws: Never.self) { try body(shown) }
      test.interruption.interrupt()
    }
    return run(line, world, test)
  }

  @discardableResult
  package func run(_ line: String) -> Run {
    let test = newWorld()
    return run(line, test.world, test)
  }

  /// The server's response to a request.
  package func answer(_ method: String, _ target: String, _ fields: [HeaderField] = [], body: String = "") -> Reply? {
    port.responder?.respond(to: ReceivedRequest(method: method, target: target, fields: fields, body: Array(body.utf8)))
  }

  private func newWorld() -> TestWorld {
    seed += 1
    now = now - .seconds(-1)
    let test = TestWorld(environment: environment, now: now, terminal: terminal, folder: folder, seed: seed)
    test.processes.background = background
    return test
  }

  private func run(_ line: String, _ world: World, _ test: TestWorld) -> Run {
    let exit = Program.run(
      ShellWords.split(line) ?? [], world: world,
      transport: { [port, busy, aliases] _ in HeldTransport(port, busy, aliases) },
      listener: { [port] in port })
    return Run(exit: exit, output: test.output.text, errors: test.errors.text)
  }
}

/// A clock that runs a closure while the program sleeps.
private struct WaitingClock: Clock {
  let moment: Timestamp
  let whileSleeping: @Sendable () -> Void

  init(now: Timestamp, _ body: @escaping () -> Void) {
    moment = now
    nonisolated(unsafe) let body = body
    whileSleeping = { body() }
  }

  func now() -> Timestamp { moment }
  func monotonic() -> Duration { .zero }
  func sleep(for duration: Duration) { whileSleeping() }
}

/// A listener that opens a server only this test can reach.
private final class HeldListener: LoopbackListener, HTTPServer {
  package private(set) var responder: (any HTTPResponder)?
  package private(set) var address = LoopbackAddress(port: 8080)
  /// The origin under which programs on this machine reach the server.
  private(set) var origin = ""

  func open(_ settings: ListenerSettings, responder: @escaping @Sendable () -> any HTTPResponder) throws
    -> any HTTPServer
  {
    if settings.address.port == 1 { throw ListenerError(isAddressInUse: true, description: "taken") }
    address = LoopbackAddress(settings.address.host, port: settings.address.port == 0 ? 8080 : settings.address.port)
    let bound = settings.interface.flatMap { $0.isWildcard ? nil : $0 }
    origin = bound?.url(port: address.port) ?? address.url
    self.responder = responder()
    return self
  }

  func close() { responder = nil }
}

/// A transport that passes requests to that server.
private final class HeldTransport: Transport {
  private let port: HeldListener
  private let busy: Set<String>
  private let aliases: Set<String>
  private var outcomes: [HTTP.TransportResult] = []

  init(_ port: HeldListener, _ busy: Set<String>, _ aliases: Set<String>) {
    (self.port, self.busy, self.aliases) = (port, busy, aliases)
  }

  func start(_ request: Request, as ticket: Int, limit: Duration) {
    let origin = request.url.origin
    guard let responder = port.responder, origin == port.origin || aliases.contains(origin) else {
      let failure =
        busy.contains(origin)
        ? TransportError(kind: .timeout, message: "too late", mayHaveArrived: true)
        : TransportError(kind: .connect, message: "connection refused", mayHaveArrived: false)
      return outcomes.append(HTTP.TransportResult(ticket: ticket, result: .failure(failure)))
    }
    let reply = responder.respond(
      to: ReceivedRequest(
        method: request.method.rawValue, target: String(request.url.wire.dropFirst(request.url.origin.utf8.count)),
        fields: request.headers.map { HeaderField($0.name, $0.wire) }, body: request.body ?? []))
    let headers = reply.fields.map { HeaderField($0.name, $0.value) }
    let response = Response(status: reply.status, headers: headers, body: reply.body)
    outcomes.append(HTTP.TransportResult(ticket: ticket, result: .success(response)))
  }

  func wait(atMost limit: Duration, orReadable descriptor: Int32) -> [HTTP.TransportResult] {
    defer { outcomes = [] }
    return outcomes
  }

  func cancel(_ ticket: Int) { outcomes.removeAll { $0.ticket == ticket } }
}
