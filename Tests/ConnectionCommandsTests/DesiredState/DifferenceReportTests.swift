import JSON
import ProgramDriver
import Support
import Testing

@testable import Session

/// The reports of `connections diff`, and its summary and outputs in GitHub Actions.
@Suite struct DifferenceReportTests {
  private static let file = #"""
    {
      "version": 1,
      "connections": [
        {
          "id": "Kd7Rn2Qx",
          "features": [
            {
              "feature": "mw4tq9hzjc",
              "fields": {
                "scene": "Evening"
              }
            }
          ],
          "status": "disabled"
        },
        { "id": "Rw9Ky4Hc" },
        { "id": "nope0000" }
      ]
    }
    """#

  private func home() -> Home {
    let home = Home()
    home.environment["GITHUB_ACTIONS"] = "true"
    home.environment["GITHUB_STEP_SUMMARY"] = home.folder["summary.md"]
    home.environment["GITHUB_OUTPUT"] = home.folder["output.txt"]
    return home
  }

  private func diff(_ options: String, _ text: String = file, in home: Home) -> Home.Outcome {
    home.sandbox("connections diff \(home.folder.write("connections.json", text)) --json \(options)")
  }

  @Test func aDifferingConnectionFailsInTheSummary() {
    let home = home()
    let outcome = diff("", in: home)
    #expect(outcome.exit == .partial, "\(outcome.errors)")
    let text = home.folder.text("summary.md") ?? ""
    #expect(text.hasPrefix("### ifttt connections diff\n\n1 of 3 done, 2 failed.\n"), "\(text)")
    let differences =
      "2 differences&#58; mw4tq9hzjc&#46;scene &#40;Scene&#41;&#58; sc&#95;04 → sc&#95;01&#59; status&#58; enabled → disabled"
    #expect(text.contains("| <code>Kd7Rn2Qx</code> | failed&#58; differs | <code>\(differences)</code> |"), "\(text)")
    #expect(text.contains("| <code>nope0000</code> | failed&#58; not&#95;found | "), "\(text)")
    #expect(
      home.folder.text("output.txt") == "total=3\nsucceeded=1\nfailed=2\nskipped=0\nerrors=differs,not_found\n")
    #expect(outcome.errors.contains("::error title=ifttt%3A nope0000%3A not_found::"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("Kd7Rn2Qx%3A"), "a difference is not an error of the run")
  }

  /// Differences alone fail the run only with --exit-code.
  @Test(arguments: ["", "--max-age 0", "--exit-code"]) func theExitCodeIsAsBefore(_ option: String) throws {
    let home = home()
    let text = Self.file.replacing(",\n    { \"id\": \"nope0000\" }", with: "")
    let outcome = diff("\(option) --report dotenv=\(home.folder["counts.env"])", text, in: home)
    #expect(outcome.exit == (option == "--exit-code" ? .notYet : .success), "\(outcome.errors)")
    #expect(
      home.folder.text("counts.env")
        == "IFTTT_TOTAL=2\nIFTTT_SUCCEEDED=1\nIFTTT_FAILED=1\nIFTTT_SKIPPED=0\nIFTTT_ERRORS=differs\n")
    let exported = home.sandbox("connections export --all").output
    try #require(home.folder.write("output.txt", "") != "")
    #expect(diff("--exit-code", exported, in: home).exit == .success)
    #expect(home.folder.text("output.txt")?.contains("failed=0\nskipped=0\nerrors=\n") == true)
  }

  @Test func findingsAreAtTheirLines() throws {
    let home = home()
    let path = home.folder["findings.json"]
    _ = diff("--report codequality=\(path) --report junit=\(home.folder["report.xml"])", in: home)
    let findings = try #require(JSONValue(parsing: Array((home.folder.text("findings.json") ?? "").utf8)).array)
    #expect(findings.map { $0["location"]?["lines"]?["begin"]?.int } == [10, 14, 17])
    #expect(findings.map { $0["check_name"]?.string } == ["ifttt/differs", "ifttt/differs", "ifttt/not_found"])
    #expect(findings[1]["description"]?.string == "Kd7Rn2Qx: status: enabled → disabled")
    #expect(findings.allSatisfy { $0["severity"]?.string == "major" })
    #expect(findings.allSatisfy { $0["location"]?["path"]?.string == home.folder["connections.json"] })
    let prints = findings.compactMap { $0["fingerprint"]?.string }
    #expect(Set(prints).count == 3 && prints.allSatisfy { $0.utf8.count == 64 })
    #expect(findings.allSatisfy { $0.object?.members.map(\.key) == Self.members })
    let report = home.folder.text("report.xml") ?? ""
    #expect(report.contains(#"tests="3" failures="2" errors="0" skipped="0""#), "\(report)")
    // A finding keeps its fingerprint if the file grows above it.
    _ = diff("--report codequality=\(path)", "\n\n" + Self.file, in: home)
    let moved = try #require(JSONValue(parsing: Array((home.folder.text("findings.json") ?? "").utf8)).array)
    #expect(moved.compactMap { $0["fingerprint"]?.string } == prints)
    #expect(moved.map { $0["location"]?["lines"]?["begin"]?.int } == [12, 16, 19])
  }

  /// The members that GitLab reads.
  private static let members = ["description", "check_name", "fingerprint", "severity", "location"]

  @Test func eachUserIsCompared() throws {
    let home = home()
    let path = home.folder["findings.json"]
    let file = home.folder.write("connections.json", Self.file.replacing(",\n    { \"id\": \"nope0000\" }", with: ""))
    let users = home.folder.write("users.csv", "user_id\nu-5521\nu-7304\n")
    let outcome = home.sandbox(
      "connections diff \(file) --users \(users) --as service --exit-code -o jsonl --report codequality=\(path)")
    #expect(outcome.exit == .notYet, "\(outcome.errors)")
    let findings = try #require(JSONValue(parsing: Array((home.folder.text("findings.json") ?? "").utf8)).array)
    #expect(findings.count == outcome.output.split(separator: "\n").count)
    #expect(findings.contains { $0["description"]?.string?.hasPrefix("u-5521 Kd7Rn2Qx: ") == true }, "\(findings)")
    #expect(Set(findings.compactMap { $0["fingerprint"]?.string }).count == findings.count)
    #expect(home.folder.text("output.txt")?.hasPrefix("total=4\n") == true)
    #expect(home.folder.text("output.txt")?.hasSuffix("errors=differs\n") == true)
  }

  @Test func anUnfinishedRunSaysSo() throws {
    let home = home()
    let path = home.folder["findings.json"]
    home.environment["IFTTT_USER_TOKEN"] = "token-of-the-tests-0123456789"
    let server = Server().answering(200, Server.connection("Kd7Rn2Qx"))
    var meanwhile: String?
    server.whileWaiting = { meanwhile = home.folder.text("findings.json") }
    let file = home.folder.write("connections.json", #"{"version":1,"connections":[{"id":"Kd7Rn2Qx"}]}"#)
    #expect(home.run("connections diff \(file) --report codequality=\(path)", answers: server).exit == .success)
    let findings = try #require(try meanwhile.map { try JSONValue(parsing: Array($0.utf8)) }?.array)
    #expect(findings.map { $0["description"]?.string } == ["ifttt connections diff: the run did not finish"])
    #expect(findings.map { $0["location"]?["lines"]?["begin"]?.int } == [1])
    #expect(findings.map { $0["location"]?["path"]?.string } == [file])
    #expect(home.folder.text("findings.json") == "[\n]\n")
  }

  @Test func anInvalidFileIsReported() throws {
    let home = home()
    let names = ["junit", "summary", "dotenv", "codequality"]
    let reports = names.map { "--report \($0)=\(home.folder[$0])" }.joined(separator: " ")
    let outcome = diff(reports, #"{"version":1,"connections":7}"#, in: home)
    #expect(outcome.exit == .failure, "\(outcome.errors)")
    let texts = names.map { home.folder.text($0) ?? "" }
    #expect(texts[0].contains(#"tests="1" failures="0" errors="1""#) && texts[0].contains("connections"), "\(texts[0])")
    let errors = try JSONValue(parsing: Array(texts[1].utf8))["errors"]?.object?.members.map(\.key)
    let code = try #require(errors?.first { $0 != "interrupted" })
    #expect(errors?.count == 2 && texts[1].contains(#""total":0"#), "\(texts[1])")
    #expect(
      texts[2].hasSuffix("IFTTT_ERRORS=\(["interrupted", code].sorted().joined(separator: ","))\n"), "\(texts[2])")
    let finding = try #require(JSONValue(parsing: Array(texts[3].utf8)).array?.first)
    #expect(finding["check_name"]?.string == "ifttt/\(code)")
    #expect(finding["location"]?["path"]?.string == home.folder["connections.json"])
    #expect(home.folder.text("summary.md")?.contains("The run did not finish.") == true)
  }

  @Test func aDryRunWritesNothing() {
    let home = home()
    #expect(diff("--dry-run --report junit=\(home.folder["report.xml"])", in: home).exit == .success)
    #expect(["report.xml", "summary.md", "output.txt"].allSatisfy { home.folder.text($0) == nil })
  }

  @Test func findingsNeedAFile() {
    let outcome = Home().run("connections diff - --report codequality=findings.json")
    #expect(outcome.exit == .usage)
    #expect(outcome.errors.hasPrefix("ifttt: --report codequality needs a file, not stdin\n"), "\(outcome.errors)")
    let other = Home().run("connections show aa --report codequality=findings.json")
    #expect(other.exit == .usage)
    #expect(other.errors.hasPrefix("ifttt: invalid value 'codequality' for '--report': expected "), "\(other.errors)")
  }
}
