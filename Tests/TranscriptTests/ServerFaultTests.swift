import Foundation
import Support
import Testing

/// The result of each server fault: a known exit code, a known error code, and no harm.
@Suite struct ServerFaultTests {
  let server: Server
  let home: Home

  init() throws {
    server = try Server.shared()
    home = Home(server)
  }

  private func show(_ fault: String, _ words: [String] = ["--json"]) throws -> Home.Outcome {
    try home.run(["connections", "show", "fault-\(fault)"] + words)
  }

  @Test(arguments: [
    "latency", "flaky-502", "flaky-503", "flaky-503-after", "flaky-504", "flaky-429-seconds", "flaky-429-date",
    "flaky-reset", "gzip", "chunked", "list", "duplicate", "unknown-enum", "wrong-types", "extra", "big-name", "nul",
    "escapes", "wrong-type",
  ])
  func recoverableFaultsStillShowTheConnection(_ fault: String) throws {
    let outcome = try show(fault, ["--json", "--track"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors == "")
    let connection = try #require(JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
    #expect(connection["id"] as? String == "fault-\(fault)")
    if fault.hasPrefix("flaky") { #expect(try server.count(of: "fault-\(fault)") == 2) }
    #expect(try home.tracked() == ["fault-\(fault)"])
  }

  @Test(arguments: [
    ("400", 1, "refused"), ("401", 4, "unauthorized"), ("403", 4, "forbidden"), ("409", 1, "conflict"),
    ("418", 1, "refused"), ("422", 1, "invalid_parameters"), ("500", 5, "server_error"), ("error-200", 1, "refused"),
    ("wait-503", 5, "server_error"), ("wait-429", 5, "rate_limited"), ("wait-429-date", 5, "rate_limited"),
    ("reset", 5, "network"), ("reset-in-body", 5, "network"), ("truncated", 5, "network"),
    ("cut-chunk", 5, "network"), ("garbage", 5, "network"), ("bad-gzip", 5, "network"),
    ("broken-json", 5, "bad_response"), ("html", 5, "bad_response"), ("empty", 5, "bad_response"),
    ("204", 5, "bad_response"), ("array", 5, "bad_response"), ("number", 5, "bad_response"),
    ("null", 5, "bad_response"), ("no-id", 5, "bad_response"), ("wrong-id", 5, "bad_response"),
    ("deep", 5, "bad_response"), ("bad-utf8", 5, "bad_response"), ("raw-control", 5, "bad_response"),
    ("two", 5, "bad_response"), ("huge", 5, "bad_response"), ("endless", 5, "bad_response"),
    ("loop", 5, "bad_response"),
  ])
  func faultsHaveKnownCodes(_ fault: String, _ status: Int32, _ code: String) throws {
    let outcome = try show(fault, ["--json", "--retries", "0"])
    #expect(outcome.status == status, "\(outcome.errors)")
    #expect(outcome.code == code, "\(outcome.errors)")
    #expect(outcome.text == "")
    // The text output shows the same failure, and nothing that a terminal would interpret.
    let words = try show(fault, ["--retries", "0"])
    #expect(words.status == status)
    #expect(words.errors.hasPrefix("ifttt: "))
    #expect(words.errors.isSafeForTerminal, "\(words.errors.debugDescription)")
    #expect(try home.tracked() == [])
    _ = try server.requests()
  }

  @Test func honorsTheTimeout() throws {
    let outcome = try show("drip", ["--json", "--timeout", "200ms"])
    #expect(outcome.status == 5)
    #expect(outcome.code == "timeout")
    #expect(try server.count(of: "fault-drip") == 1)
  }

  @Test func doesNotWaitPastTheTimeout() throws {
    let outcome = try show("wait-503-long", ["--json", "--timeout", "1h"])
    #expect(outcome.status == 5)
    #expect(outcome.code == "server_error")
    #expect(try server.count(of: "fault-wait-503-long") == 1)
  }

  /// Not every invalid byte sequence is a failure: the text is either rejected or made printable.
  @Test(arguments: ["surrogate", "bom"]) func invalidTextIsRejectedOrRepaired(_ fault: String) throws {
    let outcome = try show(fault)
    if outcome.status == 0 {
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(outcome.output)) }
    } else {
      #expect(outcome.code == "bad_response")
    }
  }

  @Test(arguments: ["escapes", "nul"], ["table", "json", "jsonl"])
  func namesAreSafeOnATerminal(_ fault: String, _ format: String) throws {
    for words in [["show", "fault-\(fault)", "--track"], ["list"]] {
      let outcome = try home.run(["connections"] + words + ["-o", format])
      #expect(outcome.status == 0)
      // JSON escapes control characters itself, but treats a direction change as an ordinary character.
      let isPlain = format == "table" ? outcome.text.isSafeForTerminal : outcome.text.isWithoutControlCharacters
      #expect(isPlain, "\(outcome.text.debugDescription)")
    }
  }

  @Test func redirectsElsewhereDropCredentials() throws {
    let other = try Server()
    let first = try Server(other: other)
    let home = Home(first, Known.asUser)
    let outcome = try home.run("connections", "show", "fault-elsewhere", "--json", "--invite-code", "lantern-4417")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try first.requests().map(\.level) == ["user"])
    let record = try #require(try other.requests().first)
    #expect(record.level == "none")
    #expect(record.header("IFTTT-Invite-Code") == nil)
    #expect(record.line == "GET /v2/connections/fault-elsewhere")
    #expect(try home.run("connections", "disable", "fault-elsewhere", "--force", "--json").status == 5)
    #expect(try other.requests().allSatisfy { $0.method == "GET" })
  }
}
