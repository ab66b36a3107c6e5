import PluginProtocol
import Testing

@testable import Plugins

@Suite struct PluginSessionTests {
  static let capabilities: Set<String> = ["connections/list", "connections/show", "command/run"]

  /// A session after a successful greeting at second 0.
  static func greeted() -> PluginSession {
    var session = PluginSession(with: .shelf, Greeting(), capabilities: capabilities)
    _ = session.begin(at: .zero)
    _ = session.receive(greeting(), at: .zero)
    return session
  }

  static func greeting(
    name: Value = "shelf", version: Value = "1", announcing: [String] = ["connections/list", "command/run", "complete"]
  ) -> [UInt8] {
    Message.response(
      id: .number(1),
      result: [
        "name": name, "version": "1.2.0", "protocol": version, "capabilities": Value(announcing.map { Value($0) }),
      ]
    ).line
  }

  /// A list requested at second 10 with a timeout of 30 seconds.
  private func listing() -> PluginSession {
    var session = Self.greeted()
    _ = session.call("connections/list", [:], limit: .seconds(30), holding: true, at: .seconds(10))
    return session
  }

  private func item(_ item: Value, of id: Int = 2) -> [UInt8] {
    Message.notification(method: "item", params: ["id": Value(id), "item": item]).line
  }

  private let done = Message.response(id: .number(2), result: [:]).line

  // MARK: Greeting

  @Test func beginsWithTheGreeting() {
    var session = PluginSession(with: .shelf, Greeting(), capabilities: Self.capabilities)
    #expect(
      session.begin(at: .seconds(5))
        == [.send(.request(id: .number(1), method: "initialize", params: Greeting().params))])
    #expect(session.deadline == .seconds(7))
    #expect(session.receive(Self.greeting(), at: .seconds(6)) == [.ready])
    #expect(session.deadline == nil)
  }

  @Test func capabilitiesMustBeAnnouncedAndInTheManifest() {
    #expect(Self.greeted().capabilities == ["connections/list", "command/run"])
  }

  @Test(arguments: [
    (greeting(name: "other"), PluginSessionError.wrongName("other")),
    (greeting(version: "2"), .wrongVersion("2")),
    (greeting(name: 3), .invalidMessage("the response to 'initialize' has no name")),
    (greeting(version: 1), .invalidMessage("the response to 'initialize' has no protocol")),
    (
      Array("Hello!\n".utf8), .stray(StrayOutput(Array("Hello!".utf8), .notJSON("expected a value at byte 0")))
    ),
    (
      Array("[]\n".utf8),
      .stray(StrayOutput(Array("[]".utf8), .invalid("batches are not part of this protocol", id: nil)))
    ),
    (
      Message.failure(id: .number(1), error: PluginError("refused", "not today")).line,
      .refused(PluginError("refused", "not today"))
    ),
  ])
  func anInvalidGreetingEndsThePlugin(_ line: [UInt8], _ failure: PluginSessionError) {
    var session = PluginSession(with: .shelf, Greeting(), capabilities: Self.capabilities)
    _ = session.begin(at: .zero)
    #expect(session.receive(line, at: .zero) == [.finished(.failure(failure)), .end])
    #expect(
      session.call("connections/list", [:], limit: .seconds(1), holding: true, at: .zero)
        == [.finished(.failure(failure))])
  }

  @Test func theGreetingTimesOutAfterTwoSeconds() {
    var session = PluginSession(with: .shelf, Greeting(), capabilities: Self.capabilities)
    _ = session.begin(at: .seconds(5))
    #expect(session.checkDeadline(at: .milliseconds(6999)) == [])
    #expect(
      session.checkDeadline(at: .seconds(7))
        == [.finished(.failure(.timeUp(method: "initialize", limit: .seconds(2)))), .end])
  }

  @Test func requestsBeforeTheGreetingAreRejected() {
    var session = PluginSession(with: .shelf, Greeting(), capabilities: Self.capabilities)
    _ = session.begin(at: .zero)
    let actions = session.receive(
      Message.request(id: .number(1), method: "credential/get", params: ["name": "a"]).line, at: .zero)
    #expect(
      actions == [
        .send(.failure(id: .number(1), error: PluginError(.invalidRequest, "no request to this plugin is in flight")))
      ])
  }

  // MARK: Requests

  @Test func itemsArePassedOnBeforeTheResult() {
    var session = Self.greeted()
    #expect(
      session.call("connections/list", ["status": nil], limit: .seconds(30), holding: true, at: .seconds(10))
        == [.send(.request(id: .number(2), method: "connections/list", params: ["status": nil]))])
    #expect(session.deadline == .seconds(40))
    #expect(session.receive(item(["id": "a"]), at: .seconds(11)) == [.item(["id": "a"])])
    #expect(
      session.receive(item(["id": "b"]) + done, at: .seconds(12)) == [.item(["id": "b"]), .finished(.success([:]))])
    #expect(session.deadline == nil)
    #expect(session.failure == nil)
  }

  @Test func messagesMayArriveInAnyPieces() {
    let bytes = item(["id": "ä"]) + item(["id": "b"]) + done
    for size in 1...7 {
      var session = listing()
      var actions: [PluginSession.Action] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        actions += session.receive(Array(bytes[start..<min(start + size, bytes.count)]), at: .seconds(11))
      }
      #expect(actions == [.item(["id": "ä"]), .item(["id": "b"]), .finished(.success([:]))], "in pieces of \(size)")
    }
  }

  @Test func methodsThatAreNotAnnouncedAreNeverCalled() {
    var session = Self.greeted()
    for method in ["connections/show", "complete", "initialize"] {
      #expect(
        session.call(method, [:], limit: .seconds(1), holding: true, at: .zero)
          == [.finished(.failure(.notAnnounced(method: method)))])
    }
  }

  @Test func anErrorResponseEndsOnlyTheRequest() {
    var session = listing()
    let error = PluginError("not_found", "no such shelf")
    #expect(
      session.receive(Message.failure(id: .number(2), error: error).line, at: .seconds(11))
        == [.finished(.failure(.refused(error)))])
    #expect(
      session.call("connections/list", [:], limit: .seconds(1), holding: true, at: .seconds(12))
        == [.send(.request(id: .number(3), method: "connections/list", params: [:]))])
  }

  @Test func unexpectedResponsesAndItemsAreIgnored() {
    var session = listing()
    for late in [
      Message.response(id: .number(1), result: [:]), .response(id: .number(99), result: [:]),
      .failure(id: .text("x"), error: .cancelled),
    ] {
      #expect(
        session.receive(late.line, at: .seconds(11)) == [.note("An unexpected response was ignored.")])
    }
    #expect(
      session.receive(item(["id": "a"], of: 1), at: .seconds(11)) == [.note("An unexpected item was ignored.")]
    )
    #expect(session.receive(done, at: .seconds(11)) == [.finished(.success([:]))])
    // A second response is ignored too.
    #expect(
      session.receive(done, at: .seconds(11)) == [.note("An unexpected response was ignored.")])
  }

  @Test func progressAndLogArePassedOn() {
    var session = listing()
    let progress = Message.notification(
      method: "progress", params: ["id": 2, "done": 3, "total": nil, "message": "half"])
    #expect(session.receive(progress.line, at: .zero) == [.progress(done: 3, total: nil, message: "half")])
    let log = Message.notification(method: "log", params: ["level": "warning", "message": "careful"])
    #expect(session.receive(log.line, at: .zero) == [.log(level: "warning", message: "careful")])
    let later = Message.notification(method: "sparkle", params: [:])
    #expect(session.receive(later.line, at: .zero) == [.note("The unknown notification 'sparkle' was ignored.")])
  }

  // MARK: Requests of the plugin

  @Test func aRequestOfThePluginIsServedOnce() {
    var session = listing()
    let ask = Message.request(id: .text("q"), method: "credential/get", params: ["name": "a"])
    #expect(
      session.receive(ask.line, at: .seconds(11))
        == [.serve(id: .text("q"), method: "credential/get", params: ["name": "a"])])
    #expect(
      session.respond(to: .text("q"), .success(["value": nil]), at: .seconds(13))
        == [.send(.response(id: .text("q"), result: ["value": nil]))])
    #expect(session.deadline == .seconds(40))
    // A second result is ignored.
    #expect(session.respond(to: .text("q"), .success(["value": nil]), at: .seconds(13)) == [])
  }

  @Test func anIDCannotBeReusedWhileInFlight() {
    var session = listing()
    let ask = Message.request(id: .number(1), method: "lock/acquire", params: [:]).line
    let actions = session.receive(ask + ask, at: .zero)
    #expect(
      actions == [
        .serve(id: .number(1), method: "lock/acquire", params: [:]),
        .send(.failure(id: .number(1), error: PluginError(.invalidRequest, "this id is in use"))),
      ])
  }

  @Test func aPluginWithManyOpenRequestsGetsErrors() {
    var session = listing()
    func ask(_ id: Int) -> [PluginSession.Action] {
      session.receive(Message.request(id: .number(id), method: "lock/acquire", params: [:]).line, at: .zero)
    }
    for id in 0..<PluginSession.waitingLimit {
      #expect(ask(id) == [.serve(id: .number(id), method: "lock/acquire", params: [:])])
    }
    let error = PluginError(.invalidRequest, "more than 64 requests wait for a response")
    #expect(ask(64) == [.send(.failure(id: .number(64), error: error))])
    _ = session.respond(to: .number(7), .success([:]), at: .zero)
    #expect(ask(65) == [.serve(id: .number(65), method: "lock/acquire", params: [:])])
  }

  // MARK: Failures

  @Test func aSlowResponseEndsThePlugin() {
    var session = listing()
    _ = session.receive(item(["id": "a"]), at: .seconds(39))
    #expect(
      session.checkDeadline(at: .seconds(40))
        == [.finished(.failure(.timeUp(method: "connections/list", limit: .seconds(30)))), .end])
    // Later messages are ignored.
    #expect(session.receive(done, at: .seconds(41)) == [])
  }

  @Test func anExitInMidStreamEndsTheRequest() {
    var session = listing()
    _ = session.receive(item(["id": "a"]) + Array(#"{"jsonrpc":"2.0","id"#.utf8), at: .seconds(11))
    #expect(session.died(status: 139) == [.finished(.failure(.died(status: 139))), .end])
    #expect(session.died(status: 139) == [])
  }

  @Test(arguments: [
    "rubbish", "{}", #"{"jsonrpc":"2.0","id":2,"result":[]}"#, #"{"jsonrpc":"2.0","id":2,"result":null}"#,
    #"{"jsonrpc":"2.0","method":"item","params":{"id":2,"item":7}}"#,
    #"{"jsonrpc":"2.0","method":"item","params":{"id":2}}"#,
    #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what?"}}"#,
  ])
  func invalidMessagesEndThePlugin(_ line: String) {
    var session = listing()
    let actions = session.receive(Array((line + "\n").utf8), at: .seconds(11))
    guard actions.count == 2, case .finished(.failure(let failure)) = actions[0], actions[1] == .end else {
      return #expect(Bool(false), "\(actions)")
    }
    switch failure {
    case .invalidMessage, .stray: break
    default: Issue.record("\(failure)")
    }
  }

  @Test func invalidUTF8EndsThePlugin() {
    var session = listing()
    let actions = session.receive([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d, 0x0a], at: .seconds(11))
    let output = StrayOutput([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d], .notJSON("invalid UTF-8 at byte 2"))
    #expect(actions == [.finished(.failure(.stray(output))), .end])
  }

  @Test func aMessageWithoutEndIsNotBuffered() {
    var session = listing()
    let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 8 << 20)
    #expect(session.receive(piece, at: .zero) == [])
    #expect(session.receive(piece, at: .zero) == [])
    #expect(session.receive([UInt8(ascii: "a")], at: .zero) == [.finished(.failure(.tooLong)), .end])
  }

  @Test func messagesBeforeAnInvalidOneCount() {
    var session = listing()
    let actions = session.receive(item(["id": "a"]) + Array("x\n".utf8) + done, at: .zero)
    #expect(actions.count == 3)
    #expect(actions.first == .item(["id": "a"]))
    #expect(actions.last == .end)
  }

  @Test func aFloodOfHeldItemsEndsThePlugin() {
    var session = listing()
    let large = item(["text": Value(String(repeating: "x", count: 1 << 20))])
    for _ in 0..<63 { #expect(session.receive(large, at: .zero).count == 1) }
    #expect(session.receive(large, at: .zero) == [.finished(.failure(.flood("more than 64 MiB of items"))), .end])
  }

  @Test func aFloodOfOtherMessagesEndsThePlugin() {
    var session = listing()
    let lines = (0..<1000).reduce(into: [UInt8]()) { bytes, _ in
      bytes += Message.notification(method: "log", params: ["level": "debug"]).line
    }
    for _ in 0..<100 { #expect(session.receive(lines, at: .zero) == []) }
    #expect(
      session.receive(lines, at: .zero) == [
        .finished(.failure(.flood("more than 100000 messages for one request"))), .end,
      ])
  }

  // MARK: Cancellation

  @Test func aCanceledRequestIsAwaitedBriefly() {
    var session = listing()
    #expect(
      session.cancel(at: .seconds(12)) == [.send(.notification(method: "$/cancel", params: ["id": 2]))])
    #expect(session.deadline == .seconds(14))
    #expect(session.receive(item(["id": "a"]), at: .seconds(13)).count == 1)
    #expect(
      session.receive(Message.failure(id: .number(2), error: .cancelled).line, at: .seconds(13))
        == [.finished(.failure(.cancelled))])
    #expect(session.failure == nil)
  }

  @Test func aResponseAfterCancellationCountsAsCanceled() {
    var session = listing()
    _ = session.cancel(at: .seconds(12))
    #expect(session.receive(done, at: .seconds(12)) == [.finished(.failure(.cancelled))])
  }

  @Test func aCanceledRequestMayOnlyCleanUp() {
    var session = listing()
    _ = session.cancel(at: .seconds(12))
    for method in ["credential/put", "credential/delete", "lock/release", "redirect/finish"] {
      let line = Message.request(id: .text(method), method: method, params: [:]).line
      #expect(session.receive(line, at: .seconds(12)) == [.serve(id: .text(method), method: method, params: [:])])
    }
    for method in ["credential/get", "redirect/open", "prompt", "lock/acquire"] {
      let actions = session.receive(
        Message.request(id: .text(method), method: method, params: [:]).line, at: .seconds(12))
      guard case .send(.failure(.text(method), _)) = actions.first else { return #expect(Bool(false), "\(actions)") }
    }
  }

  @Test func aPluginThatIgnoresCancellationIsEnded() {
    var session = listing()
    _ = session.cancel(at: .seconds(12))
    #expect(session.checkDeadline(at: .seconds(14)) == [.finished(.failure(.cancelled)), .end])
  }

  @Test func anExitAfterCancellationCountsAsCanceled() {
    var session = listing()
    _ = session.cancel(at: .seconds(12))
    #expect(session.died(status: 1) == [.finished(.failure(.cancelled)), .end])
  }

  @Test func cancelingWithoutARequestDoesNothing() {
    var session = Self.greeted()
    #expect(session.cancel(at: .zero) == [])
  }
}
