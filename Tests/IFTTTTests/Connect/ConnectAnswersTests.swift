import HTTP
import IFTTT
import Support
import Testing
import Text

struct ConnectAnswersTests {
  private let id: ConnectionID

  init() throws { id = try #require(ConnectionID(parsing: "Kd7Rn2Qx")) }

  @Test func fetchedConnectionKeepsItsBytes() throws {
    let response = response(200, #" {"id" : "Kd7Rn2Qx"} "#)
    let answer = try FetchedConnection(response, for: id)
    #expect(answer.connection.id == id)
    #expect(answer.raw == response.body)
  }

  @Test func parsesFirstOfAListEnvelope() throws {
    let list = #"{"type":"list","data":[{"type":"connection","id":"Kd7Rn2Qx","name":"A"},{"id":"other"}]}"#
    #expect(try FetchedConnection(response(200, list), for: id).connection.name == "A")
  }

  @Test(arguments: [
    "", "{}", "[]", "<html>", #"{"type":"list"}"#, #"{"type":"list","data":[]}"#, #"{"type":"list","data":[1]}"#,
    #"{"type":"list","data":[{}]}"#, #"{"type":"me","authentication_level":"none"}"#, #"{"id":"another1"}"#,
  ])
  func rejectsAnythingElse(body: String) {
    #expect {
      try FetchedConnection(response(200, body), for: id)
    } throws: { error in
      guard case APIError.unreadable(200, _, body, _) = error else { return false }
      return true
    }
  }

  @Test(arguments: [200, 404])
  func errorResponseIsAnError(status: Int) {
    let error = #"{"type":"error","code":"not_found","message":"Unknown connection id","details":[],"id":"Kd7Rn2Qx"}"#
    for read in [
      { response in _ = try FetchedConnection(response, for: id) },
      { response in _ = try FetchedConnection.afterChange(response, of: id) },
    ] as [(Response) throws -> Void] {
      #expect {
        try read(response(status, error))
      } throws: { error in
        guard case APIError.response(let answer) = error else { return false }
        return answer.kind == .notFound && answer.message == "Unknown connection id" && answer.status == status
      }
    }
  }

  @Test(arguments: [
    (200, ""), (204, ""), (202, "{}"), (200, "OK"), (200, #"{"id":"another1"}"#), (200, #"{"type":"list","data":[]}"#),
  ])
  func changeSucceedsWhateverItsResponse(status: Int, body: String) throws {
    #expect(try FetchedConnection.afterChange(response(status, body), of: id) == nil)
  }

  @Test func changeResponseMayContainConnection() throws {
    let body = #"{"type":"connection","id":"Kd7Rn2Qx","user_status":"disabled"}"#
    #expect(try FetchedConnection.afterChange(response(200, body), of: id)?.connection.status == .disabled)
  }

  @Test func meMayBeEmpty() throws {
    #expect(try Me(response(200, "{}")) == Me(authenticationLevel: nil, serviceID: nil, userLogin: nil))
    let body = #"{"type":"me","authentication_level":"channel","service_id":"lampost","user_login":null}"#
    #expect(
      try Me(response(200, body)) == Me(authenticationLevel: "channel", serviceID: "lampost", userLogin: nil))
    #expect(try Me(response(200, #"{"user_login":"kai_lamps"}"#)).userLogin == "kai_lamps")
  }

  @Test func exchangeReturnsToken() throws {
    let body = #"{"type":"user_token","user_token":"Zq8v_T2mLr"}"#
    #expect(try userToken(in: response(200, body)).revealed == "Zq8v_T2mLr")
  }

  @Test(arguments: [
    "", "{}", #"{"user_token":""}"#, #"{"user_token":7}"#, #"{"user_token":"a\nb"}"#, #"{"user_token":"Zq8v"#,
    #"{"token":"Zq8v"}"#,
  ])
  func exchangeWithoutATokenHidesBody(body: String) {
    #expect {
      try userToken(in: response(200, body))
    } throws: { error in
      guard case APIError.unreadable(200, let problem, "", _) = error else { return false }
      return !problem.isEmpty
    }
  }

  @Test func failedExchangeShowsOnlyIFTTTsMessage() {
    let body = #"{"type":"error","code":"unauthorized","message":"Cannot uniquely identify user"}"#
    let expected = APIErrorResponse(status: 401, code: "unauthorized", message: "Cannot uniquely identify user")
    #expect(throws: APIError.response(expected)) { try userToken(in: response(401, body)) }
  }

  @Test(
    arguments: [
      (204, true), (404, false), (200, nil), (400, nil), (401, nil), (429, nil), (500, nil), (304, nil),
    ] as [(Int, Bool?)])
  func onlyTwoStatusesTellWhetherAccountExists(status: Int, expected: Bool?) throws {
    let template = RequestTemplate(
      base: try WebURL(parsing: "https://connect.ifttt.com"), authentication: .anonymous, inviteCode: nil)
    let client = ConnectClient(caller: .connected(template, to: ScriptedTransport(response(status, ""))))
    #expect(try client.accountExists(email: "kai@mail.test").send() == expected)
  }

  @Test func aRedirectWithoutAnAddressDoesNotTellWhetherAccountExists() throws {
    let template = RequestTemplate(
      base: try WebURL(parsing: "https://connect.ifttt.com"), authentication: .anonymous, inviteCode: nil)
    let client = ConnectClient(caller: .connected(template, to: ScriptedTransport(response(302, ""))))
    #expect(throws: APIError.self) { try client.accountExists(email: "kai@mail.test").send() }
  }

  private func response(_ status: Int, _ body: String) -> Response { Response(status: status, body: Array(body.utf8)) }
}
