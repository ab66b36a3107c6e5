import HTTP
import JSON
import ProgramDriver
import Session
import Support
import Testing
import World

/// The problem and the exit code for each failure of IFTTT, of the network and of the store.
@Suite struct ProblemTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let status: Int
    let body: String
    let code: String
    let exit: ExitCode
    let message: String
    var testDescription: String { "\(status) \(code)" }
  }

  static let cases = [
    Case(
      status: 401, body: Server.error("unauthorized", "Bad token"), code: "unauthorized", exit: .credentials,
      message: "IFTTT requires a credential for this request: IFTTT responded with 401 unauthorized: Bad token"),
    Case(
      status: 403, body: Server.error("forbidden", "Not yours"), code: "forbidden", exit: .credentials,
      message: "anonymous access does not allow this: IFTTT responded with 403 forbidden: Not yours"),
    Case(
      status: 404, body: Server.error("not_found", "Gone"), code: "not_found", exit: .notFound,
      message: "no connection 'aa', or these credentials cannot access it: IFTTT responded with 404 not_found: Gone"),
    Case(
      status: 409, body: Server.error("conflict", "Busy"), code: "conflict", exit: .failure,
      message: "the request conflicts with the current state: IFTTT responded with 409 conflict: Busy"),
    Case(
      status: 418, body: "", code: "refused", exit: .failure,
      message: "IFTTT rejected the request: IFTTT responded with 418"),
    Case(
      status: 422, body: Server.error("invalid_parameters", "No"), code: "invalid_parameters", exit: .failure,
      message: "IFTTT rejected the parameters: IFTTT responded with 422 invalid_parameters: No"),
    Case(
      status: 429, body: "", code: "rate_limited", exit: .unavailable,
      message: "too many requests: IFTTT responded with 429"),
    Case(
      status: 500, body: "{", code: "server_error", exit: .unavailable,
      message: "IFTTT failed: IFTTT responded with 500"),
    Case(
      status: 502, body: "<html>Bad gateway</html>", code: "server_error", exit: .unavailable,
      message: "a service behind IFTTT failed: IFTTT responded with 502"),
    Case(
      status: 502, body: Server.error("downstream", "Out of reach"), code: "refused", exit: .failure,
      message: "the service behind IFTTT did not process the request: IFTTT responded with 502 downstream: Out of reach"
    ),
    Case(
      status: 200, body: "<html>Log in</html>", code: "bad_response", exit: .unavailable,
      message: "the response cannot be read: it is not JSON"),
    Case(
      status: 200, body: #"{"type":"connection","id":"#, code: "bad_response", exit: .unavailable,
      message: "the response cannot be read: it is not JSON"),
    Case(
      status: 200, body: "", code: "bad_response", exit: .unavailable,
      message: "the response cannot be read: the body is empty"),
    Case(
      status: 200, body: "[]", code: "bad_response", exit: .unavailable,
      message: "the response cannot be read: it is not a JSON object; it begins: []"),
  ]

  @Test(arguments: cases)
  func errorResponsesBecomeProblems(_ expected: Case) throws {
    let answer = { Server().answering(expected.status, expected.body) }
    let home = Home()
    let json = home.run("--retries 0 connections show aa --json", answers: answer())
    #expect(json.output == "")
    #expect(json.exit == expected.exit)
    #expect(json.errors.split(separator: "\n").count == 1, "one line")
    let error = try JSONValue(parsing: Array(json.errors.utf8))["error"]
    #expect(error?["code"]?.string == expected.code)
    #expect(error?["message"]?.string?.hasPrefix(expected.message) == true, "\(error?["message"]?.string ?? "")")
    #expect(error?["hint"]?.string?.isEmpty == false)
    #expect(error?["status"]?.int == expected.status)
    #expect(
      error?.object?.members.map(\.key) == [
        "code", "message", "hint", "status", "details", "exit_code", "request_id", "attempts", "retry_after",
      ])
    #expect(error?["exit_code"]?.int == Int(expected.exit.rawValue))
    #expect(error?["attempts"]?.int == 1)
    #expect(error?["request_id"]?.isNull == true)
    #expect(error?["retry_after"]?.isNull == true)
    let table = home.run("--retries 0 connections show aa", answers: answer())
    #expect(table.exit == expected.exit, "the format does not affect the exit code")
    #expect(table.errors.hasPrefix("ifttt: "))
    #expect(table.notes.count == 3, "message, reason and hint")
  }

  @Test func detailsAreShown() {
    let details = #","details":[{"parameter":"/fields/a","message":"is missing"},{"message":"too\u001b many"}]"#
    let body = Server.error("invalid_parameters", "Look at these", details: details)
    let shown = Home().run("connections show aa", answers: Server().answering(422, body))
    #expect(
      shown.notes.prefix(3) == [
        "ifttt: IFTTT rejected the parameters", "  IFTTT responded with 422 invalid_parameters: Look at these",
        "  - /fields/a: is missing",
      ])
    #expect(!shown.errors.unicodeScalars.contains("\u{1b}"))
    let json = Home().run("connections show aa --json", answers: Server().answering(422, body))
    #expect(
      json.errors.hasSuffix(
        #""details":[{"parameter":"/fields/a","message":"is missing"},{"parameter":null,"message":"too\u001b many"}],"#
          + #""exit_code":1,"request_id":null,"attempts":1,"retry_after":null}}"# + "\n"))
  }

  /// The members that a script needs to decide about a retry and to report the failure to IFTTT.
  @Test func theJSONContainsStatusRequestIDAttemptsAndRetryAfter() throws {
    func error(_ line: String, _ server: Server) throws -> JSONValue? {
      try JSONValue(parsing: Array(Home().run(line, answers: server).errors.utf8))["error"]
    }
    let id = Server.field("X-Request-Id", "0af7651916cd43dd8448eb211c80319c")
    let busy = Server().answering(503).answering(503, headers: [id, Server.field("Retry-After", "120")])
    let limited = try error("connections show aa --json", busy)
    #expect(limited?["attempts"] == 2)
    #expect(limited?["request_id"] == "0af7651916cd43dd8448eb211c80319c")
    #expect(limited?["retry_after"] == 120)
    // The date form of the header, relative to the server's own clock.
    let dated = Server().answering(
      429,
      headers: [
        Server.field("Date", "Sun, 06 Nov 1994 08:49:37 GMT"),
        Server.field("Retry-After", "Sun, 06 Nov 1994 08:51:07 GMT"),
      ])
    #expect(try error("connections show aa --json", dated)?["retry_after"] == 90)
    let unreadable = Server().answering(200, "<html>", headers: [id])
    #expect(try error("connections show aa --json", unreadable)?["request_id"] == "0af7651916cd43dd8448eb211c80319c")
    let broken = Server().failing(.connect, "no").failing(.connect, "no")
    #expect(try error("connections show aa --json --retries 1", broken)?["attempts"] == 2)
    let offline = try error("--offline token verify --as anonymous --json", Server())
    #expect(offline?["attempts"]?.isNull == true)
    #expect(offline?["exit_code"] == 5)
  }

  /// Bidirectional marks and control characters never reach a terminal.
  @Test func aTerminalGetsTheJSONOfAnErrorEscaped() throws {
    let words = #"a\u202eb\u2066c\u200fd\ufeffe\u001b[2Jé"#
    let home = Home()
    home.terminal = Terminal(inputIsTerminal: false, outputIsTerminal: false, errorIsTerminal: true, columns: 80)
    let server = Server().answering(404, Server.error("not_found", words))
    let shown = home.run("connections show aa --json", answers: server).errors
    #expect(shown.contains(words), "\(shown)")
    for hazard in ["\u{202e}", "\u{2066}", "\u{200f}", "\u{feff}", "\u{1b}"] as [Unicode.Scalar] {
      #expect(!shown.unicodeScalars.contains(hazard))
    }
    #expect(shown.split(separator: "\n").count == 1)
    #expect(try JSONValue(parsing: Array(shown.utf8))["error"]?["message"]?.string?.contains("a\u{202e}b") == true)
    let usage = home.run("connections 'l\u{202e}st' --json").errors
    #expect(usage.contains(#"\u202e"#) && !usage.unicodeScalars.contains("\u{202e}"))
  }

  /// An available secret that was not sent is also masked if the server repeats it.
  @Test func everySecretOfTheSessionIsMasked() {
    let home = Home()
    home.environment = [
      "IFTTT_USER_TOKEN": "token-of-the-tests-0123456789", "IFTTT_SERVICE_KEY": "key-of-the-tests-987654",
    ]
    home.run(
      "token set --user-id other --user-token-file -", input: .text("kept-token-of-the-tests-4711"))
    home.secrets += ["token-of-the-tests-0123456789", "key-of-the-tests-987654", "kept-token-of-the-tests-4711"]
    let encoded = "a2V5LW9mLXRoZS10ZXN0cy05ODc2NTQ="
    home.secrets.append(encoded)
    let words = "no key-of-the-tests-987654, kept-token-of-the-tests-4711 or \(encoded)"
    for line in ["connections show aa", "connections show aa bb --json", "api v2/x --fields id", "-v token verify"] {
      let server = Server().answering(404, Server.error("not_found", words))
      if line.contains("bb") { _ = server.answering(500, words) }
      // Only a requested body is printed unchanged.
      let shown = home.run("--retries 0 \(line)", answers: server, reveals: line.hasPrefix("api"))
      #expect(shown.exit != .success)
      for secret in home.secrets { #expect(!shown.errors.contains(secret), "\(line)") }
    }
  }

  @Test func aRateLimitBeyondTheTimeoutIsReported() {
    let server = Server().answering(429, "", headers: [Server.field("Retry-After", "90")])
    let limited = Home().run("connections show aa", answers: server)
    #expect(server.requests.count == 1, "90 s are more than --timeout allows")
    #expect(limited.notes.last == "  Try again in 90 s, or with fewer --jobs.")
  }

  @Test func idempotentRequestsAreRetried() {
    let server = Server().answering(503).answering(429, "", headers: [Server.field("Retry-After", "2")]).failing(
      .broken, "reset"
    )
    .answering(200, Server.connection("aa"))
    let shown = Home().run("connections show aa --fields id -o csv --no-header", answers: server)
    #expect(shown.output == "aa\n")
    #expect(shown.errors == "")
    #expect(server.requests.count == 4)
  }

  @Test func networkFailuresHaveTheirOwnCodes() {
    for (kind, code, exit) in [
      (.resolve, "network", .unavailable), (.connect, "network", .unavailable), (.timeout, "timeout", .unavailable),
      (.tls, "tls", .unavailable), (.proxy, "network", .unavailable), (.broken, "network", .unavailable),
      (.tooLarge, "bad_response", .unavailable), (.unsupported, "refused", .failure),
      (.noMemory, "refused", .failure), (.missingLibrary, "missing_library", .failure),
    ] as [(TransportKind, String, ExitCode)] {
      let server = Server().failing(kind, "the words of it")
      let failed = Home().run("--retries 0 connections show aa --json", answers: server)
      #expect(failed.exit == exit)
      let what =
        kind.isLocal
        ? "the request to https://connect.ifttt.com cannot be sent" : "no response from https://connect.ifttt.com"
      #expect(
        failed.errors.hasPrefix(
          #"{"error":{"code":"\#(code)","message":"\#(what): the words of it","hint":""#))
    }
    let offline = Home().run("--offline token verify --as anonymous")
    #expect(offline.exit == .unavailable)
    #expect(offline.notes.last == "  Omit --offline to use the network.")
  }

  /// The advice follows the cause, and is given once.
  @Test func eachLocalFailureHasItsOwnHint() {
    func hint(_ kind: TransportKind) -> String {
      Home().run("--retries 0 connections show aa", answers: Server().failing(kind, "the words of it")).notes.last ?? ""
    }
    #expect(hint(.missingLibrary).hasPrefix("  Install libcurl"))
    #expect(hint(.noMemory).contains("memory") && !hint(.noMemory).contains("libcurl"))
    #expect(!hint(.unsupported).contains("libcurl"))
  }

  @Test func rejectedParametersWithoutDetailsPromiseNone() {
    let body = Server.error("emulator_pending", "The configuration is pending")
    let refused = Home().run("connections show aa", answers: Server().answering(422, body))
    #expect(refused.notes.last == "  -v shows the request.")
  }

  @Test func aRedirectToAnotherHostDropsTheCredential() {
    let home = Home()
    home.environment["IFTTT_USER_TOKEN"] = "user-token-0123456789-abcdef"
    let elsewhere = [("Location", "https://evil.example/v2/connections/aa")].map { Server.field($0.0, $0.1) }
    let server = Server().answering(302, "", headers: elsewhere).answering(200, Server.connection("aa"))
    home.run("connections show aa", answers: server)
    #expect(server.requests.map { $0.header("Authorization") } == ["Bearer user-token-0123456789-abcdef", nil])
  }

  @Test func everyCodeHasAnExitCode() {
    #expect(Set(Problem.Code.allCases.map(\.exit)) == Set(ExitCode.allCases.filter { $0 != .success }))
    for code in Problem.Code.allCases where code.rawValue.hasPrefix("store_") { #expect(code.exit == .store) }
  }

  @Test func aUsageErrorIsOneJSONLine() {
    let refused = Home().run("connections lst --json")
    #expect(refused.exit == .usage)
    #expect(refused.output == "")
    #expect(
      refused.errors == #"{"error":{"code":"usage","message":"unknown command 'lst' of 'ifttt connections'","#
        + #""hint":"Did you mean 'ifttt connections list --json'?","status":null,"details":[],"exit_code":2,"request_id":null,"attempts":null,"#
        + #""retry_after":null}}"# + "\n")
    let home = Home()
    home.environment["IFTTT_OUTPUT"] = "json"
    #expect(home.run("connections lst").errors == refused.errors.replacing(" --json'", with: "'"))
  }
}
