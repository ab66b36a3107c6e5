import HTTP
import IFTTT
import Testing

/// Detection of errors in a raw body, without parsing it into memory.
@Suite struct PrintedErrorTests {
  private func failure(_ status: Int, _ body: String) -> APIError? {
    Response(status: status, body: Array(body.utf8)).printedError()
  }

  @Test(arguments: [
    "", "{}", "[]", "<html>", "{", #"{"type":"connection"}"#, #"{"a":{"type":"error"}}"#, #"["type","error"]"#,
    #"{"type":["error"]}"#, "\u{0}", #""type":"error""#,
  ])
  func successHasNoError(_ body: String) { #expect(failure(200, body) == nil) }

  @Test(arguments: [#"{"type":"error","code":"no"}"#, #" { "a" : [1,{}], "type" : "error","code":"no" } "#])
  func successWithTypeErrorIsAnError(_ body: String) {
    #expect(
      failure(200, body) == .response(APIErrorResponse(status: 200, code: "no", beginning: String(body.prefix(200)))))
  }

  @Test(arguments: [302, 404, 500]) func otherStatusIsAnError(_ status: Int) {
    #expect(failure(status, "<html>") == .response(APIErrorResponse(status: status, beginning: "<html>")))
  }

  @Test func attemptsAreCounted() {
    var response = Response(status: 500, headers: [.init("x-request-id", "r-1")])
    response.attempts = 3
    guard case .response(let error) = response.printedError() else { return #expect(Bool(false), "no failure") }
    #expect(error.delivery == ResponseMetadata(attempts: 3, requestID: "r-1"))
  }
}
