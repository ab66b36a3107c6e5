import PluginProtocol
import Testing

@testable import Plugins

/// Whether a plugin may prompt the user in a request, and how that affects the timeout.
@Suite struct AttendedRequestTests {
  private static let needingAPerson = [
    "prompt", "confirm", "input/read", "wait", "redirect/bind", "redirect/open", "redirect/finish", "browser/open",
  ]
  private static let unattended = ["connections/list", "connections/show", "credential/status", "complete"]

  /// A request sent at second 10 with a timeout of 30 seconds.
  private func calling(_ method: String) -> PluginSession {
    let capabilities = Self.unattended + ["command/run"]
    var session = PluginSession(with: .shelf, Greeting(), capabilities: Set(capabilities))
    _ = session.begin(at: .zero)
    _ = session.receive(PluginSessionTests.greeting(announcing: capabilities), at: .zero)
    _ = session.call(method, [:], limit: .seconds(30), holding: false, at: .seconds(10))
    return session
  }

  private func ask(_ method: String, _ id: Int = 1) -> [UInt8] {
    Message.request(id: .number(id), method: method, params: ["timeout_ms": 5000]).line
  }

  @Test(arguments: unattended, needingAPerson)
  func unattendedRequestsRejectPrompts(_ request: String, _ method: String) {
    var session = calling(request)
    let refusal = PluginError(
      "refused", "'\(method)' is not available in '\(request)'", reason: "lists, details and completion are unattended")
    #expect(session.receive(ask(method), at: .seconds(12)) == [.send(.failure(id: .number(1), error: refusal))])
    // The timeout is not paused.
    #expect(session.deadline == .seconds(40))
    #expect(session.receive(ask("lock/acquire", 2), at: .seconds(12)).count == 1)
    #expect(
      session.checkDeadline(at: .seconds(40))
        == [.finished(.failure(.timeUp(method: request, limit: .seconds(30)))), .end])
  }

  @Test(arguments: [
    ("prompt", 60), ("confirm", 60), ("redirect/open", 60), ("input/read", 60), ("wait", 60), ("redirect/bind", 40),
    ("browser/open", 40), ("lock/acquire", 40),
  ])
  func otherRequestsPauseTheTimeoutDuringPrompts(_ method: String, _ end: Int) {
    var session = calling("command/run")
    #expect(
      session.receive(ask(method), at: .seconds(12))
        == [.serve(id: .number(1), method: method, params: ["timeout_ms": 5000])])
    let refusal = PluginError("refused", "no")
    #expect(
      session.respond(to: .number(1), .failure(refusal), at: .seconds(32))
        == [.send(.failure(id: .number(1), error: refusal))])
    #expect(session.deadline == .seconds(end))
  }

  @Test func aRequestIsPausedForAtMostAnHour() {
    var session = calling("command/run")
    var now = Duration.seconds(10)
    for id in 1...4 {
      _ = session.receive(ask("wait", id), at: now)
      now += .seconds(1500)
      _ = session.respond(to: .number(id), .success([:]), at: now)
    }
    #expect(session.deadline == .seconds(40 + 3600))
    #expect(session.checkDeadline(at: now).last == .end)
  }

  @Test func theNextRequestHasItsOwnHourOfPause() {
    var session = calling("command/run")
    _ = session.receive(ask("wait"), at: .seconds(10))
    _ = session.respond(to: .number(1), .success([:]), at: .seconds(5000))
    _ = session.receive(Message.response(id: .number(2), result: [:]).line, at: .seconds(5000))
    _ = session.call("command/run", [:], limit: .seconds(30), holding: false, at: .seconds(6000))
    _ = session.receive(ask("wait"), at: .seconds(6000))
    _ = session.respond(to: .number(1), .success([:]), at: .seconds(7000))
    #expect(session.deadline == .seconds(7030))
  }

  @Test func theTimeoutCanCountFromTheStartOfThePlugin() {
    var session = PluginSessionTests.greeted()
    _ = session.call("connections/list", [:], limit: .seconds(30), since: .seconds(8), holding: false, at: .seconds(10))
    #expect(session.deadline == .seconds(38))
  }

  // MARK: Numbers

  @Test(
    arguments: [
      (Value(Int.max), Value(Int.min), 1_000_000_000_000, 0), (Value(Int.min), Value(Int.max), 0, 1_000_000_000_000),
      (Value(7), Value(-7), 7, 0),
    ] as [(Value, Value, Int, Int)])
  func progressCountsAreClamped(_ done: Value, _ total: Value, _ seenDone: Int, _ seenTotal: Int) {
    var session = calling("command/run")
    let progress = Message.notification(method: "progress", params: ["id": 2, "done": done, "total": total])
    #expect(
      session.receive(progress.line, at: .seconds(11)) == [.progress(done: seenDone, total: seenTotal, message: nil)])
  }

  @Test func progressCountsBeyondIntAreClamped() {
    var session = calling("command/run")
    let line =
      #"{"jsonrpc":"2.0","method":"progress","params":{"id":2,"done":-99999999999999999999,"total":99999999999999999999}}"#
    #expect(
      session.receive(Array((line + "\n").utf8), at: .seconds(11))
        == [.progress(done: 0, total: 1_000_000_000_000, message: nil)])
  }

  @Test func aMessageWithTooManyValuesEndsThePlugin() {
    var session = calling("connections/list")
    let zeros = String(repeating: "0,", count: Message.valueLimit) + "0"
    let line = #"{"jsonrpc":"2.0","method":"item","params":{"id":2,"item":{"all":[\#(zeros)]}}}"#
    #expect(
      session.receive(Array((line + "\n").utf8), at: .seconds(11))
        == [.finished(.failure(.stray(StrayOutput(Array(line.utf8), .tooManyValues)))), .end])
  }
}
