import HTTP
import JSON
import Sandbox
import Support
import Testing
import World

/// Long random sessions: every request gets a readable response, and the state stays valid.
@Suite struct RandomRequestsTests {
  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func randomRequestsGetReadableResponses(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var session = EmulatorSession(SandboxState(.unusual, salt: Int(seed)))
    for number in 1...400 {
      let request = anyRequest(&random)
      let now = Timestamp(milliseconds: Int64(truncatingIfNeeded: random.next()))
      let response = session.emulator.response(to: request, at: now)
      try check(response, to: request)
      if number % 50 == 0 {
        let state = session.emulator.state
        #expect(try SandboxState(parsing: state.bytes) == state)
        session = EmulatorSession(try SandboxState(parsing: state.bytes))
      }
    }
    #expect(session.emulator.state.requests == 400)
  }

  private func check(_ response: Response, to request: Request) throws {
    #expect(response.header("Date") != nil && response.header("X-Request-ID") != nil)
    if request.method == .head || response.status == 204 {
      #expect(response.body.isEmpty)
    } else {
      let json = try JSONValue(parsing: response.body)
      #expect((json["type"] == "error") == (response.status >= 400))
      #expect(response.header("Content-Type") == "application/json; charset=utf-8")
    }
    #expect([200, 201, 204, 400, 401, 403, 404, 405, 422].contains(response.status))
    response.checkDescribed(to: request.method, request.url.path, host: request.url.host)
  }

  private func anyRequest(_ random: inout SeededGenerator) -> Request {
    let ids = SandboxFixtures.connectionIDs + ["Or4Ch7Dz", "mB3xWq7T", "vL2sJy9D", "%", "%zz", "", "\u{301}", "😀"]
    let id = random.pick(ids)
    let step = random.pick(["tidebook.list_tides", "tidebook.add_entry", "location.exit_region_location", "x", "%2E"])
    let path = random.pick([
      "/v2/connections/\(id)/user_connection", "/v2/connections/\(id)/user_connection/refresh", "/v2/sdk/events",
      "/v2/connections/\(id)/actions/\(step)/run", "/v2/connections/\(id)/queries/\(step)/perform",
      "/v2/connections/\(id)/triggers/\(step)/test", "/v2/connections/\(id)/queries/\(step)/field_options",
      "/v2/provisional_access_code", "/v2/connections/\(id)/features/mw4tq9hzjc/field_options",
      "/v2/me", "/v1/me", "/v2/connections/\(id)", "/v2/connections/\(id)/enable", "/v2/connections/\(id)/disable",
      "/v2/user_token", "/v2/account/find", "/v1/services/lampost/applets", "/v1/services/lampost/applets/\(id)",
      "/v1/services/lampost/applets/\(id)/enable", "/v1/services/lampost/applets/\(id)/disable",
      "/v1/services/orchard/user_token", "/v1/services/lampost/user_token", "", "/", "//", "/v2", "/v1//", id,
    ])
    let headers = (0..<random.below(4)).map { _ in
      random.pick([
        Header.key, .otherKey, .token, .secondToken, .otherToken, .invite, .json, .bearer(""), .bearer("\u{301}"),
        Header("Authorization", "\u{301}"), Header("Content-Type", "; ;"), Header("", ""),
      ])
    }
    let query = (0..<random.below(4)).map { _ in
      QueryItem(
        random.pick(["user_id", "access_token", "email", "order", "platform", "", "limit"]),
        random.pick([
          "u-5521", "u-7304", "90210", "at_7f20c1", "kai@mail.test", "", "ios", "android", "published_at_desc", "\0",
        ]))
    }
    let body = random.pick([
      nil, "", "{}", "{", "[]", "null", #"{"user_id":"u-5521"}"#, #"{"user_id":90210,"token":"oa-1188-40"}"#,
      #"{"user_id":1e999}"#, #"{"token":["at_7f20c1"]}"#, #"{"user_id":"u-5521","token":"at_7f20c1"}"#,
      #"{"user_features":[]}"#, #"{"user_features":[{"feature_id":"mw4tq9hzjc","enabled":false}]}"#,
      #"{"user_features":[{"feature_id":7,"id":[],"enabled":"yes","user_fields":{}},null,[]]}"#,
      #"{"services":[{"service_id":"tidebook","actions":[{"id":"add_entry","user_actions":[{"fields":[{}]}]}]}]}"#,
      #"{"user_id":"u-5521","fields":{"calendar":"cal_a"},"limit":1e9,"cursor":"pg5-","includes":[1]}"#,
      #"{"oauth_code":"oc_91fz"}"#, #"{"events":[{},7,{"properties":{"a":1}}]}"#, #"{"events":[]}"#,
    ])
    let url = WebURL(
      scheme: "https", host: random.pick(["connect.ifttt.com", "api.ifttt.com", "127.0.0.1", "ifttt.com", ""]),
      port: nil, path: path, query: query)
    return Request(
      random.pick([.get, .post, .get, .post, .head, .put, .patch, .delete]), url, headers: headers,
      body: body.map { Array($0.utf8) })
  }
}

extension SeededGenerator {
  mutating func below(_ limit: Int) -> Int { Int(next() >> 33) % limit }

  mutating func pick<Element>(_ choices: [Element]) -> Element { choices[below(choices.count)] }
}
