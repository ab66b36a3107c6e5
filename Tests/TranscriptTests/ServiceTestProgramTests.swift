import Foundation
import Support
import Testing

/// `service test` and the example of a partner's server: everything passes, and each broken rule fails exactly the check
/// of its name.
@Suite(.enabled(if: Tool.isInstalled("python3") && Tool.isInstalled("curl"), "skipped: needs python3 and curl"))
struct ServiceTestProgramTests {
  struct Row: Decodable {
    let check: String
    let part: String
    let endpoint: String
    let result: String
    let message: String?
    let advice: String?
    let request_id: String?
    let elapsed_ms: Int?
  }

  private static let oauth: Set = [
    "token-type", "bad-code", "bad-refresh-token", "state", "ensure-older-refresh-token-does-not-expire-immediately",
  ]
  private static let key = ["IFTTT_SERVICE_KEY": PartnerServer.serviceKey]

  private func rows(_ outcome: Home.Outcome) throws -> [Row] {
    try JSONDecoder().decode([Row].self, from: Data(outcome.output))
  }

  /// The broken rules that only warn.
  private static let warnings: Set = ["status-without-body", "stable-ids"]

  /// The checks that found a broken rule.
  private func failed(_ rows: [Row]) -> Set<String> {
    Set(rows.filter { $0.result == (Self.warnings.contains($0.check) ? "warning" : "failed") }.map(\.check))
  }

  @Test func theExampleHasRules() { #expect(PartnerServer.rules.count >= 42) }

  @Test func theExamplePasses() throws {
    let server = try PartnerServer()
    let home = Home(nil, Self.key)
    let outcome = try home.run(
      "service", "test", server.url, "--definition", PartnerServer.definition, "--webhooks", "--json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let rows = try rows(outcome)
    #expect(rows.allSatisfy { $0.result == "passed" && $0.message == nil && $0.advice == nil })
    #expect(rows.allSatisfy { $0.request_id?.count == 32 && $0.elapsed_ms != nil })
    #expect(Set(rows.map(\.part)).count == 9)
    #expect(rows.contains { $0.endpoint == "triggers/any_lamp_switched_on" }, "only the definition names it")
    let validations = Set(rows.filter { $0.part == "validation" }.map(\.endpoint))
    #expect(
      validations == ["triggers/lamp_switched_on/fields/lamp/validate", "triggers/lamp_of_room_switched_on/validate"])
    let problems = try JSONSchemaValidator.problems(
      of: [outcome.text], against: home.run("schema", "service", "test").text)
    #expect(problems == [])
    #expect(!FileManager.default.fileExists(atPath: home.folder["ifttt.db"]), "no store is needed")
  }

  @Test(arguments: PartnerServer.rules.map(\.name).filter { !oauth.contains($0) })
  func aBrokenRuleFailsItsCheckOnly(_ rule: String) throws {
    let server = try PartnerServer(["--break", rule])
    let outcome = try Home(nil, Self.key).run(
      "service", "test", server.url, "--definition", PartnerServer.definition, "--webhooks", "--json")
    let rows = try rows(outcome)
    #expect(failed(rows) == [rule], "\(rows.filter { $0.result == "failed" })")
    #expect(rows.filter { $0.result == "failed" }.allSatisfy { $0.message != nil && $0.advice != nil })
    #expect(outcome.status == (Self.warnings.contains(rule) ? 0 : 1), "\(outcome.errors)")
    #expect(outcome.code == (Self.warnings.contains(rule) ? nil : "checks_failed"))

    // The samples alone show it too. Only the definition shows which fields a request must have.
    guard rule != "missing-field" else { return }
    let sampled = try Home(nil, Self.key).run("service", "test", server.url, "--webhooks", "--json")
    #expect(failed(try self.rows(sampled)) == [rule], "\(sampled.text)")
  }

  @Test(arguments: PartnerServer.rules.filter { !$0.needsSignIn }.map(\.name))
  func aBrokenRuleOfAServiceWithoutSignInFailsItsCheckOnly(_ rule: String) throws {
    let folder = TemporaryFolder()
    let server = try PartnerServer(["--no-sign-in", "--break", rule])
    let outcome = try Home(nil, Self.key).run(
      "service", "test", server.url, "--definition", PartnerServer.definitionWithoutSignIn(in: folder), "--webhooks",
      "--json")
    #expect(failed(try rows(outcome)) == [rule], "\(outcome.text)")
    #expect(try rows(outcome).allSatisfy { $0.part != "user" })
  }

  @Test(arguments: [nil] + oauth.sorted().map(Optional.some)) func theSignInIsTested(_ rule: String?) throws {
    let server = try PartnerServer(["--auto-allow"] + (rule.map { ["--break", $0] } ?? []))
    let home = Home(nil, Self.key)
    let secret = home.folder.write("secret", PartnerServer.clientSecret + "\n")
    let running = try home.start([
      "service", "test", server.url, "--only", "sign-in", "--sign-in", "--client-id", "ifttt", "--client-secret-file",
      secret, "--authorize-url", "\(server.url)/oauth/authorize", "--token-url", "\(server.url)/oauth/token",
      "--no-browser", "--json",
    ])
    _ = running.read(until: "\(server.url)/oauth/authorize", from: running.errors)
    let query = running.read(until: "\n", from: running.errors).dropLast()
    try PartnerServer.browse("\(server.url)/oauth/authorize\(query)")
    let rows = try JSONDecoder().decode([Row].self, from: Data(running.readToEnd().utf8))
    #expect(failed(rows) == Set([rule].compactMap(\.self)), "\(rows)")
    #expect(rows.count == 9)
    if rule == "state" {
      #expect(rows.allSatisfy { $0.check == "state" || $0.result == "skipped" }, "no code is spent")
    }
    #expect(running.wait() == (rule == nil ? 0 : 1))
  }

  @Test func aFailureShowsACommandThatRepeatsTheRequest() throws {
    let server = try PartnerServer(["--no-sign-in", "--break", "limit-0"])
    let outcome = try Home(nil, Self.key).run("service", "test", server.url, "--only", "limit-0", "-v")
    #expect(outcome.status == 1)
    #expect(outcome.text.hasPrefix("triggers/lamp_switched_on\n  failed   limit-0\n           50 events\n"))
    #expect(!outcome.text.contains(PartnerServer.serviceKey) && !outcome.errors.contains(PartnerServer.serviceKey))
    #expect(outcome.text.contains(#""IFTTT-Service-Key: $IFTTT_SERVICE_KEY""#))
    let command = try #require(
      outcome.text.split(separator: "\n").first { $0.contains("curl -i --compressed -X POST") })
    let again = try Tool.required("bash").run(["-c", String(command)], in: ScratchFolder(), environment: Self.key)
    #expect(again.output.contains("ev-3107"), "\(again.errors)")
  }

  @Test func aFailedSignInShowsNoSecret() throws {
    let server = try PartnerServer(["--auto-allow", "--break", "token-type"])
    let running = try Home(nil, Self.key).start(
      [
        "service", "test", server.url, "--only", "sign-in", "--sign-in", "--client-id", "ifttt", "--authorize-url",
        "\(server.url)/oauth/authorize", "--token-url", "\(server.url)/oauth/token", "--no-browser", "-v",
      ], ["IFTTT_CLIENT_SECRET": PartnerServer.clientSecret])
    _ = running.read(until: "\(server.url)/oauth/authorize?", from: running.errors)
    let query = running.read(until: "\n", from: running.errors).dropLast()
    try PartnerServer.browse("\(server.url)/oauth/authorize?\(query)")
    let shown = running.readToEnd() + running.readToEnd(running.errors)
    #expect(shown.contains("failed   token-type") && shown.contains("--data-binary"))
    #expect(!shown.contains(PartnerServer.clientSecret))
    #expect(running.wait() == 1)
  }

  @Test func aRecordedTestIsReplayed() throws {
    let home = Home(nil, Self.key)
    let server = try PartnerServer(["--break", "newest-first"])
    let words = ["service", "test", server.url, "--webhooks", "--json", "--fields", "check,endpoint,result,message"]
    let recorded = try home.run(words + ["--record", home.folder["record"]])
    let replayed = try home.run(words + ["--replay", home.folder["record"]], ["IFTTT_SERVICE_KEY": ""])
    #expect(recorded.status == 1)
    #expect(replayed.text == recorded.text)
    #expect(replayed.status == 1, "\(replayed.errors)")
  }

  @Test func theReportHasACasePerCheck() throws {
    let home = Home(nil, Self.key)
    let server = try PartnerServer(["--break", "action-id"])
    let report = home.folder["report.xml"]
    let outcome = try home.run("service", "test", server.url, "--report", "junit=\(report)", "-o", "jsonl")
    let xml = try String(contentsOfFile: report, encoding: .utf8)
    let count = outcome.text.split(separator: "\n").count
    #expect(xml.contains(#"name="ifttt service test" tests="\#(count)" failures="1" errors="0""#))
    #expect(xml.contains(#"<testcase name="actions/set_scene action-id""#))
  }

  @Test func theChecksAreInTheJobSummary() throws {
    let home = Home(nil, Self.key)
    home.environment["GITHUB_ACTIONS"] = "true"
    home.environment["GITHUB_STEP_SUMMARY"] = home.folder["summary.md"]
    home.environment["GITHUB_OUTPUT"] = home.folder["output.txt"]
    func text(_ name: String) -> String? { try? String(contentsOfFile: home.folder[name], encoding: .utf8) }
    let server = try PartnerServer(["--break", "action-id"])
    let outcome = try home.run("service", "test", server.url, "-o", "jsonl")
    let count = outcome.text.split(separator: "\n").count
    let summary = try #require(text("summary.md"))
    #expect(summary.hasPrefix("### ifttt service test\n\n") && summary.contains(" of \(count) done, 1 failed"))
    #expect(
      summary.contains("| <code>actions&#47;set&#95;scene action&#45;id</code> | failed&#58; checks&#95;failed | "))
    #expect(text("output.txt")?.hasPrefix("total=\(count)\n") == true)
    #expect(text("output.txt")?.hasSuffix("errors=checks_failed\n") == true)
    #expect(outcome.errors.contains("::error title=ifttt%3A actions/set_scene action-id%3A checks_failed::"))
  }

  /// If the server cannot be reached, no check is counted twice.
  @Test func anUnreachableServerLeavesAnUnfinishedReport() throws {
    let home = Home(nil, Self.key)
    let report = home.folder["report.xml"]
    let port = try ClosedPort()
    let outcome = try home.run(
      "service", "test", "http://127.0.0.1:\(port.number)", "--report", "junit=\(report)", "--retries", "0")
    #expect(outcome.status == 5, "\(outcome.errors)")
    let xml = try String(contentsOfFile: report, encoding: .utf8)
    #expect(xml.contains(#"errors="1""#) && xml.contains("the run did not finish"), "\(xml)")
    let names = xml.components(separatedBy: "<testcase name=").dropFirst().map { $0.prefix { $0 != ">" } }
    #expect(Set(names).count == names.count, "\(xml)")
  }

  @Test func selectionsLimitTheRequests() throws {
    let home = Home(nil, Self.key)
    let log = home.folder["log"]
    let server = try PartnerServer(["--log", log])
    let outcome = try home.run(
      "service", "test", server.url, "--only", "triggers/lamp_switched_on", "--skip", "options,with extra data", "-o",
      "csv", "--fields", "check,part", "--no-header")
    #expect(outcome.status == 0)
    #expect(Set(outcome.text.split(separator: "\n").map { $0.split(separator: ",")[1] }) == ["triggers", "validation"])
    #expect(!outcome.text.contains("with-extra-data"))
    let requests = try String(contentsOfFile: log, encoding: .utf8)
    #expect(!requests.contains("/actions/") && !requests.contains("/status") && !requests.contains("/options"))
  }

  @Test func failFastEndsTheRequests() throws {
    let home = Home(nil, Self.key)
    let log = home.folder["log"]
    let server = try PartnerServer(["--log", log, "--break", "setup-samples"])
    let outcome = try home.run("service", "test", server.url, "--fail-fast", "--json")
    #expect(failed(try rows(outcome)) == ["setup-samples"])
    #expect(try rows(outcome).allSatisfy { $0.part == "setup" })
    let requests = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    #expect(requests.count == 1 && outcome.status == 1)
  }

  @Test func everyRequestLooksLikeOneOfIFTTT() throws {
    let home = Home(nil, Self.key)
    let log = home.folder["log"]
    let server = try PartnerServer(["--log", log])
    #expect(try home.run("service", "test", server.url, "--webhooks", "--quiet").status == 0)
    let records = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(records.count > 30)
    let all = records.compactMap { $0["headers"] as? [String: String] }
    #expect(Set(all.compactMap { $0["X-Request-ID"] }).count == records.count)
    for (record, headers) in zip(records, all) {
      #expect(headers["IFTTT-Test-Mode"] == "1")
      #expect(headers["Accept"] == "application/json" && headers["Accept-Charset"] == "utf-8")
      #expect(headers["Accept-Encoding"] == "gzip, deflate")
      #expect((headers["IFTTT-Service-Key"] == nil) == (headers["IFTTT-Channel-Key"] == nil))
      #expect((headers["Authorization"] == nil) != (headers["IFTTT-Service-Key"] == nil))
      let path = record["path"] as? String ?? ""
      if path.hasSuffix("/test/setup") {
        #expect(headers["Content-Length"] == "0" && headers["Content-Type"] == nil)
      } else if record["method"] as? String == "POST" {
        #expect(headers["Content-Type"] == "application/json")
        let body = record["body"] as? [String: Any] ?? [:]
        #expect(body.keys.contains { $0.hasPrefix("random_") }, "\(path)")
      }
    }
  }

  @Test func anUnreachableServerHasItsOwnExitCode() throws {
    let outcome = try Home(nil, Self.key).run(
      "service", "test", "http://127.0.0.1:\(try ClosedPort().number)", "--json")
    #expect(outcome.status == 5)
    #expect(outcome.code == "network")
    #expect(outcome.text == "")
  }

  @Test func aMissingKeyIsAnError() throws {
    let outcome = try Home().run("service", "test", "http://127.0.0.1:1", "--json")
    #expect(outcome.status == 4)
    #expect(outcome.errors.contains("--service-key-file"))
  }
}
