import PluginProtocol
import Testing

@Suite struct MessageTests {
  @Test(arguments: [
    Message.request(id: .number(7), method: "connections/list", params: ["status": nil]),
    .request(id: .text("mine"), method: "credential/get", params: ["name": "a"]),
    .notification(method: "item", params: ["id": 7, "item": ["id": "x"]]),
    .response(id: .number(7), result: [:]),
    .response(id: .number(7), result: nil),
    .failure(id: nil, error: PluginError(.parse, "not JSON")),
    .failure(id: .number(1), error: PluginError("unauthorized", "no", reason: "why", hint: "what to do")),
  ])
  func messagesAreReadBackAsWritten(_ message: Message) throws {
    let line = message.line
    #expect(line.last == UInt8(ascii: "\n"))
    #expect(line.dropLast().allSatisfy { $0 != UInt8(ascii: "\n") })
    #expect(try Message(parsing: Array(line.dropLast())) == message)
  }

  private func read(_ text: String) throws -> Message { try Message(parsing: Array(text.utf8)) }

  @Test func missingParametersAreAnEmptyObject() throws {
    let expected = Message.request(id: .number(1), method: "x", params: [:])
    #expect(try read(#"{"jsonrpc":"2.0","id":1,"method":"x"}"#) == expected)
    #expect(try read(#"{"jsonrpc":"2.0","id":1,"method":"x","params":null,"later":true}"#) == expected)
    #expect(try read(#"{"jsonrpc":"2.0","id":null,"method":"x"}"#) == .notification(method: "x", params: [:]))
  }

  @Test func aResponseMayHaveANullError() throws {
    #expect(try read(#"{"jsonrpc":"2.0","id":1,"result":{},"error":null}"#) == .response(id: .number(1), result: [:]))
  }

  @Test(arguments: [
    (
      #"[{"jsonrpc":"2.0","id":1,"method":"x"}]"#,
      MessageError.invalid("batches are not part of this protocol", id: nil)
    ),
    (#""hello""#, .invalid("a message is not an object", id: nil)),
    (#"{"jsonrpc":"1.0","id":1,"method":"x"}"#, .invalid("'jsonrpc' is not \"2.0\"", id: .number(1))),
    (#"{"id":"a","method":"x"}"#, .invalid("'jsonrpc' is not \"2.0\"", id: .text("a"))),
    (#"{"jsonrpc":"2.0","id":1.5,"method":"x"}"#, .invalid("an id is neither a whole number nor a string", id: nil)),
    (#"{"jsonrpc":"2.0","id":{},"result":1}"#, .invalid("an id is neither a whole number nor a string", id: nil)),
    (#"{"jsonrpc":"2.0","id":1,"method":3}"#, .invalid("'method' is not a string", id: .number(1))),
    (#"{"jsonrpc":"2.0","id":1,"method":"x","params":[1]}"#, .invalid("'params' is not an object", id: .number(1))),
    (#"{"jsonrpc":"2.0","result":1}"#, .invalid("a response has no id", id: nil)),
    (#"{"jsonrpc":"2.0","id":4}"#, .invalid("a message has no 'method', 'result' or 'error'", id: .number(4))),
  ])
  func invalidMessagesReportTheReason(_ text: String, _ fault: MessageError) {
    #expect(throws: fault) { try read(text) }
  }

  @Test func invalidUTF8IsRejected() {
    let line = Array(#"{"jsonrpc":"2.0","id":1,"method":""#.utf8) + [0xff, 0xfe] + Array("\"}".utf8)
    #expect(throws: MessageError.notJSON("invalid UTF-8 at byte 34")) { try Message(parsing: line) }
  }

  @Test func errorResponsesUseTheStandardNumbers() {
    #expect(MessageError.notJSON("x").response == .failure(id: nil, error: PluginError(.parse, "not JSON: x")))
    #expect(
      MessageError.invalid("y", id: .number(2)).response
        == .failure(id: .number(2), error: PluginError(.invalidRequest, "y")))
  }

  @Test func anErrorIsReadBackAsWritten() throws {
    var error = PluginError("rate_limited", "too many", reason: "429", hint: "wait")
    (error.retryAfter, error.status, error.reference) = (12, 429, "(GrabID 11)")
    error.details = [.init(parameter: "scope", message: "unknown")]
    error.extra = ["grab_code": ["domain": 1]]
    #expect(PluginError(reading: error.value) == error)
  }

  @Test func rejectsAMessageWithTooManyValues() throws {
    func message(_ count: Int, _ value: String) -> [UInt8] {
      // In addition, the message has five values: itself, its three members, and the array.
      let values = repeatElement(value, count: count).joined(separator: ",")
      return Array(#"{"jsonrpc":"2.0","id":1,"result":{"a":[\#(values)]}}"#.utf8)
    }
    func fault(_ count: Int, _ value: String) -> MessageError? {
      do throws(MessageError) {
        _ = try Message(parsing: message(count, value))
        return nil
      } catch { return error }
    }
    let most = Message.valueLimit - 5
    #expect(fault(most, "0") == nil)
    #expect(fault(most + 1, "0") == .tooManyValues)
    #expect(fault(most / 2 + 1, "[0]") == .tooManyValues)
    #expect(fault(most / 2 + 1, #"{"":0}"#) == .tooManyValues)
    // The content of a string does not count, whatever escapes it contains.
    let text = String(repeating: #"[,{\\\",["#, count: 1 << 15)
    #expect(fault(1, "\"\(text)\"") == nil)
    #expect(fault(1, #""\\""# + String(repeating: ",0", count: most)) == .tooManyValues)
  }

  @Test(
    arguments: [
      (5, 5), (-1, 0), (11, 10), (Value(Int.max), 10), (Value(Int.min), 0), (1.5, nil), ("5", nil), (nil, nil),
    ] as [(Value, Int?)])
  func integersAreClampedToTheRange(_ value: Value, _ expected: Int?) { #expect(value.int(in: 0...10) == expected) }

  @Test(arguments: [("99999999999999999999", 10), ("-99999999999999999999", 0), ("1e300", nil), ("1.0", nil)])
  func integersBeyondIntAreClamped(_ text: String, _ expected: Int?) throws {
    #expect(try Value(parsing: Array(text.utf8)).int(in: 0...10) == expected)
  }

  @Test func theNumbersOfAnErrorAreClamped() {
    let error = PluginError(reading: ["data": ["retry_after": Value(Int.max), "status": Value(Int.max)]])
    #expect(error.retryAfter == 31_536_000 && error.status == nil)
    #expect(PluginError(reading: ["data": ["retry_after": -1]]).retryAfter == 0)
  }

  @Test func anErrorOfAnyFormIsRead() {
    #expect(PluginError(reading: 3).number == -32000)
    #expect(PluginError(reading: ["code": -32601, "message": "no", "data": "text"]).message == "no")
    // `extra` must be an object.
    #expect(PluginError(reading: ["data": ["extra": [1]]]).extra == nil)
  }
}
