import HTTP
import JSON
import Sandbox
import Testing
import World

/// The parts that every response has.
@Suite struct ResponseTests {
  @Test func responsesHaveTheStandardHeaders() {
    var session = EmulatorSession()
    let first = session.get("/v2/connections/Kd7Rn2Qx")
    #expect(first.header("Content-Type") == "application/json; charset=utf-8")
    #expect(first.header("Date") == "Wed, 04 Mar 2026 05:10:07 GMT")
    #expect(first.header("X-Request-ID") == "sandbox-00000001")
    #expect(first.header("X-Emulator-Assumption") == "U25")
    #expect(session.get("/v2/nothing").header("x-request-id") == "sandbox-00000002")
    #expect(session.get("/v2/nothing").headers.map(\.value).suffix(2) == ["U1", "U25"])
  }

  @Test(
    arguments: [
      (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777_000, "Sun, 06 Nov 1994 08:49:37 GMT"),
      (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (951_782_399_999, "Mon, 28 Feb 2000 23:59:59 GMT"),
      (951_782_400_000, "Tue, 29 Feb 2000 00:00:00 GMT"), (4_107_542_400_000, "Mon, 01 Mar 2100 00:00:00 GMT"),
      (-62_135_596_800_000, "Mon, 01 Jan 0001 00:00:00 GMT"),
    ] as [(Int64, String)])
  func formatsDates(milliseconds: Int64, date: String) {
    var emulator = Emulator(state: .seed)
    let response = emulator.response(to: request(.get, "/v2/me"), at: Timestamp(milliseconds: milliseconds))
    #expect(response.header("Date") == date)
  }

  @Test(arguments: [Int64.min, .max])
  func extremeTimesDoNotTrap(milliseconds: Int64) {
    var emulator = Emulator(state: .seed)
    #expect(emulator.response(to: request(.get, "/v2/me"), at: Timestamp(milliseconds: milliseconds)).status == 200)
  }

  @Test(arguments: ["/v2/me", "/v2/connections/Kd7Rn2Qx", "/v2/connections/nosuch", "/v2/nothing"])
  func headReturnsTheHeadersOfGet(path: String) {
    var get = EmulatorSession()
    var head = EmulatorSession()
    let whole = get.get(path)
    let response = head.ask(.head, path)
    #expect(response.status == whole.status && response.headers == whole.headers)
    #expect(response.body.isEmpty && !whole.body.isEmpty)
  }

  @Test func equalRequestsAndStatesGiveEqualResults() {
    let requests = [
      request(.get, "/v2/connections/Fq3Lw8Zt", [.token]), request(.post, "/v2/connections/Fq3Lw8Zt/disable", [.token]),
      request(.post, "/v2/user_token?user_id=u-5521&access_token=at_7f20c1", [.key]), request(.get, "/nothing"),
      request(.get, "/v1/services/lampost/applets?order=enabled_count_asc", [.key], host: "api.ifttt.com"),
    ]
    var first = Emulator(state: SandboxState(.unusual, salt: 9))
    for request in requests {
      var second = Emulator(state: first.state)
      #expect(
        first.response(to: request, at: EmulatorSession.now) == second.response(to: request, at: EmulatorSession.now))
      #expect(first.state == second.state)
    }
  }
}
