import HTTP
import IFTTT
import JSON
import Testing

struct AnswerTests {
  @Test func successReturnsItsObject() throws {
    #expect(try answer(200, #"{"type":"me"}"#).object().text("type") == "me")
    #expect(try answer(201, "{}").object() == JSONObject())
  }

  @Test(
    arguments: [
      (400, .badRequest), (401, .unauthorized), (403, .forbidden), (404, .notFound), (409, .conflict),
      (422, .invalidParameters), (429, .rateLimited), (500, .serverError), (502, .serverError), (504, .serverError),
      (302, .other), (304, .other), (402, .other), (418, .other), (600, .serverError), (0, .other),
    ] as [(Int, ErrorStatus)])
  func statusDeterminesKind(status: Int, kind: ErrorStatus) {
    let body = #"{"type":"error","code":"surprise","message":"No.","details":[]}"#
    let error = failure(answer(status, body))
    #expect(error?.kind == kind)
    #expect(error?.status == status)
    #expect(error?.code == "surprise")
    #expect(error?.message == "No.")
  }

  @Test(
    arguments: [
      ("not_found", .notFound), ("invalid_parameters", .invalidParameters), ("unauthorized", .unauthorized),
      ("surprise", .other),
    ] as [(String, ErrorStatus)])
  func errorObjectIsAnErrorWhateverTheStatus(code: String, kind: ErrorStatus) {
    let error = failure(answer(200, #"{"code":"\#(code)","id":"x","type":"error"}"#))
    #expect(error?.kind == kind)
    #expect(error?.status == 200)
  }

  @Test func unusableDetailsAreSkipped() {
    let body = #"""
      {"type":"error","code":"invalid_parameters","message":"The parameters of your request were invalid",
       "details":[{"parameter":"/fields/calendar","message":"Not a valid option."},7,{"message":"x"},{}]}
      """#
    #expect(
      failure(answer(422, body))?.details == [
        .init(parameter: "/fields/calendar", message: "Not a valid option."), .init(parameter: nil, message: "x"),
      ])
  }

  @Test(arguments: ["", "<html>Bad gateway</html>", "[]", "null", "\"x\"", "{"])
  func errorWithoutAnObjectKeepsBeginningOfBody(body: String) {
    let error = failure(answer(502, body, [.init("content-type", "text/html")]))
    #expect(
      error == APIErrorResponse(status: 502, beginning: body))
  }

  @Test func errorObjectMayBeEmpty() {
    #expect(failure(answer(404, #"{"message":{"a":1},"code":7}"#))?.message == nil)
    #expect(failure(answer(404, "{}")) == APIErrorResponse(status: 404, beginning: "{}"))
  }

  @Test func onlyBeginningOfBodyIsShown() {
    #expect(failure(answer(500, String(repeating: "é", count: 5000)))?.beginning == String(repeating: "é", count: 100))
    #expect(
      failure(answer(500, "x" + String(repeating: "é", count: 5000)))?.beginning
        == "x" + String(repeating: "é", count: 99))
  }

  @Test(
    arguments: [
      ("120", 120), ("0", 0), (" 7 ", 7), ("-1", nil), ("1.5", nil), ("", nil), ("Fri, 31 Dec 1999 23:59:59 GMT", nil),
      ("99999999999999999999", nil),
    ] as [(String, Int?)])
  func parsesRetryAfterSeconds(value: String, expected: Int?) {
    #expect(failure(answer(429, "{}", [.init("retry-after", value)]))?.retryAfter == expected)
  }

  @Test(arguments: [
    Array("".utf8), Array("<html>".utf8), Array("[1]".utf8), Array("null".utf8), [0x22, 0xff, 0x22],
    Array(#"{"a":"#.utf8) + [0xff, 0xfe], Array(String(repeating: "[", count: 100_000).utf8),
    Array((String(repeating: #"{"a":"#, count: 600) + "1" + String(repeating: "}", count: 600)).utf8),
  ])
  func successWithoutAnObjectIsUnreadable(body: [UInt8]) {
    let response = Response(status: 200, body: body)
    #expect {
      try response.object()
    } throws: { error in
      guard case APIError.unreadable(200, let problem, let beginning, _) = error else { return false }
      return !problem.isEmpty && beginning.utf8.count <= 600
    }
    #expect(throws: Never.self) { try response.accepted() }
  }

  @Test func secretBodyIsNeverInAnError() {
    let body = #"{"user_token":"Zq8v_T2mLr"#
    #expect(
      throws: APIError.unreadable(
        status: 200, problem: "it is not JSON: unterminated string at byte 25", beginning: "")
    ) {
      try answer(200, body).object(isSecret: true)
    }
    #expect(throws: APIError.response(APIErrorResponse(status: 500))) { try answer(500, body).object(isSecret: true) }
  }

  private func answer(_ status: Int, _ body: String, _ headers: [HeaderField] = []) -> Response {
    Response(status: status, headers: headers, body: Array(body.utf8))
  }

  private func failure(_ response: Response) -> APIErrorResponse? {
    do throws(APIError) {
      _ = try response.object()
    } catch {
      if case .response(let answer) = error { return answer }
    }
    return nil
  }
}
