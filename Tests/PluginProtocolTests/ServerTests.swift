import Foundation
import Testing

@testable import PluginProtocol

/// The server, with a program that sends all its messages before the plugin starts and then closes its end.
@Suite struct ServerTests {
  /// Lists three lamps, and requests a credential to show one.
  private struct Lamps: Provider {
    let name = "lamps"
    let version = "1.0.0"
    var capabilities: [Capability] = [.listConnections, .showConnection, .runCommand, .complete, .disableConnection]

    func list(status: String?, host: PluginHost) throws {
      for number in 1...3 {
        try host.send(ProvidedConnection(id: "lamp-\(number)", name: "Lamp \(number)", status: .enabled))
      }
    }
    func show(_ id: String, host: PluginHost) throws -> ProvidedConnection {
      let account = try host.credential("account")
      return ProvidedConnection(id: id, name: account ?? "nobody", status: .disabled, more: ["pending": true, "id": 3])
    }
    func run(_ call: CommandCall, host: PluginHost) throws -> String? {
      guard call.flag("count") == true else { throw PluginError("not_found", "no such lamp") }
      try host.progress(1, of: 2, "half")
      return "\(call.command) \(call.list("room")) \(call.arguments)"
    }
    func complete(_ question: CompletionQuestion, host: PluginHost) throws -> [OfferedValue] {
      struct Odd: Error {}
      throw Odd()
    }
  }

  /// The plugin's messages in response to these messages.
  private func answers(to messages: [Message], _ provider: any Provider = Lamps()) throws -> [Message] {
    try answers(to: messages.map(\.line).reduce([], +), provider)
  }

  private func answers(to bytes: [UInt8], _ provider: any Provider = Lamps()) throws -> [Message] {
    let (input, output) = (Pipe(), Pipe())
    try input.fileHandleForWriting.write(contentsOf: bytes)
    try input.fileHandleForWriting.close()
    let wire = Wire(
      input: input.fileHandleForReading.fileDescriptor, output: output.fileHandleForWriting.fileDescriptor)
    PluginServer(provider, on: wire).run()
    try output.fileHandleForWriting.close()
    let said = try output.fileHandleForReading.readToEnd() ?? Data()
    return try said.split(separator: UInt8(ascii: "\n")).map { try Message(parsing: Array($0)) }
  }

  private static let hello = Message.request(id: .number(1), method: "initialize", params: Greeting().params)

  private func call(_ method: String, _ params: Value = [:], id: Int = 2) -> Message {
    .request(id: .number(id), method: method, params: params)
  }

  @Test func greetsAndExitsWhenItsInputCloses() throws {
    let said = try answers(to: [Self.hello])
    #expect(
      said == [
        .response(
          id: .number(1),
          result: [
            "name": "lamps", "version": "1.0.0", "protocol": "1",
            "capabilities": ["connections/list", "connections/show", "command/run", "complete", "connections/disable"],
          ])
      ])
  }

  @Test func anUnsupportedVersionIsRejected() throws {
    var greeting = Greeting()
    greeting.versions = ["2"]
    let said = try answers(to: [.request(id: .number(1), method: "initialize", params: greeting.params)])
    guard case .failure(.number(1), let error)? = said.first else { return #expect(Bool(false), "\(said)") }
    #expect(error.number == -32602)
  }

  @Test func requestsBeforeTheGreetingAreRejected() throws {
    let said = try answers(to: [call("connections/list")])
    #expect(
      said == [.failure(id: .number(2), error: PluginError(.invalidRequest, "'initialize' must be the first request"))])
  }

  @Test func aListSendsItemsAndThenTheResponse() throws {
    let said = try answers(to: [Self.hello, call("connections/list", ["status": nil])])
    #expect(said.count == 5)
    #expect(
      said[1]
        == .notification(
          method: "item", params: ["id": 2, "item": ["id": "lamp-1", "name": "Lamp 1", "status": "enabled"]]))
    #expect(said[4] == .response(id: .number(2), result: [:]))
  }

  @Test func capabilitiesThatAreNotAnnouncedAreUnknown() throws {
    let said = try answers(to: [Self.hello, call("connections/enable", ["id": "x"]), call("nonsense", id: 3)])
    #expect(said[1] == .failure(id: .number(2), error: .unknownMethod("connections/enable")))
    #expect(said[2] == .failure(id: .number(3), error: .unknownMethod("nonsense")))
  }

  @Test func announcedCapabilitiesWithoutAnImplementationAreUnknown() throws {
    let said = try answers(to: [Self.hello, call("connections/disable", ["id": "x"])])
    #expect(said[1] == .failure(id: .number(2), error: .unknownMethod("connections/disable")))
  }

  @Test func aRequestToTheProgramIsSentDuringARequest() throws {
    let said = try answers(to: [
      Self.hello, call("connections/show", ["id": "lamp-2"]), .response(id: .number(1), result: ["value": "Ada"]),
    ])
    #expect(said[1] == .request(id: .number(1), method: "credential/get", params: ["name": "account"]))
    #expect(
      said[2]
        == .response(
          id: .number(2),
          result: ["connection": ["id": "lamp-2", "name": "Ada", "status": "disabled", "pending": true]]))
  }

  /// Reports the time left before and after waiting for the user.
  private struct Slow: Provider {
    let name = "slow"
    let version = "1.0.0"
    let capabilities: [Capability] = [.runCommand]

    func run(_ call: CommandCall, host: PluginHost) throws -> String? {
      let before = host.timeLeft
      try host.waitForPerson(.seconds(5))
      return "\(before <= .seconds(3) && before > .zero) \(host.timeLeft <= before)"
    }
  }

  @Test func waitingForTheUserPausesTheTimeout() throws {
    var greeting = Greeting()
    greeting.timeout = .seconds(3)
    let said = try answers(
      to: [
        .request(id: .number(1), method: "initialize", params: greeting.params), call("command/run"),
        .response(id: .number(1), result: [:]),
      ], Slow())
    #expect(said[1] == .request(id: .number(1), method: "wait", params: ["timeout_ms": 5000]))
    #expect(said[2] == .response(id: .number(2), result: ["text": "true true"]))
  }

  @Test func aRejectionOfTheProgramIsReported() throws {
    let refusal = PluginError("refused", "not granted")
    let said = try answers(to: [
      Self.hello, call("connections/show", ["id": "a"]), .failure(id: .number(1), error: refusal),
    ])
    #expect(said[2] == .failure(id: .number(2), error: refusal))
  }

  @Test func anotherRequestIsQueued() throws {
    let said = try answers(to: [
      Self.hello, call("connections/show", ["id": "a"]), call("connections/list", id: 3),
      .response(id: .number(1), result: ["value": nil]),
    ])
    #expect(said.count == 7)
    #expect(
      said[2]
        == .response(
          id: .number(2), result: ["connection": ["id": "a", "name": "nobody", "status": "disabled", "pending": true]]))
    #expect(said[6] == .response(id: .number(3), result: [:]))
  }

  @Test func aCanceledRequestStopsAndTheNextOneRuns() throws {
    let said = try answers(to: [
      Self.hello, call("connections/list"), .notification(method: "$/cancel", params: ["id": 2]),
      call(
        "command/run",
        CommandCall(
          command: ["on"], options: ["count": true, "room": ["a", "b"]], arguments: ["x"], words: [], output: "json"
        ).params, id: 3),
    ])
    #expect(said[1] == .failure(id: .number(2), error: .cancelled))
    #expect(said.last == .response(id: .number(3), result: ["text": #"["on"] ["a", "b"] ["x"]"#]))
  }

  @Test func aRequestIsCanceledWhileItWaitsForTheProgram() throws {
    let said = try answers(to: [
      Self.hello, call("connections/show", ["id": "a"]), .notification(method: "$/cancel", params: ["id": 2]),
    ])
    #expect(said.last == .failure(id: .number(2), error: .cancelled))
  }

  /// Cleans up when it is canceled.
  private struct Tidy: Provider {
    let name = "tidy"
    let version = "1.0.0"
    let capabilities: [Capability] = [.runCommand]

    func run(_ call: CommandCall, host: PluginHost) throws -> String? {
      do { return try host.credential("account") } catch {
        _ = try host.tidyUp { try host.deleteCredential("pending") }
        throw error
      }
    }
  }

  @Test func aCanceledRequestCanStillCleanUp() throws {
    let said = try answers(
      to: [
        Self.hello, call("command/run"), .notification(method: "$/cancel", params: ["id": 2]),
        .response(id: .number(1), result: ["deleted": true]),
      ], Tidy())
    #expect(
      said.dropFirst() == [
        .request(id: .number(1), method: "credential/delete", params: ["name": "pending"]),
        .failure(id: .number(2), error: .cancelled),
      ])
  }

  @Test func errorsKeepTheirCodes() throws {
    let said = try answers(to: [
      Self.hello, call("command/run"), call("complete", id: 3), call("connections/show", id: 4),
    ])
    #expect(said[1] == .failure(id: .number(2), error: PluginError("not_found", "no such lamp")))
    guard case .failure(_, let error) = said[2] else { return #expect(Bool(false)) }
    #expect(error.number == -32603)
    #expect(said[3] == .failure(id: .number(4), error: .invalidParameters("'id' is missing")))
  }

  @Test func invalidLinesAreReportedAndTheNextLineIsRead() throws {
    let said = try answers(to: Array("nonsense\n[]\n".utf8) + Self.hello.line)
    #expect(said.count == 3)
    guard case .failure(nil, let parse) = said[0], case .failure(nil, let batch) = said[1] else {
      return #expect(Bool(false), "\(said)")
    }
    #expect((parse.number, batch.number) == (-32700, -32600))
  }
}
