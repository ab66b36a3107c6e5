import HTTP
import JSON
import Sandbox
import Testing
import World

/// The selection of faults for requests, and their effects on responses.
@Suite struct InjectedFaultTests {
  private func plan(_ texts: String..., seed: Int = 0) throws -> FaultPlan {
    FaultPlan(try texts.map { text throws in try FaultRule(parsing: text) }, seed: seed)
  }

  private func applied(_ plan: inout FaultPlan, _ method: String, _ path: String) -> String? {
    plan.selectFaults(method: method, path: path).text
  }

  @Test func withoutRulesNoFaultApplies() throws {
    var plan = FaultPlan()
    #expect(applied(&plan, "GET", "/v2/me") == nil)
  }

  @Test func onlyTheFirstMatchingRuleIsUsedUp() throws {
    var plan = try plan("status=500,times=2,path=/v2/*", "html,times=1", "reset,method=POST")
    #expect(applied(&plan, "GET", "/v2/me") == "status=500")
    #expect(applied(&plan, "GET", "/v1/me") == "html")
    #expect(applied(&plan, "GET", "/v1/me") == nil)
    #expect(applied(&plan, "POST", "/v2/me") == "status=500")
    #expect(applied(&plan, "POST", "/v2/me") == "reset")
    #expect(applied(&plan, "GET", "/v2/me") == nil)
    #expect(plan.rules.map(\.text) == ["reset,method=POST"])
  }

  @Test func latenciesAddUpWithAnotherFault() throws {
    var plan = try plan("latency=100ms,times=2", "truncate,times=1", "latency=1s")
    #expect(applied(&plan, "GET", "/") == "latency=1100ms truncate")
    #expect(applied(&plan, "GET", "/") == "latency=1100ms")
    #expect(applied(&plan, "GET", "/") == "latency=1s")
  }

  @Test func aShareAppliesToThatFractionReproducibly() throws {
    var (first, second, other) = (
      try plan("reset,share=0.3", seed: 7), try plan("reset,share=0.3", seed: 7), try plan("reset,share=0.3", seed: 8)
    )
    let hits = (0..<10_000).map { _ in first.selectFaults(method: "GET", path: "/").fault != nil }
    #expect(hits == (0..<10_000).map { _ in second.selectFaults(method: "GET", path: "/").fault != nil })
    #expect(hits != (0..<10_000).map { _ in other.selectFaults(method: "GET", path: "/").fault != nil })
    #expect(2800...3200 ~= hits.count { $0 })
    var never = try plan("reset,share=0")
    #expect(applied(&never, "GET", "/") == nil)
  }

  @Test func aRandomLatencyStaysWithinItsBounds() throws {
    var plan = try plan("latency=50ms..200ms")
    let delays = (0..<1000).map { _ in plan.selectFaults(method: "GET", path: "/").delay }
    #expect(delays.allSatisfy { (.milliseconds(50) ... .milliseconds(200)).contains($0) })
    #expect(Set(delays).count > 900)
  }

  @Test(arguments: [
    "latency=200ms", "latency=50ms..2s", "status=503", "status=429,retry-after=5", "status=503,retry-after-date=0",
    "reset", "reset-in-body", "truncate", "drip=10ms", "bad-json", "html", "gzip", "chunked", "chunked-trailer",
    "invalid-utf8",
    "duplicate-keys", "unknown-enum", "wrong-types", "extra-keys", "huge=5000", "redirect=http://localhost:99",
    "escapes",
    "html,path=/v2/*,method=GET,times=3,share=0.25",
  ])
  func rulesRoundTripAsText(_ text: String) throws {
    #expect(try FaultRule(parsing: text).text == text)
  }

  @Test func parsesSizesAndMinutes() throws {
    #expect(try FaultRule(parsing: "huge").fault == .huge(100 << 20))
    #expect(try FaultRule(parsing: "huge=64k").fault == .huge(64 << 10))
    #expect(try FaultRule(parsing: "drip=2m").fault == .drip(.seconds(120)))
  }

  @Test(arguments: [
    "", "nonsense", "status", "status=200", "status=x", "html=1", "reset,path=x", "reset,method=get", "reset,times=0",
    "reset,share=2", "reset,share=nan", "reset,retry-after=1", "reset,unknown=1", "latency", "latency=1", "latency=-1s",
    "latency=2s..1s", "latency=99999999h", "huge=1T", "huge=99999M", "redirect=localhost", "redirect=http://",
    "redirect=http://a/b", "redirect=http://a b", ",", "reset,", "drip",
  ])
  func rejectsInvalidFaults(_ text: String) {
    #expect(throws: FaultSyntaxError.self) { try FaultRule(parsing: text) }
  }

  @Test(arguments: [
    ("*", "/any", true), ("/v2/*", "/v2/me", true), ("/v2/*", "/v1/me", false),
    ("/v2/*/enable", "/v2/a/b/enable", true),
    ("/v2/me", "/v2/me", true), ("/v2/me", "/v2/men", false), ("/*a*b*", "/xaxbx", true), ("/*a*b", "/ba", false),
    ("", "", true), ("/a*", "/a", true), ("*aaaaab", String(repeating: "a", count: 2000), false),
  ])
  func matchesPathPatterns(_ pattern: String, _ path: String, _ isMatch: Bool) {
    #expect(PathPattern(pattern).matches(path) == isMatch)
  }

  // MARK: Responses

  private static let now = Timestamp(milliseconds: 784_111_777_500)

  private func faultyResponse(_ fault: String) throws -> FaultyResponse {
    var plan = try plan(fault)
    return plan.selectFaults(method: "GET", path: "/v2/me").response(to: "/v2/me?x=1", at: Self.now) {
      Response(
        status: 200, headers: [.init("Content-Type", "application/json")],
        body: Array(
          #"{"type":"connection","id":"Kd","name":"Lamps","user_status":"enabled","n":1,"fields":[{"type":"TEXT_FIELD"}]}"#
            .utf8))
    }
  }

  private func body(_ fault: String) throws -> JSONValue { try JSONValue(parsing: faultyResponse(fault).response.body) }

  @Test func sendsRetryAfterInBothForms() throws {
    #expect(try faultyResponse("status=429,retry-after=3").response.header("Retry-After") == "3")
    let dated = try faultyResponse("status=503,retry-after-date=3").response
    #expect(dated.header("Retry-After") == "Sun, 06 Nov 1994 08:49:41 GMT", "at least three seconds later")
    #expect(dated.header("Content-Type") == "text/html; charset=utf-8")
    #expect(try body("status=500")["code"] == "emulator_fault")
    #expect(try body("status=429")["code"] == "emulator_rate_limited")
  }

  @Test func sendsChunksWithAndWithoutATrailer() throws {
    #expect(try faultyResponse("chunked").delivery == .chunked(hasTrailer: false))
    #expect(try faultyResponse("chunked-trailer").delivery == .chunked(hasTrailer: true))
  }

  @Test func aBlockedRequestDoesNotReachTheEmulator() throws {
    for fault in ["status=503", "reset", "redirect=http://localhost:99", "html"] {
      var plan = try plan(fault)
      _ = plan.selectFaults(method: "POST", path: "/").response(to: "/", at: Self.now) {
        Issue.record("\(fault): the emulator received the request")
        return Response(status: 200)
      }
    }
    #expect(
      try faultyResponse("redirect=http://localhost:99").response.header("Location") == "http://localhost:99/v2/me?x=1")
  }

  @Test func corruptsBodiesThatStayJSON() throws {
    #expect(try body("unknown-enum")["user_status"] == "snoozed")
    #expect(try body("unknown-enum")["type"] == "connection")
    #expect(try body("unknown-enum")["fields"]?.array?.first?["type"] == "HOLOGRAM_FIELD")
    #expect(try body("wrong-types")["n"] == "1" && body("wrong-types")["name"] == 404)
    #expect(try body("extra-keys")["x_before"] != nil && body("extra-keys")["name"] == "Lamps")
    #expect(try body("duplicate-keys")["name"] == "Lamps")
    #expect(try body("duplicate-keys").object?.members.count { $0.key == "name" } == 2)
    #expect(try body("escapes")["name"]?.string?.unicodeScalars.contains("\u{1b}") == true)
  }

  @Test func corruptsBodiesIntoInvalidJSON() throws {
    for fault in ["bad-json", "invalid-utf8", "gzip", "html"] {
      #expect(throws: JSONError.self) { try body(fault) }
    }
    #expect(try faultyResponse("gzip").response.header("Content-Encoding") == "gzip")
  }
}
