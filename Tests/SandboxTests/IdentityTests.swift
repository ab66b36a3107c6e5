import HTTP
import JSON
import Sandbox
import Testing

/// Identity, token exchange and accounts (docs/api/connect.md §7.1 to §7.3).
@Suite struct IdentityTests {
  @Test(
    arguments: [
      ("/v2/me", [], "none", nil, nil, ["U9"]),
      ("/v2/me?user_id=u-5521", [], "none", nil, nil, ["U9"]),
      ("/v2/me", [.key], "channel", "lampost", nil, []),
      ("/v2/me?user_id=u-7304", [.key], "channel", "lampost", "mira_o", []),
      ("/v2/me?user_id=90210", [.key], "channel", "lampost", nil, ["U9"]),
      ("/v2/me?user_id=90210", [.otherKey], "channel", "orchard", "wen_orchard", []),
      ("/v2/me", [.token], "user", "lampost", "kai_lamps", []),
      ("/v2/me", [.key, .secondToken], "user", "lampost", "mira_o", ["U28"]),
    ] as [(String, [Header], JSONValue, String?, String?, [String])])
  func meReturnsTheIdentity(
    target: String, headers: [Header], level: JSONValue, service: String?, login: String?, assumptions: [String]
  ) {
    var session = EmulatorSession()
    let response = session.get(target, headers)
    #expect(response.status == 200 && response.assumptions == assumptions)
    #expect(
      response.json == [
        "type": "me", "authentication_level": level, "service_id": service.map(JSONValue.string) ?? .null,
        "user_login": login.map(JSONValue.string) ?? .null,
      ])
  }

  @Test func meRejectsAnotherUserAndAnEmptyUser() {
    var session = EmulatorSession()
    #expect(session.get("/v2/me?user_id=u-7304", [.token]).code == "emulator_forbidden")
    #expect(session.get("/v2/me?user_id=", [.key]).code == "emulator_bad_request")
  }

  @Test(
    arguments: [
      ("/v2/user_token?user_id=u-5521&access_token=at_7f20c1", nil),
      ("/v2/user_token?user_id=u-5521", #"{"token":"at_7f20c1"}"#),
      ("/v2/user_token", #"{"user_id":"u-5521","token":"at_7f20c1"}"#),
      ("/v2/user_token?user_id=u-5521&access_token=at_7f20c1", #"{"user_id":"u-5521","token":"at_7f20c1"}"#),
      ("/v2/user_token?user_id=u-5521&access_token=at_7f20c1", ""),
    ] as [(String, String?)])
  func exchangesTokensInEveryForm(target: String, body: String?) throws {
    var session = EmulatorSession()
    let response = session.post(target, [.key], body: body)
    #expect(response.status == 200 && response.assumptions.isEmpty && response.json["type"] == "user_token")
    let token = try #require(response.json["user_token"]?.string)
    let messages = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    #expect(token.count == 48 && token.allSatisfy(messages.contains))
    #expect(session.get("/v2/me", [.bearer(token)]).json["user_login"] == "kai_lamps")
  }

  @Test func everyExchangeIssuesANewTokenAndOldOnesStayValid() throws {
    var session = EmulatorSession()
    var tokens: Set<String> = [SandboxFixtures.userToken]
    for _ in 1...20 {
      let response = session.post("/v2/user_token?user_id=u-7304&access_token=at_c93e58", [.key])
      tokens.insert(try #require(response.json["user_token"]?.string))
    }
    #expect(tokens.count == 21)
    for token in tokens { #expect(session.get("/v2/me", [.bearer(token)]).status == 200) }
  }

  @Test(
    arguments: [
      ("?user_id=u-5521&access_token=at_7f20c1", [], nil, 401, "unauthorized", "U26"),
      ("?user_id=u-5521&access_token=wrong", [.key], nil, 401, "unauthorized", "U26"),
      ("?user_id=u-7304&access_token=at_7f20c1", [.key], nil, 401, "unauthorized", "U26"),
      ("?user_id=90210&access_token=oa-1188-40", [.key], nil, 401, "unauthorized", "U26"),
      ("?user_id=u-5521&access_token=at_7f20c1", [.otherKey], nil, 401, "unauthorized", "U26"),
      ("?user_id=u-5521&access_token=at_7f20c1", [.token], nil, 403, "emulator_forbidden", "U1"),
      ("?access_token=at_7f20c1", [.key], nil, 400, "emulator_bad_request", "U1"),
      ("?user_id=u-5521", [.key], nil, 400, "emulator_bad_request", "U1"),
      ("?user_id=&access_token=at_7f20c1", [.key], nil, 400, "emulator_bad_request", "U1"),
      ("", [.key], #"{"token":"at_7f20c1"}"#, 400, "emulator_bad_request", "U1"),
      ("?user_id=u-7304", [.key], #"{"user_id":"u-5521","token":"at_7f20c1"}"#, 400, "emulator_bad_request", "U1"),
      ("?user_id=u-5521", [.key], #"["at_7f20c1"]"#, 400, "emulator_bad_request", "U1"),
      ("?user_id=u-5521", [.key], "token=at_7f20c1", 400, "emulator_bad_request", "U1"),
      ("", [.key], #"{"user_id":true,"token":"at_7f20c1"}"#, 400, "emulator_bad_request", "U1"),
    ] as [(String, [Header], String?, Int, String, String)])
  func rejectsInvalidExchanges(
    query: String, headers: [Header], body: String?, status: Int, code: String, assumption: String
  ) {
    var session = EmulatorSession()
    let response = session.post("/v2/user_token\(query)", headers, body: body)
    #expect(response.status == status && response.code == code && response.assumptions == [assumption])
    #expect(session.emulator.state.bytes == oneRequest.bytes)
  }

  /// The initial state after one request that changed nothing.
  private var oneRequest: SandboxState {
    var session = EmulatorSession()
    _ = session.get("/v2/me")
    return session.emulator.state
  }

  @Test func acceptsNumericUserIDs() {
    var session = EmulatorSession()
    let body = #"{"user_id":90210,"token":"oa-1188-40"}"#
    #expect(session.post("/v2/user_token", [.otherKey], body: body).status == 200)
    let fraction = #"{"user_id":90210.5,"token":"oa-1188-40"}"#
    #expect(session.post("/v2/user_token", [.otherKey], body: fraction).code == "emulator_bad_request")
  }

  @Test(
    arguments: [
      ("?email=kai@mail.test", 204, nil), ("?email=Mira.O+lamps@mail.test", 204, nil),
      ("?email=noor@mail.test", 204, nil), ("?email=nobody@mail.test", 404, "U27"),
      ("?email=mira.o lamps@mail.test", 404, "U27"), ("?email=", 400, "U11"), ("", 400, "U11"),
    ] as [(String, Int, String?)])
  func findsAccountsByEmail(query: String, status: Int, assumption: String?) {
    var session = EmulatorSession()
    let response = session.get("/v2/account/find\(query)")
    #expect(response.status == status && response.assumptions.first == assumption)
    if status == 204 { #expect(response.body.isEmpty && response.header("Content-Type") == nil) }
  }
}
