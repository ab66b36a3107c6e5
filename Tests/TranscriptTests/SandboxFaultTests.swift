import Foundation
import Support
import Testing

/// Every server fault, injected into the sandbox server and received by the program through libcurl. The exit code
/// and the error code are exact, and the store loses nothing. All faults of a test meet the same server and home, so
/// none may affect the next.
@Suite struct SandboxFaultTests {
  let server: SandboxServer
  let home: Home
  static let id = "Kd7Rn2Qx"

  init() throws {
    server = try SandboxServer()
    home = server.user()
    // Data that must not be lost.
    #expect(try home.run("connections", "add", "Fq3Lw8Zt", Self.id).status == 0)
    let token = try home.run(["token", "exchange"], ["IFTTT_USER_TOKEN": ""])
    #expect(token.status == 0, "\(token.errors)")
  }

  /// Check that all stored data is still present and intact.
  private func expectNothingLost(_ fault: String) throws {
    #expect(try home.isIntact(), "\(fault)")
    #expect(try home.tracked().sorted() == ["Fq3Lw8Zt", Self.id], "\(fault)")
    let token = try home.run("token", "show", "--fields", "user_id", "-o", "tsv", "--no-header")
    #expect(token.text == "u-5521\n", "\(fault)")
  }

  /// The requests after the last one that an earlier fault could apply to.
  private func requests(after last: inout Int) throws -> [SandboxServer.Record] {
    let requests = try server.requests().filter { $0.number > last }
    last = requests.last?.number ?? last
    return requests
  }

  static let recoverable = [
    "latency=20ms..40ms", "status=500,times=1,path=/none", "status=502,times=1", "status=503,times=1",
    "status=504,times=1", "status=503,retry-after=1,times=1", "status=503,retry-after-date=1,times=1",
    "status=429,retry-after=1,times=1", "status=429,retry-after-date=1,times=1", "reset,times=1",
    "reset-in-body,times=1", "truncate,times=1", "gzip", "chunked", "chunked-trailer", "duplicate-keys", "unknown-enum",
    "wrong-types",
    "extra-keys", "huge=100k", "escapes",
  ]

  @Test func recoverableFaultsStillShowTheConnection() throws {
    var last = 0
    _ = try requests(after: &last)
    for fault in Self.recoverable {
      do { try expectConnection(fault, after: &last) } catch { Issue.record(error, "\(fault)") }
    }
  }

  private func expectConnection(_ fault: String, after last: inout Int) throws {
    try server.setFaults(fault)
    let started = ContinuousClock.now
    let outcome = try home.run("connections", "show", Self.id, "--json", "--fields", "id,status")
    #expect(outcome.status == 0, "\(fault): \(outcome.errors)")
    #expect(outcome.errors == "", "\(fault)")
    #expect(outcome.text.hasPrefix(#"{"id":"Kd7Rn2Qx","status":""#), "\(fault): \(outcome.text)")
    if fault.contains("retry-after") {
      #expect(ContinuousClock.now - started >= .seconds(1), "\(fault): sooner than was asked")
    }
    let tries = try requests(after: &last).filter { $0.path.hasSuffix(Self.id) && $0.fault != nil }
    #expect(tries.isEmpty == fault.contains("/none"), "\(fault)")
    try expectNothingLost(fault)
  }

  /// The first item's response arrives last.
  @Test func failuresAreReportedInTheRequestedOrder() throws {
    try server.setFaults("latency=300ms,path=/v2/connections/nosuch1")
    let summary = home.workplace.write("summary.md", "")
    let environment = ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": summary]
    let outcome = try home.run(["connections", "show", "nosuch1", "nosuch2", "nosuch3"], environment)
    #expect(outcome.status == 3, "\(outcome.errors)")
    let names = ["nosuch1", "nosuch2", "nosuch3"]
    let items = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("  - ") }
    #expect(items.compactMap { $0.dropFirst(4).split(separator: ":").first.map(String.init) } == names)
    let rows = try #require(home.workplace.text("summary.md")).split(separator: "\n").filter { $0.contains("nosuch") }
    #expect(rows.count == 3 && zip(rows, names).allSatisfy { $0.contains($1) }, "\(rows)")
  }

  /// The response for the first connection arrives last.
  @Test func aWatchShowsConnectionsInTheRequestedOrder() throws {
    try server.setFaults("latency=300ms,path=/v2/connections/\(Self.id)")
    let outcome = try home.run([
      "connections", "watch", Self.id, "Xe2Gf9Ln", "--initial", "--timeout", "0", "-o", "jsonl", "--fields", "id",
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let expected = "{\"id\":\"\(Self.id)\"}\n{\"id\":\"Xe2Gf9Ln\"}\n"
    #expect(String(decoding: outcome.output, as: UTF8.self) == expected)
  }

  static let failures: [(fault: String, status: Int32, code: String)] = [
    ("status=500", 5, "server_error"), ("status=502", 5, "server_error"), ("status=503", 5, "server_error"),
    ("status=503,retry-after=3600", 5, "server_error"), ("status=503,retry-after-date=3600", 5, "server_error"),
    ("status=429,retry-after=3600", 5, "rate_limited"), ("status=429,retry-after-date=3600", 5, "rate_limited"),
    ("status=401", 4, "unauthorized"), ("status=403", 4, "forbidden"), ("status=404", 3, "not_found"),
    ("status=409", 1, "conflict"), ("status=422", 1, "invalid_parameters"), ("reset", 5, "network"),
    ("reset-in-body", 5, "network"), ("truncate", 5, "network"), ("bad-json", 5, "bad_response"),
    ("html", 5, "bad_response"), ("invalid-utf8", 5, "bad_response"), ("huge=100M", 5, "bad_response"),
    ("drip=50ms", 5, "timeout"), ("latency=1h", 5, "timeout"),
  ]

  @Test func showReportsEachFault() throws { try expectFailures(["connections", "show", Self.id]) }

  @Test func refreshReportsEachFault() throws { try expectFailures(["connections", "list", "--refresh"]) }

  @Test func enableReportsEachFault() throws {
    #expect(try home.run("connections", "disable", Self.id).status == 0)
    try expectFailures(["connections", "enable", Self.id, "--force"]) { fault, _, requests in
      // It ends when it cannot read the connection, which therefore remains disabled for the next fault.
      #expect(requests.allSatisfy { $0.method == "GET" }, "\(fault)")
    }
  }

  @Test func exchangeReportsEachFault() throws {
    try expectFailures(["token", "exchange"]) { fault, outcome, _ in
      #expect(!outcome.errors.contains("at_7f20c1"), "\(fault)")
    }
  }

  /// - Parameter check: receives a fault, the outcome with it, and the requests meanwhile.
  private func expectFailures(
    _ words: [String], check: (String, Home.Outcome, [SandboxServer.Record]) -> Void = { _, _, _ in }
  ) throws {
    var last = 0
    _ = try requests(after: &last)
    for (fault, status, code) in Self.failures {
      do {
        try server.setFaults(fault)
        let waits = fault.hasPrefix("drip") || fault.hasPrefix("latency")
        let limits = ["--retries", "0", "--timeout", waits ? "300ms" : "1h", "--max-age", "0"]
        let outcome = try home.run(words + ["--json"] + limits)
        #expect(outcome.status == status, "\(fault): \(outcome.errors)")
        #expect(outcome.code == code, "\(fault): \(outcome.errors)")
        let requests = try requests(after: &last)
        #expect(requests.contains { $0.fault != nil }, "\(fault): no request met it")
        check(fault, outcome, requests)
        try expectNothingLost(fault)
      } catch { Issue.record(error, "\(fault)") }
    }
  }

  @Test func redirectsToAnotherHostDropCredentials() throws {
    let other = try SandboxServer()
    try server.setFaults("redirect=\(other.url),method=GET")
    let outcome = try home.run("connections", "show", Self.id, "--json", "--fields", "id,status")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let there = try other.requests()
    #expect(there.map(\.path) == ["/v2/connections/\(Self.id)"])
    let names = Set(there.flatMap(\.headers.keys).map { $0.lowercased() })
    #expect(names.isDisjoint(with: ["authorization", "ifttt-service-key", "ifttt-invite-code", "cookie"]), "\(names)")
    try server.setFaults("redirect=\(other.url),method=POST")
    #expect(try home.run("connections", "disable", Self.id, "--force", "--json").status == 5)
    #expect(try home.run("token", "exchange", "--json").status == 5)
    #expect(try other.requests().allSatisfy { $0.method == "GET" }, "changes are not redirected")
    try expectNothingLost("redirect")
  }

  @Test func aTokenIsSavedAfterAFailedExchange() throws {
    try server.setFaults("truncate,path=/v2/user_token,times=1")
    #expect(try home.run("token", "exchange", "--json").status == 5)
    #expect(try home.run("token", "exchange", "--json").status == 0)
    try expectNothingLost("exchange")
  }

  @Test func hostileNamesAreSafeOnATerminal() throws {
    try server.setFaults("escapes")
    for words in [["show", Self.id], ["list", "--refresh"]] {
      let outcome = try home.run(["connections"] + words + ["-o", "table"])
      #expect(outcome.status == 0 && outcome.text.isSafeForTerminal, "\(outcome.text.debugDescription)")
    }
  }
}
